import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { regenerateWebhookSecret } from '#features/applications/renew-secrets.ts';
import { setWebhookUrl } from '#features/applications/settings.ts';
import type { Database } from '#platform/database.ts';
import { createGuard } from '#platform/safe-fetch/guard.ts';
import { createDeliveryWorld } from '#testing/delivery-world.ts';
import type { ReceivedRequest } from '#testing/receiver.ts';
import { type Claim, claimDeliveries, type Settlement, settleDeliveries } from '../queries.ts';
import { deliverDue } from './deliver-due.ts';
import { createSender } from './sender.ts';

const WAITS_IN_SECONDS = [30, 60, 120, 240, 480, 960, 1920];

/** A receiver as the contract has it, written without the server's code. */
function isSignedWith(secret: string, { headers, rawBody }: ReceivedRequest): boolean {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-service-signature'])) ?? [];
  return (
    createHmac('sha256', secret)
      .update(Buffer.concat([Buffer.from(`${t}.`), rawBody]))
      .digest('hex') === v1
  );
}

test('a recorded event is posted as the contract says, once', async () => {
  await using world = await createDeliveryWorld();
  const { platform, receiver } = world;
  const application = await world.application();
  const msgId = await world.event(application, 'grüezi 😀');
  const sender = world.sender();
  assert.deepEqual(await world.deliver(sender), { delivered: 1 });
  assert.deepEqual(await world.deliver(sender), {});

  assert.equal(receiver.requests.length, 1);
  const [post] = receiver.requests as [ReceivedRequest];
  const seconds = String(platform.clock.now() / 1000);
  const { type, data } = JSON.parse(post.rawBody.toString());
  assert.deepEqual(
    { type, data },
    {
      type: 'message.received',
      data: {
        msgId,
        type: 'text',
        textMsg: 'grüezi 😀',
        from: data.from,
        chatId: data.from,
        sentAt: platform.clock.now(),
      },
    },
  );
  assert.ok(isSignedWith(application.webhookSecret, post));
  assert.deepEqual(post.headers, {
    'content-type': 'application/json',
    'user-agent': 'Parley-Webhooks/1',
    'x-service-event': 'message.received',
    'x-service-signature': post.headers['x-service-signature'],
    'webhook-id': msgId,
    'webhook-timestamp': seconds,
    'webhook-signature': post.headers['webhook-signature'],
    'content-length': String(post.rawBody.length),
    host: new URL(receiver.url).host,
    connection: 'keep-alive',
  });
  assert.deepEqual(await world.deliveries(), [
    { msgId, state: 'delivered', attempts: 1, nextAttemptAt: null, isLeased: false },
  ]);
});

test('a receiver that never accepts gets 8 attempts on the exact schedule, the same bytes signed afresh', async () => {
  await using world = await createDeliveryWorld();
  const { platform, receiver } = world;
  world.respond = () => ({ status: 500, body: 'no' });
  const application = await world.application();
  const msgId = await world.event(application);
  const sender = world.sender();
  for (const [i, seconds] of WAITS_IN_SECONDS.entries()) {
    assert.deepEqual(await world.deliver(sender), { retrying: 1 });
    const nextAttemptAt = platform.clock.now() + seconds * 1000;
    assert.deepEqual(await world.deliveries(), [
      { msgId, state: 'retrying', attempts: i + 1, nextAttemptAt, isLeased: false },
    ]);
    platform.clock.advance({ seconds, milliseconds: -1 });
    assert.deepEqual(await world.deliver(sender), {}, 'a millisecond early');
    platform.clock.advance({ milliseconds: 1 });
  }
  assert.deepEqual(await world.deliver(sender), { abandoned: 1 });
  platform.clock.advance({ days: 2 });
  assert.deepEqual(await world.deliver(sender), {});
  assert.deepEqual(await world.deliveries(), [
    { msgId, state: 'abandoned', attempts: 8, nextAttemptAt: null, isLeased: false },
  ]);

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

test('a retry that is accepted delivers, after 30 s whatever Retry-After said', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  world.respond = (_, n) => (n === 1 ? { status: 503, headers: { 'retry-after': '3600' } } : {});
  const msgId = await world.event(await world.application());
  const sender = world.sender();
  assert.deepEqual(await world.deliver(sender), { retrying: 1 });
  platform.clock.advance({ seconds: 30 });
  assert.deepEqual(await world.deliver(sender), { delivered: 1 });
  assert.deepEqual(await world.deliveries(), [
    { msgId, state: 'delivered', attempts: 2, nextAttemptAt: null, isLeased: false },
  ]);
});

test('a redirect is a failure and is not followed', async () => {
  await using world = await createDeliveryWorld();
  const other = await world.startReceiver();
  world.respond = () => ({ status: 307, headers: { location: other.url } });
  await world.event(await world.application());
  assert.deepEqual(await world.deliver(world.sender()), { retrying: 1 });
  assert.deepEqual(other.requests, []);
});

test('an answer that does not come whole in time is a failure, though it began with 200', async () => {
  await using world = await createDeliveryWorld();
  world.respond = (_, __, response) => {
    response.writeHead(200, { 'content-length': 10 }).write('half');
    return undefined;
  };
  await world.event(await world.application());
  assert.deepEqual(await world.deliver(world.sender({ deadlineMs: 50 })), { retrying: 1 });
});

test('a receiver that is not there is a failure', async () => {
  await using world = await createDeliveryWorld();
  const gone = await world.startReceiver();
  const application = await world.application(gone.url);
  await gone[Symbol.asyncDispose]();
  await world.event(application);
  assert.deepEqual(await world.deliver(world.sender()), { retrying: 1 });
});

test('a URL that is not acceptable any more is a failure and is not dialled', async () => {
  await using world = await createDeliveryWorld();
  await world.event(await world.application());
  assert.deepEqual(await world.deliver(createSender({ ...world.platform, guard: createGuard() })), {
    retrying: 1,
  });
  assert.deepEqual(world.receiver.requests, []);
});

test('a changed URL and a changed secret serve the next attempt', async () => {
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

test('a damaged row is a failed attempt and does not hold up the others', async () => {
  await using world = await createDeliveryWorld();
  const { db } = world.platform;
  const application = await world.application();
  const damaged = await world.event(application);
  await world.event(application);
  await db`update deliveries set body = set_byte(body, 30, get_byte(body, 30) # 1) where msg_id = ${damaged}`;
  assert.deepEqual(await world.deliver(world.sender()), { retrying: 1, delivered: 1 });
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

test('of two workers at once each attempt has exactly one', async () => {
  await using world = await createDeliveryWorld();
  const applications = [await world.application(), await world.application(), await world.application()];
  for (let i = 0; i < 40; i++) for (const application of applications) await world.event(application);
  const senders = [world.sender(), world.sender(), world.sender()];
  let delivered = 0;
  while (delivered < 120) {
    const counts = await Promise.all(senders.map((sender) => world.deliver(sender, 10)));
    for (const count of counts) delivered += count.delivered ?? 0;
  }
  assert.equal(delivered, 120);
  assert.equal(world.receiver.requests.length, 120);
  assert.equal(new Set(world.receiver.requests.map(({ headers }) => headers['webhook-id'])).size, 120);
});

test('a worker that died after its claim: another one makes the same attempt within 30 s', async () => {
  await using world = await createDeliveryWorld();
  const { platform, receiver } = world;
  const msgId = await world.event(await world.application());
  const dead = world.sender();
  world.respond = (_, n) => (n === 1 ? undefined : {});
  const { finished } = await deliverDue(dead, { limit: 1 });
  await receiver.waitFor(1);

  const heir = world.sender();
  platform.clock.advance({ seconds: 14, milliseconds: 999 });
  assert.deepEqual(await world.deliver(heir), {}, 'the lease still holds');
  platform.clock.advance({ milliseconds: 1 });
  assert.deepEqual(await world.deliver(heir), { delivered: 1 });
  assert.deepEqual(receiver.requests[0]?.rawBody, receiver.requests[1]?.rawBody);

  // A late result of the dead worker is ignored.
  dead[Symbol.dispose]();
  assert.deepEqual(await finished, { lost: 1 });
  assert.deepEqual(await world.deliveries(), [
    { msgId, state: 'delivered', attempts: 1, nextAttemptAt: null, isLeased: false },
  ]);
});

test('only the holder of the lease can settle, and only the attempt it claimed', async () => {
  await using world = await createDeliveryWorld();
  const { db, clock } = world.platform;
  await world.event(await world.application());
  const [claimed] = await claim(db, {
    afterAppId: '',
    now: clock.now(),
    leaseOwner: 'me',
    leaseEndsAt: clock.now() + 15_000,
    usual: 8,
    free: new Map(),
    limit: 10,
  });
  assert.ok(claimed);
  const before = await world.deliveries();
  const said = { state: 'delivered', attempts: 1, nextAttemptAt: null } as const;
  const strangers = [
    { ...claimed, leaseOwner: 'somebody else' },
    { ...claimed, attempts: 1 },
    { ...claimed, bucket: (claimed.bucket + 1) % 1024 },
  ];
  for (const delivery of strangers) assert.deepEqual(await settle(db, [{ delivery, ...said }]), []);
  assert.deepEqual(await world.deliveries(), before);
  assert.deepEqual(await settle(db, [{ delivery: claimed, ...said }]), [claimed.deliveryId]);
  assert.deepEqual(await settle(db, [{ delivery: claimed, ...said }]), [], 'a second time');
});

test('a claim for one shard takes nothing from the others', async () => {
  await using world = await createDeliveryWorld();
  const { db, clock } = world.platform;
  const application = await world.application();
  for (let i = 0; i < 5; i++) await world.event(application);
  const rows = await db<{ bucket: number }[]>`select bucket from deliveries order by bucket`;
  const buckets = [rows[0]?.bucket as number, rows[3]?.bucket as number];
  const claimed = await claim(db, {
    buckets,
    afterAppId: '',
    now: clock.now(),
    leaseOwner: 'me',
    leaseEndsAt: clock.now() + 15_000,
    usual: 8,
    free: new Map(),
    limit: 10,
  });
  const wanted = rows.map(({ bucket }) => bucket).filter((bucket) => buckets.includes(bucket));
  assert.deepEqual(
    claimed.map(({ bucket }) => bucket).sort((one, other) => one - other),
    wanted,
  );
});

test('an attempt that could outlast its lease does not begin', async () => {
  await using world = await createDeliveryWorld();
  const { platform, receiver } = world;
  const msgId = await world.event(await world.application());
  const sender = world.sender();
  // The clock jumps by 6 s between the claim and the attempt, as when the machine was asleep.
  let reads = 0;
  const clock = { now: () => platform.clock.now() + (reads++ < 2 ? 0 : 6_000) };
  assert.deepEqual(await world.deliver({ ...sender, clock }), { released: 1 });
  assert.deepEqual(receiver.requests, []);
  const nextAttemptAt = platform.clock.now() + 6_000;
  assert.deepEqual(await world.deliveries(), [
    { msgId, state: 'pending', attempts: 0, nextAttemptAt, isLeased: false },
  ]);
});

test('how each attempt fared is counted for the console', async () => {
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

function claim(db: Database, asked: Claim) {
  return db.write((tx) => claimDeliveries(tx, asked));
}

function settle(db: Database, settlements: Settlement[]) {
  return db.write((tx) => settleDeliveries(tx, settlements));
}
