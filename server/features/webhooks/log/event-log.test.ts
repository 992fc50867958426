import assert from 'node:assert/strict';
import { test } from 'node:test';
import { say } from '#contract/reasons.ts';
import { failure } from '#testing/answers.ts';
import { createDeliveryWorld } from '#testing/delivery-world.ts';
import { openConsole, ownConsole } from '#testing/webhook-console.ts';

function phasesOf(timings: object): string {
  return Object.keys(timings).sort().join(' ');
}

const UNKNOWN = 'dlv_00000000000000000000000a';

test('the log shows each event with its state, attempts, status, latency, error class and next attempt', async (t) => {
  const { world, own, owner } = await ownConsole(t);
  const { clock } = world.platform;
  world.respond = (_, n) => ({ status: n === 1 ? 200 : 503 });
  const sender = world.sender();
  const createdAt = clock.now();
  const first = await world.event(own);
  await world.deliver(sender);
  const second = await world.event(own);
  await world.deliver(sender);
  const third = await world.event(own);

  const { status, body } = await owner.call('GET', '/events');
  assert.equal(status, 200);
  for (const { eventId, latencyMs, state } of body.data) {
    assert.match(eventId, /^dlv_/);
    if (state !== 'pending') assert.ok(latencyMs > 0 && latencyMs < 10_000);
  }
  const type = 'message.received';
  const { host } = new URL(world.receiver.url);
  const shown = (event: number) => ({ eventId: body.data[event].eventId, createdAt, type });
  assert.deepEqual(body, {
    status: 'success',
    message: 'the last 100 events, the newest first',
    timestamp: clock.now(),
    data: [
      { ...shown(0), msgId: third, state: 'pending', attempts: 0, nextAttemptAt: createdAt },
      {
        ...shown(1),
        msgId: second,
        state: 'retrying',
        attempts: 1,
        host,
        status: 503,
        latencyMs: body.data[1].latencyMs,
        errorClass: 'status',
        nextAttemptAt: createdAt + 30_000,
      },
      {
        ...shown(2),
        msgId: first,
        state: 'delivered',
        attempts: 1,
        host,
        status: 200,
        latencyMs: body.data[2].latencyMs,
      },
    ],
  });
  // As they were stored before migration 0157.
  await world.platform.db`update event_attempts set entry = attempt::jsonb, attempt = null`;
  assert.deepEqual((await owner.call('GET', '/events')).body.data, body.data);
});

test('the log has the last 100 events, and the filters select among them', async (t) => {
  const { world, own, owner } = await ownConsole(t);
  const msgIds: string[] = [];
  for (let i = 0; i < 101; i++) msgIds.push(await world.event(own));
  const listed = async (query = '') =>
    (await owner.call('GET', `/events${query}`)).body.data.map(({ msgId }: { msgId: string }) => msgId);
  assert.deepEqual(await listed(), msgIds.slice(1).reverse());
  await world.deliver(world.sender(), 3);
  assert.deepEqual((await listed('?state=delivered')).length, 2, 'the first one is out of the log');
  assert.deepEqual((await listed('?state=pending&type=message.received')).length, 98);
  assert.deepEqual(await listed('?state=failed'), []);
  assert.deepEqual(await listed('?state=abandoned'), []);
  assert.deepEqual(await listed('?type=ping'), []);
  const { status, body } = await owner.call('GET', '/events?state=lost');
  assert.deepEqual(
    [status, body],
    [
      400,
      failure(
        'invalid-argument',
        'state must be one of: unsent, pending, retrying, delivered, abandoned, cancelled, fetched, failed',
      ),
    ],
  );
});

test('an event shows all its attempts with time, response, remedy, and the duration of each phase', async (t) => {
  const { world, own, owner } = await ownConsole(t);
  const { clock } = world.platform;
  const answers = [
    { status: 302, headers: { location: 'http://10.0.0.8/secret' }, body: 'canary-answer' },
    { status: 404, body: 'canary-answer' },
    undefined,
    { status: 204 },
  ];
  world.respond = (_, n) => answers[n - 1];
  const msgId = await world.event(own, 'canary-text');
  const startedAt = clock.now();
  // Only the third attempt lasts until the deadline.
  const sender = world.sender({ deadlineMs: 2_000 });
  for (const seconds of [30, 60, 120, 0]) {
    await world.deliver(sender);
    clock.advance({ seconds });
  }
  const [{ eventId }] = (await owner.call('GET', '/events')).body.data;
  const { status, body } = await owner.call('GET', `/events/${eventId}`);
  assert.equal(status, 200);
  const { attemptLog, ...event } = body.data;
  const { host } = new URL(world.receiver.url);
  const timings = attemptLog.map((attempt: { timings: object }) => attempt.timings);
  assert.deepEqual(event, {
    eventId,
    createdAt: startedAt,
    type: 'message.received',
    msgId,
    state: 'delivered',
    attempts: 4,
    host,
    status: 204,
    latencyMs: timings[3].total,
  });
  assert.deepEqual(attemptLog, [
    {
      attempt: 1,
      number: 1,
      at: startedAt,
      host,
      status: 302,
      errorClass: 'redirect',
      ...say('attempt.redirect', { status: 302 }),
      timings: timings[0],
      answer: attemptLog[0].answer,
    },
    {
      attempt: 2,
      number: 2,
      at: startedAt + 30_000,
      host,
      status: 404,
      errorClass: 'status',
      ...say('attempt.nothing-there', { status: 404 }),
      timings: timings[1],
      answer: attemptLog[1].answer,
    },
    {
      attempt: 3,
      number: 3,
      at: startedAt + 90_000,
      host,
      errorClass: 'timeout',
      phase: 'firstByte',
      ...say('timeout.firstByte'),
      timings: timings[2],
    },
    { attempt: 4, number: 4, at: startedAt + 210_000, host, status: 204, timings: timings[3] },
  ]);
  // The host is an address, so nothing was looked up; the second attempt went over the kept connection.
  assert.deepEqual(timings.map(phasesOf), [
    'connect firstByte tls total',
    'firstByte total',
    'total',
    'connect firstByte tls total',
  ]);
  const [{ row }] = await world.platform.db<
    [{ row: string }]
  >`select string_agg(made::text, '') as row from event_attempts made`;
  const { pathname } = new URL(world.receiver.url);
  for (const secret of ['canary-text', pathname])
    assert.equal(JSON.stringify(body).includes(secret), false, secret);
  for (const secret of ['canary', '10.0.0.8', pathname]) assert.equal(row.includes(secret), false, secret);
});

test('the last 24 attempts of a delivery are kept', async (t) => {
  const { world, own, owner } = await ownConsole(t);
  const { clock, db } = world.platform;
  world.respond = () => ({ status: 500 });
  await world.event(own);
  const sender = world.sender();
  for (let i = 0; i < 26; i++) {
    await world.deliver(sender);
    clock.advance({ hours: 1 });
    if (i % 8 === 7) await db`update event_queue set state = 'pending', attempts = 0, next_attempt_at = 0`;
  }
  const [{ eventId }] = (await owner.call('GET', '/events')).body.data;
  const { attemptLog } = (await owner.call('GET', `/events/${eventId}`)).body.data;
  assert.deepEqual(
    attemptLog.map(({ attempt }: { attempt: number }) => attempt),
    [3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2],
  );
  assert.deepEqual(
    attemptLog.map(({ number }: { number: number }) => number),
    Array.from({ length: 24 }, (_, i) => i + 3),
    'counted on over all replays',
  );
});

test('the events and logs of others, unknown events and unknown applications are 404', async () => {
  await using world = await createDeliveryWorld();
  const [own, other] = [await world.application(), await world.application()];
  await world.event(other);
  await using owner = await openConsole(world, own);
  await using otherOwner = await openConsole(world, other);
  const [{ eventId }] = (await otherOwner.call('GET', '/events')).body.data;
  assert.deepEqual((await owner.call('GET', '/events')).body.data, []);
  const message = 'the log of this application has no such event';
  for (const id of [eventId, UNKNOWN, 'x', 'dlv_x']) {
    const { status, body } = await owner.call('GET', `/events/${id}`);
    assert.deepEqual([status, body], [404, failure('not-found', message)], id);
  }
  await using stranger = await openConsole(world, { actorId: own.actorId, appId: other.appId });
  for (const path of ['/events', `/events/${eventId}`]) {
    const { status, body } = await stranger.call('GET', path);
    assert.deepEqual([status, body.message], [404, 'you have no such application']);
  }
});
