import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { disableApplication } from '#features/applications/life-cycle.ts';
import { connectRedis } from '#platform/redis.ts';
import { createDeliveryWorld, type DeliveryWorld, type TestApplication } from '#testing/delivery-world.ts';
import { startRedis } from '#testing/redis.ts';
import { eventually } from '#testing/waits.ts';
import { showEvent } from '../log/event-log.ts';
import type { NewEvent } from '../queries.ts';
import { announceEvents, type OutgoingEvent, recordEvents, toHeld } from '../record-events.ts';
import { replayEventsForBot } from '../tasks/replay.ts';
import { Delivery } from './delivery.ts';
import { findWorkers, upsertWorker } from './held-queries.ts';
import { EVERYTHING } from './leases.ts';
import { MemoryQueue, WAITS_MS } from './memory-queue.ts';
import { queueAll } from './recovery.ts';
import type { SenderOptions } from './sender.ts';

/** Of everything, though there may be other workers. */
const AMONG_OTHERS = { ...EVERYTHING };

/** The worker of this process, with which events are stored from now on. */
async function openWorker(world: DeliveryWorld, options: SenderOptions = {}): Promise<Delivery> {
  const delivery = world.platform.webhooks.openDelivery({ ...world.unlimited, ...options });
  await delivery.beat(() => undefined);
  return delivery;
}

/** Stores an event as a message of this process would; returns its id. */
async function store(world: DeliveryWorld, event: OutgoingEvent): Promise<string> {
  const { platform } = world;
  const [eventId] = await platform.db.begin((tx) => recordEvents(tx, platform, [event]));
  announceEvents(platform, [event]);
  return eventId as string;
}

/** The rows of the queue, and the attempts. */
async function rowsOf({ platform: { db } }: DeliveryWorld) {
  const [queued, attempts] = await Promise.all([
    db<{ state: string; attempts: number }[]>`select state, attempts from event_queue order by delivery_id`,
    db`select from event_attempts`,
  ]);
  return { queued: queued.map(({ state, attempts }) => `${state} ${attempts}`), attempts: attempts.length };
}

/** One step of the worker, until its attempts are recorded. */
async function send(delivery: Delivery): Promise<void> {
  await delivery.sendHeld();
  await delivery.settled();
}

test('an event of this process is sent from memory, and leaves nothing but itself and its attempt', async () => {
  await using world = await createDeliveryWorld();
  const own = await world.application();
  await using delivery = await openWorker(world);
  const event = world.outgoing(own);
  const eventId = await store(world, event);
  assert.deepEqual(await rowsOf(world), { queued: [], attempts: 0 });
  const pending = await showEvent(world.platform, own, eventId);
  assert.deepEqual([pending.state, pending.attempts, pending.nextAttemptAt], ['pending', 0, event.at]);
  assert.equal(await replayEventsForBot(world.platform, own.appId, [eventId]), 0, 'it is about to be sent');

  await send(delivery);
  assert.deepEqual(
    world.receiver.requests.map(({ headers }) => headers['webhook-id']),
    [event.msgId],
  );
  assert.deepEqual(await rowsOf(world), { queued: [], attempts: 1 });
  const { state, attempts, attemptLog } = await showEvent(world.platform, own, eventId);
  assert.deepEqual([state, attempts, attemptLog.length], ['delivered', 1, 1]);
  await send(delivery);
  assert.equal(world.receiver.requests.length, 1);
});

test('only a failed attempt makes a row in the queue, from which it is repeated on its schedule', async () => {
  await using world = await createDeliveryWorld();
  const own = await world.application();
  await using delivery = await openWorker(world);
  world.respond = (_, n) => (n === 1 ? { status: 500 } : {});
  const eventId = await store(world, world.outgoing(own));
  await send(delivery);
  assert.deepEqual(await rowsOf(world), { queued: ['retrying 1'], attempts: 1 });
  world.platform.clock.advance({ seconds: 30 });
  assert.deepEqual(await world.deliver(world.sender()), { delivered: 1 });
  assert.deepEqual(await rowsOf(world), { queued: [], attempts: 2 });
  const { state, attempts } = await showEvent(world.platform, own, eventId);
  assert.deepEqual([state, attempts], ['delivered', 2]);
});

test('the events of a worker that is gone are sent by another, also those whose transaction commits later', async () => {
  await using world = await createDeliveryWorld();
  const { platform, receiver } = world;
  const own = await world.application();
  const gone = { workerId: 7, until: Number.POSITIVE_INFINITY, owns: () => true, wake: () => undefined };
  const memoryQueue = new MemoryQueue(platform.clock);
  memoryQueue.open(gone);
  const now = platform.clock.now();
  await platform.db`insert into delivery_workers (worker_id, seen_at, held_since) values (7, ${now}, ${now})`;
  const [first, late] = [world.outgoing(own), world.outgoing(own)];
  const record = (event: OutgoingEvent, before = Promise.resolve()) =>
    platform.db.begin(async (tx) => {
      await recordEvents(tx, { ...platform, memoryQueue }, [event]);
      await before;
    });
  await record(first);
  const held = Promise.withResolvers<void>();
  const committing = record(late, held.promise);

  await using delivery = await openWorker(world);
  await send(delivery);
  assert.deepEqual(receiver.requests.length, 1);
  held.resolve();
  await committing;
  await delivery.beat(() => undefined);
  await send(delivery);
  const sent = receiver.requests.map(({ headers }) => headers['webhook-id']);
  assert.deepEqual(sent, [first.msgId, late.msgId]);
  assert.deepEqual(await rowsOf(world), { queued: [], attempts: 2 });

  const workers = async () => (await findWorkers(platform.db)).map(({ workerId }) => workerId === 7);
  assert.deepEqual((await workers()).sort(), [false, true]);
  platform.clock.advance({ minutes: 10 });
  await delivery.beat(() => undefined);
  assert.deepEqual(await workers(), [false], 'nothing of it can appear any more');
});

test('the same if the clock was set back while that worker ran', async () => {
  await using world = await createDeliveryWorld();
  const { platform, receiver } = world;
  platform.newId('dlv');
  platform.clock.advance({ hours: -1 });
  const memoryQueue = new MemoryQueue(platform.clock);
  await using gone = new Delivery({ ...platform, memoryQueue }, world.unlimited);
  await gone.beat(() => undefined);
  const event = world.outgoing(await world.application());
  await platform.db.begin((tx) => recordEvents(tx, { ...platform, memoryQueue }, [event]));
  await using delivery = await openWorker(world);
  await send(delivery);
  assert.equal(receiver.requests.length, 1);
});

test('an event that another owner queues while it is sent from memory is not sent from the queue after that', async () => {
  await using world = await createDeliveryWorld();
  const { platform, receiver } = world;
  const answer = Promise.withResolvers<object>();
  world.respond = () => answer.promise;
  await using delivery = await openWorker(world, { ownership: AMONG_OTHERS });
  await store(world, world.outgoing(await world.application()));
  await delivery.sendHeld();
  await receiver.waitFor(1);
  const [event] = await platform.db<NewEvent[]>`
    select bucket, delivery_id, app_id, type, msg_id, body, body_key_id, created_at, worker_id from events`;
  await queueAll({ ...platform, memoryQueue: new MemoryQueue(platform.clock) }, [toHeld(event as NewEvent)]);
  assert.deepEqual(await rowsOf(world), { queued: ['pending 0'], attempts: 0 });
  answer.resolve({});
  await delivery.settled();
  assert.deepEqual(await rowsOf(world), { queued: [], attempts: 1 });
  await delivery.claim();
  await delivery.settled();
  assert.equal(receiver.requests.length, 1);
});

test('an attempt that another owner has recorded, too, counts once, and nothing beside it is lost', async () => {
  await using world = await createDeliveryWorld();
  const { platform, receiver } = world;
  const answer = Promise.withResolvers<object>();
  world.respond = () => answer.promise;
  await using delivery = await openWorker(world);
  const own = await world.application();
  for (const event of [world.outgoing(own), world.outgoing(own)]) await store(world, event);
  await delivery.sendHeld();
  const entry = JSON.stringify({ attempt: 1, at: platform.clock.now(), status: 204 });
  await platform.db`
    insert into event_attempts (bucket, delivery_id, seq, attempt)
    select bucket, delivery_id, 1, ${entry}::json from events order by delivery_id limit 1`;
  answer.resolve({});
  await receiver.waitFor(2);
  await delivery.settled();
  assert.deepEqual(await rowsOf(world), { queued: [], attempts: 2 });
  const [logged] = await platform.db<{ attempt: { status: number } }[]>`
    select attempt from event_attempts order by delivery_id`;
  assert.equal(logged?.attempt.status, 204, 'the first record stays');
});

test('an event whose commit this process did not hear of is queued; one that never commits is forgotten', async (t) => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const own = await world.application();
  await using delivery = await openWorker(world);
  const unheard = world.outgoing(own);
  await platform.db.begin((tx) => recordEvents(tx, platform, [unheard]));
  const refused = platform.db.begin(async (tx) => {
    await recordEvents(tx, platform, [world.outgoing(own)]);
    throw new Error('the message was refused');
  });
  await assert.rejects(refused);
  platform.clock.advance({ milliseconds: WAITS_MS });
  await send(delivery);
  assert.deepEqual(await rowsOf(world), { queued: ['pending 0'], attempts: 0 });
  assert.notEqual(platform.memoryQueue.heldSince(), undefined, 'the other may still commit');
  assert.deepEqual(delivery.busy(), [], 'meanwhile another worker may take over the application');
  const now = performance.now.bind(performance);
  t.mock.method(performance, 'now', () => now() + 6 * 60_000);
  platform.clock.advance({ milliseconds: WAITS_MS });
  await send(delivery);
  assert.equal(platform.memoryQueue.heldSince(), undefined);
  assert.deepEqual(await world.deliver(world.sender()), { delivered: 1 });
});

test('an event whose commit a stop of the machine delays by hours is sent', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const own = await world.application();
  await using delivery = await openWorker(world);
  const event = world.outgoing(own);
  const stopped = Promise.withResolvers<void>();
  const stored = platform.db.begin(async (tx) => {
    await recordEvents(tx, platform, [event]);
    await stopped.promise;
  });
  await eventually(() => platform.memoryQueue.heldSince());
  platform.clock.advance({ hours: 3 });
  await send(delivery);
  stopped.resolve();
  await stored;
  announceEvents(platform, [event]);
  await delivery.beat(() => undefined);
  await send(delivery);
  assert.equal(world.receiver.requests.length, 1);
});

test('events that wait are queued after a while, and what is stored until those are sent comes after them', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const own = await world.application();
  const answer = Promise.withResolvers<object>();
  world.respond = (_, n) => (n === 1 ? answer.promise : {});
  await using delivery = platform.webhooks.openDelivery({
    queues: { ...world.unlimited.queues, perApplication: 1, initial: 1 },
  });
  await delivery.beat(() => undefined);
  for (let i = 0; i < 3; i++) await store(world, world.outgoing(own));
  await delivery.sendHeld();
  await world.receiver.waitFor(1);
  platform.clock.advance({ milliseconds: WAITS_MS });
  await delivery.sendHeld();
  assert.deepEqual(await rowsOf(world), { queued: ['pending 0', 'pending 0'], attempts: 0 });
  await store(world, world.outgoing(own));
  assert.equal((await rowsOf(world)).queued.length, 3, 'it goes behind them');
  answer.resolve({});
  await delivery.settled();
  while ((await rowsOf(world)).queued.length > 0) {
    await delivery.claim();
    await delivery.settled();
  }
  await delivery.claim();
  await store(world, world.outgoing(own));
  assert.deepEqual(await rowsOf(world), { queued: [], attempts: 4 });
});

test('events of a disabled application are parked, and those of a worker that stops are queued', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const [own, other] = [await world.application(), await world.application()];
  const park = async (application: TestApplication) => {
    await store(world, world.outgoing(application));
    await disableApplication(platform, application);
  };
  {
    await using delivery = await openWorker(world);
    await park(own);
    await send(delivery);
    assert.deepEqual(await rowsOf(world), { queued: ['pending 0'], attempts: 0 });
    await store(world, world.outgoing(other));
  }
  const due = await platform.db`select next_attempt_at from event_queue order by next_attempt_at`;
  assert.deepEqual(
    due.map(({ nextAttemptAt }) => nextAttemptAt !== null),
    [true, false],
  );
  await store(world, world.outgoing(other));
  assert.equal((await rowsOf(world)).queued.length, 3, 'without a worker, events are queued');
  assert.deepEqual(world.receiver.requests, []);
});

test('an application may fill the room that all others leave', () => {
  const clock = { now: () => 1_000 };
  const queue = new MemoryQueue(clock);
  queue.open({ workerId: 1, until: 2_000, owns: () => true, wake: () => undefined });
  const event = (appId: string, i: number) => ({
    bucket: 0,
    deliveryId: `${appId}-${i}`,
    appId,
    type: 'message.received' as const,
    msgId: '',
    body: Buffer.alloc(1_000_000),
    bodyKeyId: 0,
    state: 'pending' as const,
    attempts: 0,
    logged: 0,
    nextAttemptAt: 1_000,
    replayedAt: null,
  });
  const fill = (appId: string) => {
    let count = 0;
    while (queue.workerFor(appId) !== undefined) queue.record({}, event(appId, count++));
    return count;
  };
  assert.deepEqual([fill('one'), fill('two'), fill('three')], [17, 9, 4]);
  queue.release('one-0');
  assert.equal(queue.workerFor('one'), undefined, 'its other events are in the queue');
  queue.noteEmpty('one');
  assert.equal(queue.workerFor('four'), 1);
});

test('a worker that alone cannot reach Redis stops sending: others do it', async () => {
  await using world = await createDeliveryWorld();
  await using server = await startRedis();
  const redis = await connectRedis({ urls: [server.url], log: pino({ level: 'silent' }) });
  const { db } = world.platform;
  await using delivery = new Delivery({ ...world.platform, redis }, world.unlimited);
  const own = await world.application();
  const beat = async (others: number) => {
    const other = { workerId: 7, seenAt: world.platform.clock.now(), heldSince: 1, renewals: others };
    await db.write((tx) => upsertWorker(tx, other));
    await delivery.renewLeases();
    await delivery.beat(() => undefined).catch(() => undefined);
  };
  for (const renewals of [1, 2]) await beat(renewals);
  await store(world, world.outgoing(own));
  await send(delivery);
  assert.equal(world.receiver.requests.length, 1);

  await store(world, world.outgoing(own));
  await redis[Symbol.asyncDispose]();
  for (const renewals of [2, 3, 4]) await beat(renewals);
  assert.deepEqual((await rowsOf(world)).queued, []);
  await beat(5);
  await store(world, world.outgoing(own));
  world.platform.clock.advance({ seconds: 1 });
  await send(delivery);
  await delivery.claim();
  await delivery.settled();
  assert.deepEqual((await rowsOf(world)).queued, ['pending 0', 'pending 0']);
  assert.equal(world.receiver.requests.length, 1);
});

test('an event that was revised is queued after a while, also if the clock was set back', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  await using delivery = await openWorker(world);
  const event = world.outgoing(await world.application());
  const [eventId = ''] = await platform.db.begin((tx) => recordEvents(tx, platform, [event]));
  platform.memoryQueue.revise(eventId);
  platform.clock.advance({ hours: -1 });
  await send(delivery);
  assert.deepEqual((await rowsOf(world)).queued, ['pending 0']);
});
