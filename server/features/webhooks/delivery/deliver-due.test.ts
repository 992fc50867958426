import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { regenerateWebhookSecret } from '#features/applications/credentials/renew-secrets.ts';
import { setWebhookUrl } from '#features/applications/settings.ts';
import { BUCKETS, bucketOf } from '#platform/ids.ts';
import { shardAfterShard } from '#platform/partitioning/shards.ts';
import { createGuard } from '#platform/safe-fetch/guard.ts';
import { createDeliveryWorld, type DeliveryWorld } from '#testing/delivery-world.ts';
import { expectErrors } from '#testing/logged-errors.ts';
import { ALL_BUCKETS, asIfDistributed } from '#testing/lost-shard.ts';
import type { ReceivedRequest, Reply } from '#testing/receiver.ts';
import { type Claim, findDue } from '../queries.ts';
import { deliverDue } from './deliver-due.ts';
import { QUEUE_LIMITS } from './endpoint-queues.ts';
import { createSender, FIRST_TURN } from './sender.ts';
import { settle } from './settle.ts';

const WAITS_IN_SECONDS = [30, 60, 120, 240, 480, 960, 1920];

function ended(msgId: string, state: string, attempts: number) {
  return { msgId, state, attempts, nextAttemptAt: null };
}

/** A receiver that follows the contract, written without the server's code. */
function isSignedWith(secret: string, { headers, rawBody }: ReceivedRequest): boolean {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-service-signature'])) ?? [];
  return (
    createHmac('sha256', secret)
      .update(Buffer.concat([Buffer.from(`${t}.`), rawBody]))
      .digest('hex') === v1
  );
}

test('a recorded event is posted once, as the contract specifies', async () => {
  await using world = await createDeliveryWorld();
  const { platform, receiver } = world;
  const application = await world.application();
  const msgId = await world.event(application, 'grüezi 😀');
  const sender = world.sender();
  assert.deepEqual(await world.deliver(sender), { delivered: 1 });
  assert.deepEqual(await world.deliver(sender), {});

  assert.equal(receiver.requests.length, 1);
  const [post] = receiver.requests as [ReceivedRequest];
  const sentAt = platform.clock.now();
  const body = JSON.parse(post.rawBody.toString());
  const { from } = body.data;
  const data = { msgId, type: 'text', textMsg: 'grüezi 😀', from, chatId: from, sentAt };
  assert.deepEqual(body, { type: 'message.received', data });
  assert.ok(isSignedWith(application.webhookSecret, post));
  assert.deepEqual(post.headers, {
    'content-type': 'application/json',
    'user-agent': 'Parley-Webhooks/1',
    'x-service-event': 'message.received',
    'x-service-signature': post.headers['x-service-signature'],
    'webhook-id': msgId,
    'webhook-timestamp': String(sentAt / 1000),
    'webhook-signature': post.headers['webhook-signature'],
    'content-length': String(post.rawBody.length),
    host: new URL(receiver.url).host,
    connection: 'keep-alive',
  });
  assert.deepEqual(await world.deliveries(), [ended(msgId, 'delivered', 1)]);
});

test('a receiver that never accepts gets 8 attempts on the exact schedule, whatever Retry-After says, with the same bytes and a new signature', async () => {
  await using world = await createDeliveryWorld();
  const { platform, receiver } = world;
  world.respond = () => ({ status: 503, headers: { 'retry-after': '3600' }, body: 'no' });
  const application = await world.application();
  const msgId = await world.event(application);
  const sender = world.sender();
  for (const [i, seconds] of WAITS_IN_SECONDS.entries()) {
    assert.deepEqual(await world.deliver(sender), { retrying: 1 });
    const nextAttemptAt = platform.clock.now() + seconds * 1000;
    assert.deepEqual(await world.deliveries(), [
      { msgId, state: 'retrying', attempts: i + 1, nextAttemptAt },
    ]);
    platform.clock.advance({ seconds, milliseconds: -1 });
    assert.deepEqual(await world.deliver(sender), {}, 'a millisecond early');
    platform.clock.advance({ milliseconds: 1 });
  }
  assert.deepEqual(await world.deliver(sender), { abandoned: 1 });
  platform.clock.advance({ days: 2 });
  assert.deepEqual(await world.deliver(sender), {});
  assert.deepEqual(await world.deliveries(), [ended(msgId, 'abandoned', 8)]);

  assert.equal(receiver.requests.length, 8);
  assert.equal(new Set(receiver.requests.map(({ rawBody }) => rawBody.toString('hex'))).size, 1);
  assert.equal(new Set(receiver.requests.map(({ headers }) => headers['x-service-signature'])).size, 8);
  assert.equal(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size, 1);
  const times = receiver.requests.map(({ headers }) => Number(headers['webhook-timestamp']));
  const [first = 0] = times;
  assert.deepEqual(
    times.map((time) => time - first),
    [0, 30, 90, 210, 450, 930, 1890, 3810],
  );
  assert.ok(receiver.requests.every((post) => isSignedWith(application.webhookSecret, post)));
});

test('a redirect is a failure and is not followed, and an unreachable receiver is one', async () => {
  await using world = await createDeliveryWorld();
  const [other, gone] = [await world.startReceiver(), await world.startReceiver()];
  world.respond = () => ({ status: 307, headers: { location: other.url } });
  await gone[Symbol.asyncDispose]();
  for (const url of [world.receiver.url, gone.url]) await world.event(await world.application(url));
  assert.deepEqual(await world.deliver(world.sender()), { retrying: 2 });
  assert.deepEqual(other.requests, []);
});

test('an answer that is not complete in time is a failure, even if it began with 200', async () => {
  await using world = await createDeliveryWorld();
  world.respond = (_, __, response) => {
    response.writeHead(200, { 'content-length': 10 }).write('half');
    return undefined;
  };
  await world.event(await world.application());
  assert.deepEqual(await world.deliver(world.sender({ deadlineMs: 50 })), { retrying: 1 });
});

test('a URL that is no longer acceptable is a failure, without a connection', async () => {
  await using world = await createDeliveryWorld();
  await world.event(await world.application());
  assert.deepEqual(await world.deliver(createSender({ ...world.platform, guard: createGuard() })), {
    retrying: 1,
  });
  assert.deepEqual(world.receiver.requests, []);
});

test('a changed URL and a changed secret apply to the next attempt', async () => {
  await using world = await createDeliveryWorld();
  const moved = await world.startReceiver(() => ({}));
  const { platform, receiver } = world;
  world.respond = () => ({ status: 500 });
  const own = await world.application();
  await world.event(own);
  const sender = world.sender();
  await world.deliver(sender);
  await setWebhookUrl(platform, own, moved.url, []);
  const renewed = await regenerateWebhookSecret(platform, own);
  platform.clock.advance({ seconds: 30 });
  assert.deepEqual(await world.deliver(sender), { delivered: 1 });
  assert.equal(receiver.requests.length, 1);
  const [before, after] = [receiver.requests[0], moved.requests[0]] as [ReceivedRequest, ReceivedRequest];
  assert.ok(isSignedWith(own.webhookSecret, before));
  assert.ok(isSignedWith(renewed, after));
  assert.deepEqual(after.rawBody, before.rawBody);
});

test('a slot is free again when its attempt is recorded, and no sooner', async () => {
  await using world = await createDeliveryWorld();
  await world.event(await world.application());
  const sender = world.sender();
  const { total } = sender.queues.limits;
  const free: number[] = [];
  const settle: typeof sender.settle = async (settlement) => {
    free.push(sender.queues.free);
    const isSettled = await sender.settle(settlement);
    free.push(sender.queues.free);
    return isSettled;
  };
  assert.deepEqual(await world.deliver({ ...sender, settle }), { delivered: 1 });
  assert.deepEqual([...free, sender.queues.free], [total - 1, total - 1, total]);
});

test('each of two workers sends for its own applications, without communicating', async () => {
  await using world = await createDeliveryWorld();
  const applications = await Promise.all(Array.from({ length: 6 }, () => world.application()));
  for (const application of applications) for (let i = 0; i < 5; i++) await world.event(application);
  const ranges = [
    { from: 0, to: 512 },
    { from: 512, to: BUCKETS },
  ] as const;
  let expected = 0;
  for (const range of ranges) {
    const { from, to } = range;
    const owns = (appId: string) => bucketOf(appId) >= from && bucketOf(appId) < to;
    const sender = world.sender({ ownership: { ranges: () => [range], owns } });
    await world.deliver(sender);
    expected += 5 * applications.filter(({ appId }) => owns(appId)).length;
    assert.equal(world.receiver.requests.length, expected);
  }
  assert.equal(world.receiver.requests.length, 30);
});

test('an event in progress is not claimed again, and the successor of a dead worker repeats the attempt at once', async () => {
  await using world = await createDeliveryWorld();
  const { receiver } = world;
  const msgId = await world.event(await world.application());
  const dead = world.sender();
  const { promise: late, resolve: answerLate } = Promise.withResolvers<Reply>();
  world.respond = (_, n) => (n === 1 ? late : {});
  const { finished } = await deliverDue(dead, { limit: 1 });
  await receiver.waitFor(1);
  assert.deepEqual(await world.deliver(dead), {});

  assert.deepEqual(await world.deliver(world.sender()), { delivered: 1 });
  assert.deepEqual(receiver.requests[0]?.rawBody, receiver.requests[1]?.rawBody);

  // A late result of the dead worker is ignored.
  answerLate({});
  assert.deepEqual(await finished, { lost: 1 });
  assert.deepEqual(await world.deliveries(), [ended(msgId, 'delivered', 1)]);
});

test('an attempt that cannot be recorded yet is recorded later, and its event is not sent again meanwhile', async () => {
  await using world = await createDeliveryWorld();
  const msgId = await world.event(await world.application());
  const sender = world.sender();
  const { db } = world.platform;
  expectErrors(/relation .*event_attempts.* does not exist/);
  await db`alter table event_attempts rename to event_attempts_away`;
  const delivering = world.deliver(sender);
  await world.receiver.waitFor(1);
  assert.deepEqual(await world.deliver(sender), {});
  await db`alter table event_attempts_away rename to event_attempts`;
  assert.deepEqual(await delivering, { delivered: 1 });
  assert.equal(world.receiver.requests.length, 1);
  assert.deepEqual(await world.deliveries(), [ended(msgId, 'delivered', 1)]);
});

test('a result is recorded only if no other was recorded since the event was claimed', async () => {
  await using world = await createDeliveryWorld();
  const { db, shards } = world.platform;
  await world.event(await world.application());
  const [claimed] = await claim(world);
  assert.ok(claimed);
  const before = await world.deliveries();
  const strangers = [
    { ...claimed, logged: 1 },
    { ...claimed, attempts: 1 },
    { ...claimed, bucket: (claimed.bucket + 1) % BUCKETS },
  ];
  for (const state of ['delivered', 'abandoned'] as const) {
    const said = { state, attempts: 1, nextAttemptAt: null };
    for (const delivery of strangers)
      assert.deepEqual(await db.begin((tx) => settle(tx, [{ delivery, ...said }], shards)), new Set());
  }
  assert.deepEqual(await world.deliveries(), before);
  const entry = { attempt: 1, at: world.platform.clock.now(), status: 200 };
  const said = { delivery: claimed, state: 'delivered', attempts: 1, nextAttemptAt: null, entry } as const;
  assert.deepEqual(await db.begin((tx) => settle(tx, [said], shards)), new Set([claimed.deliveryId]));
  assert.deepEqual(await db.begin((tx) => settle(tx, [said], shards)), new Set(), 'a second time');
  assert.deepEqual([...(await db`select seq, attempt from event_attempts`)], [{ seq: 1, attempt: entry }]);
});

test('an attempt of an event that was parked meanwhile is recorded', async () => {
  await using world = await createDeliveryWorld();
  const { db } = world.platform;
  world.respond = async () => {
    await db`update event_queue set next_attempt_at = null`;
    return {};
  };
  await world.event(await world.application());
  assert.deepEqual(await world.deliver(world.sender()), { delivered: 1 });
  const rows = await db<{ status: string }[]>`select attempt ->> 'status' as status from event_attempts`;
  assert.deepEqual(
    rows.map(({ status }) => status),
    ['200'],
  );
});

test('a claim for one shard takes nothing from the others', async () => {
  await using world = await createDeliveryWorld();
  const { db, clock } = world.platform;
  const application = await world.application();
  for (let i = 0; i < 5; i++) await world.event(application);
  const rows = await db<{ bucket: number }[]>`select bucket from event_queue order by bucket`;
  const [{ bucket } = { bucket: 0 }] = rows;
  const claimed = await findDue(db, {
    ...CLAIM,
    now: clock.now(),
    shards: { isDistributed: true },
    part: [{ bucket }],
  });
  assert.deepEqual(
    claimed.map((event) => event.bucket),
    rows.flatMap((row) => (row.bucket === bucket ? bucket : [])),
  );
});

test('reading shard by shard, an application does not exceed its limit, and an unreadable shard does not affect the others', async () => {
  expectErrors(/out of range for type integer/);
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const applications = [await world.application(), await world.application()];
  const sent: { appId: string; msgIds: string[] }[] = [];
  for (const { appId } of applications) {
    const msgIds: string[] = [];
    for (let i = 0; i < 20; i++) msgIds.push(await world.event({ appId }));
    sent.push({ appId, msgIds });
  }
  const [first, second] = sent.sort((one, other) => bucketOf(one.appId) - bucketOf(other.appId));

  const halves = [0, 1].map((rest) => ALL_BUCKETS.filter(({ bucket }) => bucket % 2 === rest));
  const distributed = asIfDistributed(platform.shards, halves);
  const unreadable = [{ bucket: Number.MAX_SAFE_INTEGER }];
  const shards = { ...distributed, parts: [...distributed.parts, unreadable] };
  const queues = { ...QUEUE_LIMITS, initial: 8, unprovenPerPace: Number.POSITIVE_INFINITY };
  using sender = createSender({ ...platform, shards }, { queues });
  assert.deepEqual(await world.deliver(sender, 12), { delivered: 12 });
  const delivered = (await world.deliveries()).filter(({ state }) => state === 'delivered');
  assert.deepEqual(
    delivered.map(({ msgId }) => msgId).sort(),
    [...(first?.msgIds.slice(0, 8) ?? []), ...(second?.msgIds.slice(0, 4) ?? [])].sort(),
  );
});

test('an application that cannot be read for now does not affect the others, and its node is not asked if it is known to be away', async () => {
  expectErrors(/its node is away/);
  for (const isKnown of [false, true]) {
    await using world = await createDeliveryWorld();
    const { platform } = world;
    const [away, other] = [await world.application(), await world.application()];
    for (const application of [away, other]) await world.event(application);
    const asked = new Set<string>();
    const findForDelivery = async (appIds: string[]) => {
      for (const appId of appIds) asked.add(appId);
      if (appIds.includes(away.appId)) throw new Error('its node is away');
      return platform.applications.findForDelivery(appIds);
    };
    const isAnyAway = async (_table: string, ids: readonly string[]) => isKnown && ids.includes(away.appId);
    const shards = { ...asIfDistributed(platform.shards), isAnyAway };
    const applications = { ...platform.applications, findForDelivery };
    using sender = createSender({ ...platform, shards, applications });
    assert.deepEqual(await world.deliver(sender), { delivered: 1, lost: 1 });
    assert.equal(asked.has(away.appId), !isKnown);
    assert.deepEqual(await world.deliver(world.sender()), { delivered: 1 });
  }
});

test('the result of each attempt is counted for the console', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const application = await world.application();
  using sender = createSender(platform);
  world.respond = (_request, n) => ({ status: n === 1 ? 500 : 200 });
  await world.event(application);
  assert.deepEqual(await world.deliver(sender), { retrying: 1 });
  platform.clock.advance({ seconds: 30 });
  assert.deepEqual(await world.deliver(sender), { delivered: 1 });
  await platform.applications.recorder.flush();
  const rows = await platform.db`
    select sum(requests)::integer as attempts, sum(server_errors)::integer as failed from usage_counts
    where app_id = ${application.appId} and span = 'hour' and caller = 'webhook'`;
  assert.deepEqual({ ...rows[0] }, { attempts: 2, failed: 1 });
});

const CLAIM = { after: FIRST_TURN, before: BUCKETS, usual: 8, offers: new Map(), limit: 10 };

async function claim({ platform }: DeliveryWorld, asked: Partial<Claim> = {}) {
  const { db, clock, shards } = platform;
  const found = await shardAfterShard(shards, (part) =>
    findDue(db, { ...CLAIM, shards, part, now: clock.now(), ...asked }),
  );
  return found.flat();
}

test('an event that is recorded while a claim is still reading is not sent again', async () => {
  await using world = await createDeliveryWorld();
  const { platform, receiver } = world;
  await world.event(await world.application());
  const answer = Promise.withResolvers<object>();
  world.respond = () => answer.promise;
  const sender = world.sender();
  const { finished } = await deliverDue(sender, { limit: 9 });
  await receiver.waitFor(1);
  // Its reads arrive late, as on a busy node.
  const db = new Proxy(platform.db, {
    apply: (tag, self, args) => {
      const read = Reflect.apply(tag, self, args);
      if (!args[0].raw?.join('').includes('queue.app_bucket')) return read;
      return read.then(async (rows: unknown) => {
        answer.resolve({});
        await finished;
        return rows;
      });
    },
  });
  const again = await deliverDue({ ...sender, db }, { limit: 9 });
  assert.deepEqual(await again.finished, {});
  assert.deepEqual(await finished, { delivered: 1 });
  assert.equal(receiver.requests.length, 1);
});
