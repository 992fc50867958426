import type { EndpointTable } from '#contract/endpoints.ts';
import type { Actor } from '#features/applications/index.ts';
import { createApp } from '#platform/http/app.ts';
import { open, type Served, type Surface } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import type { Answer } from './answers.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Routes of the public API without authentication: a test specifies the actor of each request. */
export async function createActingApp(platform: Platform, routes: readonly Served[]) {
  const app = createApp(platform);
  await app.register(async (scope) => {
    const surface: Surface<'actor'> = {
      describe: () => ({}),
      run: ({ headers }, _reply, handle) =>
        handle({ actor: JSON.parse(String(headers['x-actor'])), toAdmissionCheck: () => async () => true }),
      clientOf: ({ actor: { accountId, appId } }) => ({ accountId, clientId: appId }),
    };
    open(scope, platform, surface, routes.filter(isForActors));
  });
  return {
    async calls(
      { kind, accountId }: Pick<Actor, 'kind' | 'accountId'>,
      method: Method,
      url: string,
      body?: object,
      headers: Record<string, string> = {},
    ): Promise<Answer> {
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

function isForActors(one: Served): one is Served<EndpointTable<'actor'>> {
  return one.table.audience === 'actor';
}
