import { pino } from 'pino';
import { Type } from 'typebox';
import { readConfig } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { type App, createApp, type TimeLimits, takeLargeBodies } from '#platform/http/app.ts';
import { createIds } from '#platform/ids.ts';
import { CurrentNotices } from '#platform/live/notices.ts';
import { systemRandom } from '#platform/random.ts';
import { TestClock } from './platform.ts';
import { PATIENT } from './waits.ts';

export type TinyApp = ReturnType<typeof createTinyApp>;

export interface TinyAppOptions {
  environment?: Record<string, string>;
  timeLimits?: TimeLimits;
  logLevel?: 'debug' | 'warn';
  db?: Pick<Database, 'isAnswering' | 'waitTimeoutMs'>;
  routes?: (app: App) => void;
}

/**
 * An app with the HTTP rules only, without database or features: `POST /echo` answers with the body, `GET /echo` with `{}`;
 * `POST /large` also takes bodies that are only for callers with a credential.
 */
export function createTinyApp({
  environment = {},
  timeLimits,
  logLevel = 'warn',
  db,
  routes,
}: TinyAppOptions = {}) {
  /** The log of the app, one object per line. */
  const logged: Record<string, unknown>[] = [];
  const log = pino({ level: logLevel }, { write: (line) => logged.push(JSON.parse(line)) });
  const clock = new TestClock();
  const platform = {
    config: readConfig(environment),
    log,
    clock,
    notices: new CurrentNotices(),
    newId: createIds(clock, systemRandom),
    db: db ?? { isAnswering: true, ...PATIENT },
  };
  const app = createApp(platform, timeLimits);
  app.get('/echo', async () => ({}));
  for (const method of ['POST', 'PATCH', 'DELETE'] as const) {
    app.route({ method, url: '/echo', handler: async ({ body }) => ({ body }) });
  }
  app.post('/typed', { schema: { body: Typed } }, async ({ body }) => ({ body }));
  app.register(async (scope) => {
    takeLargeBodies(scope);
    scope.post('/large', async ({ body }) => ({ body }));
  });
  routes?.(app);
  return { app, logged, [Symbol.asyncDispose]: async () => app.close() };
}

const Typed = Type.Object({
  text: Type.String({ minLength: 1, maxLength: 5 }),
  count: Type.Optional(Type.Integer({ minimum: 0, maximum: 9 })),
  isGood: Type.Optional(Type.Boolean()),
  tags: Type.Optional(Type.Array(Type.String(), { maxItems: 2 })),
  place: Type.Optional(Type.Object({ name: Type.String() })),
});
