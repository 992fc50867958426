import type { TestContext } from 'node:test';
import { composeFeatures, createHttp } from '../app.ts';
import { Person } from './actors.ts';
import type { Answer } from './answers.ts';
import { createDeliveryWorld, type DeliveryWorld, type TestApplication } from './delivery-world.ts';

/** The console of the owner of one application. */
export interface WebhookConsole extends AsyncDisposable {
  /** @param path below `/api/console/applications/:appId` */
  call(method: Parameters<Person['calls']>[0], path: string, body?: object): Promise<Answer>;
}

export async function openConsole(
  { platform }: DeliveryWorld,
  { actorId, appId }: Pick<TestApplication, 'actorId' | 'appId'>,
): Promise<WebhookConsole> {
  const features = composeFeatures(platform);
  const app = await createHttp(platform, features);
  const person = await Person.signIn({ ...platform, ...features, app }, { accountId: actorId });
  return {
    call: (method, path, body) => person.calls(method, `/api/console/applications/${appId}${path}`, body),
    [Symbol.asyncDispose]: async () => app.close(),
  };
}

/** An application, and the console of its owner, until the test has ended. */
export async function ownConsole(t: TestContext) {
  const world = await createDeliveryWorld();
  const own = await world.application();
  const owner = await openConsole(world, own);
  t.after(async () => {
    await owner[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });
  return { world, own, owner };
}
