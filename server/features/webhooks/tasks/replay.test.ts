import assert from 'node:assert/strict';
import { test } from 'node:test';
import { disableApplication } from '#features/applications/life-cycle.ts';
import { removeWebhookUrl } from '#features/applications/settings.ts';
import { invalid, plain, precondition, success } from '#testing/answers.ts';
import { createDeliveryWorld, type DeliveryWorld, type TestApplication } from '#testing/delivery-world.ts';
import { openConsole, ownConsole, type WebhookConsole } from '#testing/webhook-console.ts';
import { markFetched, readFeed } from '../feed/event-feed.ts';
import { recordEvents } from '../record-events.ts';
import { workOnTasks } from './work.ts';

async function abandon(world: DeliveryWorld): Promise<void> {
  world.respond = () => ({ status: 500 });
  for (let i = 0; i < 8; i++) {
    // A new one without recorded failures, so that all due events are sent at once.
    await world.deliver(world.sender());
    world.platform.clock.advance({ hours: 1 });
  }
}

async function idOf(owner: WebhookConsole, msgId: string): Promise<string> {
  const { body } = await owner.call('GET', '/events');
  return body.data.find((event: { msgId?: string }) => event.msgId === msgId).eventId;
}

/** Records events that are not sent; returns the ids of their messages. */
async function unsentEvents(world: DeliveryWorld, own: TestApplication, count: number): Promise<string[]> {
  const events = Array.from({ length: count }, () => ({ ...world.outgoing(own), state: 'unsent' as const }));
  await world.platform.db.begin((tx) => recordEvents(tx, world.platform, events));
  return events.map(({ msgId }) => msgId);
}

test('a replay sends the same msgId and bytes, with 8 new attempts on the schedule', async (t) => {
  const { world, own, owner } = await ownConsole(t);
  const { platform, receiver } = world;
  const msgId = await world.event(own);
  const sender = world.sender();
  await abandon(world);
  const eventId = await idOf(owner, msgId);
  let raised = 0;
  platform.dueDeliveries.subscribe(() => raised++);
  const { status, body } = await owner.call('POST', `/events/${eventId}/replay`);
  const now = platform.clock.now();
  assert.equal(status, 200);
  assert.deepEqual([body.message, raised], ['the event is sent again', 1]);
  const { state, attempts, nextAttemptAt, replayedAt, attemptLog } = body.data;
  assert.deepEqual(
    { state, attempts, nextAttemptAt, replayedAt, log: attemptLog.length },
    { state: 'pending', attempts: 0, nextAttemptAt: now, replayedAt: now, log: 8 },
  );
  for (const seconds of [30, 60, 120, 240, 480, 960, 1920]) {
    assert.deepEqual(await world.deliver(sender), { retrying: 1 });
    platform.clock.advance({ seconds });
  }
  assert.deepEqual(await world.deliver(sender), { abandoned: 1 });
  assert.equal(receiver.requests.length, 16);
  assert.equal(new Set(receiver.requests.map(({ rawBody }) => rawBody.toString('hex'))).size, 1);
  assert.deepEqual(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])), new Set([msgId]));
});

test('clicks in quick succession, even 20 at once or after the receiver answered, are one replay', async (t) => {
  const { world, own, owner } = await ownConsole(t);
  const { platform, receiver } = world;
  const msgId = await world.event(own);
  const sender = world.sender();
  await world.deliver(sender);
  const eventId = await idOf(owner, msgId);
  const replay = () => owner.call('POST', `/events/${eventId}/replay`);
  const answers = await Promise.all(Array.from({ length: 20 }, replay));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.deepEqual(await world.deliver(sender), { delivered: 1 });
  assert.equal((await replay()).body.data.state, 'delivered', 'the same click, as far as anybody can tell');
  assert.deepEqual(await world.deliver(sender), {});
  platform.clock.advance({ seconds: 10 });
  assert.equal((await replay()).body.data.state, 'pending');
  assert.deepEqual(await world.deliver(sender), { delivered: 1 });
  assert.equal(receiver.requests.length, 3);
});

test('an event that waits for its next attempt is sent now; one in progress is not affected', async (t) => {
  const { world, own, owner } = await ownConsole(t);
  const { platform, receiver } = world;
  const answer = Promise.withResolvers<object>();
  world.respond = (_, n) => (n === 1 ? { status: 500 } : answer.promise);
  const msgId = await world.event(own);
  const sender = world.sender();
  await world.deliver(sender);
  const eventId = await idOf(owner, msgId);
  assert.equal((await owner.call('POST', `/events/${eventId}/replay`)).body.data.attempts, 0);
  const delivering = world.deliver(sender);
  await receiver.waitFor(2);
  platform.clock.advance({ seconds: 10 });
  const { body } = await owner.call('POST', `/events/${eventId}/replay`);
  assert.deepEqual([body.data.state, body.data.attemptLog.length], ['pending', 1]);
  answer.resolve({});
  assert.deepEqual(await delivering, { delivered: 1 });
});

test('events that failed since a time are sent again at once: abandoned or waiting ones, but no delivered or older ones', async (t) => {
  const { world, own, owner } = await ownConsole(t);
  const { platform } = world;
  const sender = world.sender();
  const older = await world.event(own);
  platform.clock.advance({ milliseconds: 1 });
  const since = platform.clock.now();
  const abandoned = await world.event(own);
  await abandon(world);
  world.respond = () => ({});
  const delivered = await world.event(own);
  await world.deliver(sender);
  world.respond = () => ({ status: 500 });
  const waiting = await world.event(own);
  await world.deliver(sender);
  world.respond = () => ({});

  const recover = () => owner.call('POST', '/events/recover', { since });
  const [one, other] = await Promise.all([recover(), recover()]);
  assert.deepEqual([one.status, other.status], [200, 200]);
  assert.equal(one.body.data.recovered + other.body.data.recovered, 2);
  assert.deepEqual(
    (await recover()).body,
    success('what failed is sent again', { recovered: 0, hasMore: false }, platform.clock.now()),
  );
  assert.deepEqual(await world.deliver(world.sender()), { delivered: 2 });
  const rows = await world.deliveries();
  assert.deepEqual(
    rows.map(({ msgId, state, attempts }) => [msgId, state, attempts]),
    [
      [older, 'abandoned', 8],
      [abandoned, 'delivered', 1],
      [delivered, 'delivered', 1],
      [waiting, 'delivered', 1],
    ],
  );
});

test('events since that time that were never sent for lack of a URL are sent, too', async (t) => {
  const { world, own, owner } = await ownConsole(t);
  const { platform } = world;
  const older = await unsentEvents(world, own, 1);
  platform.clock.advance({ milliseconds: 1 });
  const since = platform.clock.now();
  const unsent = await unsentEvents(world, own, 1);
  const { body } = await owner.call('POST', '/events/recover', { since });
  assert.deepEqual(body.data, { recovered: 1, hasMore: false });
  assert.deepEqual(await world.deliver(world.sender()), { delivered: 1 });
  assert.deepEqual(
    (await world.deliveries()).map(({ msgId, state }) => [msgId, state]),
    [
      [...older, 'unsent'],
      [...unsent, 'delivered'],
    ],
  );
  assert.equal((await owner.call('POST', '/events/recover', { since })).body.data.recovered, 0);
});

test('of any number of unsent events a first slice is sent at once and the rest by a worker, without those that the bot fetched', async (t) => {
  const { world, own, owner } = await ownConsole(t);
  const { platform } = world;
  await unsentEvents(world, own, 3);
  const fetched = await readFeed(platform, own.appId, { after: 0, limit: 3 });
  await markFetched(platform, own.appId, fetched.end);
  await unsentEvents(world, own, 1_500);
  const { body } = await owner.call('POST', '/events/recover', { since: 0 });
  assert.deepEqual(body.data, { recovered: 997, hasMore: true });
  await workOnTasks(platform);
  const [{ due }] = await platform.db<[{ due: number }]>`
    select count(*)::integer as due from event_queue where state = 'pending'`;
  assert.equal(due, 1_500);
  const [entry] = (await owner.call('GET', '/audit')).body.data.entries;
  assert.deepEqual([entry.action, entry.details], ['events.recovered', { since: 0 }]);
});

test('a recovery sends a first slice at once, and a worker sends the rest', async (t) => {
  const { world, own, owner } = await ownConsole(t);
  const { db, clock } = world.platform;
  await world.event(own);
  await db`
    insert into event_queue (bucket, delivery_id, app_id, app_bucket, type, state, attempts, logged, created_at)
    select 1, 'dlv_' || n, app_id, app_bucket, type, 'abandoned', 8, 8, created_at
    from event_queue cross join generate_series(1, 10500) as n`;
  const recover = async () => (await owner.call('POST', '/events/recover', { since: 0 })).body.data;
  assert.deepEqual(await recover(), { recovered: 1_000, hasMore: true });
  await workOnTasks(world.platform);
  assert.deepEqual(await recover(), { recovered: 0, hasMore: false });
  const [{ due }] = await db<[{ due: number }]>`
    select count(*)::integer as due from event_queue where state = 'pending' and next_attempt_at = ${clock.now()}`;
  assert.equal(due, 10_501);
});

test('nothing is sent again while the application receives no webhooks', async (t) => {
  const { world, own, owner } = await ownConsole(t);
  const eventId = await idOf(owner, await world.event(own));
  const refused = async (message: string) => {
    for (const path of [`/events/${eventId}/replay`, '/events/recover', '/webhook/ping', '/webhook/audit'])
      assert.deepEqual(plain(await owner.call('POST', path, { since: 0 })), precondition(message), path);
  };
  await removeWebhookUrl(world.platform, own, []);
  await refused('the application has no webhook URL: set one first');
  await disableApplication(world.platform, own);
  await refused('the application is disabled, so no webhook is sent');
  assert.deepEqual(world.receiver.requests, []);
});

test('since is a whole number of milliseconds', async () => {
  await using world = await createDeliveryWorld();
  await using owner = await openConsole(world, await world.application());
  for (const [since, message] of [
    [undefined, 'since is required'],
    ['0', 'since must be of type integer'],
    [-1, 'since must be >= 0'],
  ] as const)
    assert.deepEqual(plain(await owner.call('POST', '/events/recover', { since })), invalid(message));
});
