import { OPENID, PUBLIC } from '#contract/api/public.ts';
import type { App } from '#platform/http/app.ts';
import { mount, type Served, type Surface } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import { type ExtensionDeps, whileInUse } from './while-in-use.ts';

/** Endpoints without a credential; by default they are served without the database. */
const FOR_EVERYBODY: Surface<'everybody'> = {
  describe: ({ needsDatabase, operationId, summary, description, tags }) => ({
    ...(!needsDatabase && { config: { withoutDatabase: true } }),
    schema:
      operationId === undefined
        ? { hide: true }
        : {
            operationId,
            ...(summary && { summary }),
            ...(description && { description }),
            ...(tags && { tags }),
          },
  }),
  run: (_request, _reply, handle) => handle({}),
};

/** Files, pictures and metadata, for programs and pages anywhere. */
export async function everybody(
  app: App,
  deps: Platform & ExtensionDeps & { routes: readonly Served[] },
): Promise<void> {
  mount(app, deps, FOR_EVERYBODY, PUBLIC, deps.routes);
  await app.register(async (scope) => {
    whileInUse(scope, deps, 'openid');
    mount(scope, deps, FOR_EVERYBODY, OPENID, deps.routes);
  });
}
