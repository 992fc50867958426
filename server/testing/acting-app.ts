import type { PersonLimits } from '#features/accounts/person-limits.ts';
import type { Actor } from '#features/applications/actor.ts';
import { type App, createApp } from '#platform/http/app.ts';
import type { Platform } from '#platform/platform.ts';
import type { Answer } from './world.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** The public API's routes without their door: a test says whom a request acts as. */
export interface ActingApp extends AsyncDisposable {
  calls(
    actor: Pick<Actor, 'kind' | 'accountId'>,
    method: Method,
    url: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<Answer>;
}

export async function createActingApp(
  platform: Platform & { limits: PersonLimits },
  routes: (app: App, platform: Platform & { limits: PersonLimits }) => void,
): Promise<ActingApp> {
  const app = createApp(platform);
  app.decorateRequest('actor', null as unknown as Actor);
  app.addHook('onRequest', async (request) => {
    request.actor = JSON.parse(String(request.headers['x-actor']));
  });
  await app.register(async (scope) => routes(scope as unknown as App, platform));
  return {
    async calls({ kind, accountId }, method, url, body, headers = {}) {
      const actor: Actor = { kind, accountId, appId: 'app_00000000000000000000test', scopes: [] };
      const answer = await app.inject({
        method,
        url,
        headers: { 'x-actor': JSON.stringify(actor), ...headers },
        ...(body && { payload: body }),
      });
      return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(answer.body) };
    },
    [Symbol.asyncDispose]: () => app.close(),
  };
}
