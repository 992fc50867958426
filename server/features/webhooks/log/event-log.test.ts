import assert from 'node:assert/strict';
import { test } from 'node:test';
import { say } from '#contract/reasons.ts';
import { invalid, missing, plain, success } from '#testing/answers.ts';
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
  const attempted = (event: number) => ({ attempts: 1, host, latencyMs: body.data[event].latencyMs });
  const failed = { status: 503, errorClass: 'status', nextAttemptAt: createdAt + 30_000 };
  const events = [
    { ...shown(0), msgId: third, state: 'pending', attempts: 0, nextAttemptAt: createdAt },
    { ...shown(1), msgId: second, state: 'retrying', ...attempted(1), ...failed },
    { ...shown(2), msgId: first, state: 'delivered', ...attempted(2), status: 200 },
  ];
  assert.deepEqual(body, success('the last 100 events, the newest first', events, clock.now()));
  const forVersion02 = [...(await world.platform.db`select distinct entry from event_attempts`)];
  assert.deepEqual(forVersion02, [{ entry: { at: 0, attempt: 1 } }], 'seen by version 0.2');
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
  const states = 'unsent, pending, retrying, delivered, abandoned, cancelled, fetched, failed';
  const refused = plain(await owner.call('GET', '/events?state=lost'));
  assert.deepEqual(refused, invalid(`state must be one of: ${states}`));
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
  const [recorded, latencyMs] = [
    { eventId, createdAt: startedAt, type: 'message.received', msgId },
    timings[3].total,
  ];
  assert.deepEqual(event, { ...recorded, state: 'delivered', attempts: 4, host, status: 204, latencyMs });
  const expected = [
    [0, { status: 302, errorClass: 'redirect', ...say('attempt.redirect', { status: 302 }) }],
    [30_000, { status: 404, errorClass: 'status', ...say('attempt.nothing-there', { status: 404 }) }],
    [90_000, { errorClass: 'timeout', phase: 'firstByte', ...say('timeout.firstByte') }],
    [210_000, { status: 204 }],
  ] as const;
  for (const [i, [after, result]] of expected.entries()) {
    const { answer, ...made } = attemptLog[i];
    const key = { attempt: i + 1, number: i + 1, at: startedAt + after, host };
    assert.deepEqual(made, { ...key, ...result, timings: timings[i] });
    assert.equal(answer !== undefined, i < 2, 'of a failure with an answer');
  }
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
  const unknown = missing('the log of this application has no such event');
  for (const id of [eventId, UNKNOWN, 'x', 'dlv_x'])
    assert.deepEqual(plain(await owner.call('GET', `/events/${id}`)), unknown, id);
  await using stranger = await openConsole(world, { actorId: own.actorId, appId: other.appId });
  for (const path of ['/events', `/events/${eventId}`]) {
    const { status, body } = await stranger.call('GET', path);
    assert.deepEqual([status, body.message], [404, 'you have no such application']);
  }
});
