import { Type } from 'typebox';
import { OPENID, PUBLIC } from '#contract/api/public.ts';
import { createWriteProbe } from '#platform/database/failover/write-probe.ts';
import { unavailable } from '#platform/errors.ts';
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

const liveSchema = { response: { 200: Type.Object({ status: Type.Literal('ok') }) } };
const readySchema = {
  response: {
    200: Type.Object({
      status: Type.Literal('ok'),
      /** Present if the database is distributed. */
      database: Type.Optional(Type.Object({ workers: Type.Integer() })),
      /** Hosts of the database that are away, and that the service does without. */
      away: Type.Optional(Type.Array(Type.String())),
    }),
  },
};

/** For load balancers and supervisors: whether the process runs, and whether it can do its work. */
export async function health(app: App, { db, clock, shards }: Platform): Promise<void> {
  const checkWrites = createWriteProbe(db, clock);
  app.get('/health/live', { config: { withoutDatabase: true }, schema: liveSchema }, async () => ({
    status: 'ok' as const,
  }));
  app.get('/health/ready', { schema: readySchema }, async () => {
    await db`select 1`.catch((error) => {
      throw unavailable('service.database-away', error);
    });
    await checkWrites().catch((error) => {
      throw unavailable('service.database-read-only', error);
    });
    const { isDistributed, workers } = shards;
    const away = db.hosts.filter(({ isUp }) => !isUp).map(({ name }) => name);
    return {
      status: 'ok' as const,
      ...(isDistributed && { database: { workers } }),
      ...(away.length > 0 && { away }),
    };
  });
}
