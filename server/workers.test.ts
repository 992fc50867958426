import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bucketOf } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { createDeliveryWorld, type DeliveryWorld, type TestApplication } from '#testing/delivery-world.ts';
import { expectErrors } from '#testing/logged-errors.ts';
import { eventually, LONGEST_WAIT_MS } from '#testing/waits.ts';
import { composeFeatures } from './app.ts';
import { type DeliveryWorkerOptions, startDeliveryWorker } from './workers.ts';

/** Long enough that only a wake-up can have ended the worker's sleep. */
const NEVER_MS = 600_000;

function start(platform: Platform, options: DeliveryWorkerOptions) {
  return startDeliveryWorker({ ...platform, ...composeFeatures(platform) }, options);
}

async function settled(world: DeliveryWorld, count: number): Promise<void> {
  const settled = async () => (await world.deliveries()).filter(({ state }) => state !== 'pending').length;
  await eventually(async () => (await settled()) >= count);
}

test('a sleeping worker is woken by the signal', async () => {
  await using world = await createDeliveryWorld();
  const { platform, receiver } = world;
  const application = await world.application();
  await using _worker = start(platform, { pollMs: NEVER_MS });
  for (let i = 1; i <= 3; i++) {
    await world.event(application);
    platform.dueDeliveries.raise();
    await receiver.waitFor(i);
  }
  await settled(world, 3);
});

test('a worker that is not woken finds due deliveries by polling', async () => {
  await using world = await createDeliveryWorld();
  const { platform, receiver } = world;
  const application = await world.application();
  world.respond = (_, n) => ({ status: n === 1 ? 500 : 200 });
  await using _worker = start(platform, { pollMs: 5 });
  await world.event(application);
  await receiver.waitFor(1);
  await settled(world, 1);
  platform.clock.advance({ seconds: 30 });
  await receiver.waitFor(2);
});

test('a starting worker resumes deliveries that are parked without a reason', async () => {
  await using world = await createDeliveryWorld();
  const { platform, receiver } = world;
  await world.event(await world.application());
  await platform.db`update event_queue set next_attempt_at = null`;
  await using _worker = start(platform, { pollMs: NEVER_MS });
  await receiver.waitFor(1);
});

test('a silent receiver gets a limited number of concurrent posts, and others are not delayed', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  const silent = await world.startReceiver(() => isOver.then(() => ({ status: 500 })));
  const [slow, quick] = [await world.application(silent.url), await world.application()];
  for (let i = 0; i < 30; i++) await world.event(slow);
  for (let i = 0; i < 30; i++) await world.event(quick);
  const queues = { total: 20, unproven: 20, unprovenPerPace: 100, perApplication: 8, initial: 8, kept: 10 };
  await using worker = start(platform, { queues, pollMs: NEVER_MS, deadlineMs: LONGEST_WAIT_MS });
  await world.receiver.waitFor(30);
  await silent.waitFor(8);
  const stopped = worker[Symbol.asyncDispose]();
  end();
  await stopped;
  assert.equal(silent.requests.length, 8);
  const rows = await world.deliveries();
  const count = (state: string) => rows.filter((row) => row.state === state).length;
  assert.deepEqual(
    { delivered: count('delivered'), retrying: count('retrying'), pending: count('pending') },
    { delivered: 30, retrying: 8, pending: 22 },
  );
});

test('applications take turns when more is due than one step can claim', async () => {
  await using world = await createDeliveryWorld();
  const applications: TestApplication[] = [];
  for (let i = 0; i < 4; i++) applications.push(await world.application());
  applications.sort((one, other) => bucketOf(one.appId) - bucketOf(other.appId));
  for (const application of applications) for (let i = 0; i < 4; i++) await world.event(application);
  const sender = world.sender();
  const served = async () => {
    const before = world.receiver.requests.length;
    await world.deliver(sender, 4);
    const posts = world.receiver.requests.slice(before).map(({ headers }) => headers['webhook-id']);
    const rows = await world.platform.db<{ appId: string }[]>`
      select distinct app_id from events where msg_id = any(${posts as string[]})`;
    return rows.map(({ appId }) => applications.findIndex((application) => application.appId === appId));
  };
  assert.deepEqual(await served(), [0]);
  assert.deepEqual(await served(), [1]);
  await world.event(applications[0] as TestApplication);
  assert.deepEqual(await served(), [2], 'the first has something new, and waits for its turn');
});

test('a drain lets the attempt in progress finish, records it and begins nothing', async () => {
  await using world = await createDeliveryWorld();
  const { platform, receiver } = world;
  const application = await world.application();
  const answer = Promise.withResolvers<object>();
  world.respond = () => answer.promise;
  const queues = { total: 2, unproven: 2, unprovenPerPace: 100, perApplication: 2, initial: 2, kept: 10 };
  await using worker = start(platform, { queues, pollMs: NEVER_MS });
  for (let i = 0; i < 5; i++) {
    // Of two deliveries due at the same moment, either may go first.
    platform.clock.advance({ seconds: 1 });
    await world.event(application);
  }
  platform.dueDeliveries.raise();
  await receiver.waitFor(2);
  const drained = worker[Symbol.asyncDispose]();
  platform.dueDeliveries.raise();
  answer.resolve({});
  await drained;
  assert.equal(receiver.requests.length, 2);
  const rows = await world.deliveries();
  assert.deepEqual(
    rows.map(({ state, attempts }) => ({ state, attempts })),
    [
      { state: 'delivered', attempts: 1 },
      { state: 'delivered', attempts: 1 },
      { state: 'pending', attempts: 0 },
      { state: 'pending', attempts: 0 },
      { state: 'pending', attempts: 0 },
    ],
  );
});

test('deliveries claimed when the drain begins are released at once', async () => {
  await using world = await createDeliveryWorld();
  const msgId = await world.event(await world.application());
  const sender = world.sender();
  sender.isClosing = true;
  assert.deepEqual(await world.deliver(sender), { released: 1 });
  assert.deepEqual(world.receiver.requests, []);
  assert.deepEqual(await world.deliveries(), [
    { msgId, state: 'pending', attempts: 0, nextAttemptAt: world.platform.clock.now() },
  ]);
});

test('a worker survives an unreachable database', async () => {
  expectErrors(/away/);
  await using world = await createDeliveryWorld();
  const { platform, receiver } = world;
  let failures = 0;
  const ask = () => {
    if (failures++ < 3) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
  };
  const db = new Proxy(platform.db, {
    apply(query, self, args) {
      ask();
      return Reflect.apply(query, self, args);
    },
    get(query, name) {
      if (name === 'write') ask();
      return Reflect.get(query, name);
    },
  });
  await using _worker = start({ ...platform, db }, { pollMs: 5 });
  await world.event(await world.application());
  await receiver.waitFor(1);
  assert.ok(failures > 3);
});
