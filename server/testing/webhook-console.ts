import type { TestContext } from 'node:test';
import type { InjectOptions } from 'fastify';
import { createSessionCookie, startSession } from '#features/accounts/sessions/session.ts';
import { createApp } from '#platform/http/app.ts';
import { consoleSurface } from '#surfaces/people/surfaces.ts';
import { composeFeatures } from '../app.ts';
import type { Answer } from './answers.ts';
import { readAnswer } from './answers.ts';
import { createDeliveryWorld, type DeliveryWorld, type TestApplication } from './delivery-world.ts';

/** The console of the owner of one application. */
export interface WebhookConsole extends AsyncDisposable {
  /** @param path below `/api/console/applications/:appId` */
  call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object): Promise<Answer>;
}

export async function openConsole(
  { platform }: DeliveryWorld,
  { actorId, appId }: Pick<TestApplication, 'actorId' | 'appId'>,
): Promise<WebhookConsole> {
  const { db, clock, config } = platform;
  const credential = await db.begin((tx) =>
    startSession(tx, platform, { accountId: actorId, userAgent: 'test', methods: ['pwd'], now: clock.now() }),
  );
  const cookie = createSessionCookie(config).issue(credential).split(';', 1)[0] as string;
  const app = createApp(platform);
  const deps = { ...platform, ...composeFeatures(platform) };
  await app.register((routes) => consoleSurface(routes, deps), { prefix: '/api/console' });
  return {
    async call(method, path, payload) {
      const answer = await app.inject({
        method,
        url: `/api/console/applications/${appId}${path}`,
        headers: { cookie, 'sec-fetch-site': 'same-origin' },
        ...(payload !== undefined && { payload: payload as NonNullable<InjectOptions['payload']> }),
      });
      return readAnswer(answer);
    },
    [Symbol.asyncDispose]: async () => app.close(),
  };
}

/** An application, and the console of its owner, until the test has ended. */
export async function ownConsole(
  t: TestContext,
): Promise<{ world: DeliveryWorld; own: TestApplication; owner: WebhookConsole }> {
  const world = await createDeliveryWorld();
  const own = await world.application();
  const owner = await openConsole(world, own);
  t.after(async () => {
    await owner[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });
  return { world, own, owner };
}
