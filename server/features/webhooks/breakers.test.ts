import assert from 'node:assert/strict';
import { test } from 'node:test';
import { say } from '#contract/reasons.ts';
import { disableApplication } from '#features/applications/life-cycle.ts';
import { setWebhookUrl } from '#features/applications/settings.ts';
import { createDeliveryWorld, type DeliveryWorld, type TestApplication } from '#testing/delivery-world.ts';
import { FAILURES_TO_OPEN, failAllOverdue, findOpenBreakers, PROBE_FIRST_MS } from './breakers.ts';
import type { Sender } from './delivery/sender.ts';
import { showEvent } from './log/event-log.ts';
import { createWebhookApplicationHook } from './own-target.ts';
import { replayEvent } from './tasks/replay.ts';

/** An application whose breaker is open after many refusals, and whose queue is empty. */
async function withOpenBreaker(
  world: DeliveryWorld,
  sender: Sender,
  given?: TestApplication,
): Promise<TestApplication> {
  const application = given ?? (await world.application());
  world.respond = () => ({ status: 500 });
  for (let i = 0; i < FAILURES_TO_OPEN; i++) await world.event(application);
  assert.deepEqual(await world.deliver(sender), { retrying: FAILURES_TO_OPEN });
  assert.equal(sender.breakers.allowance(application.appId), 1);
  for (const table of ['event_queue', 'events'])
    await world.platform.db`delete from ${world.platform.db(table)}`;
  return application;
}

async function states(world: DeliveryWorld): Promise<string> {
  const rows = await world.deliveries();
  return rows.map(({ state, attempts }) => `${state} ${attempts}`).join(', ');
}

async function findNextDue({ platform }: DeliveryWorld): Promise<number | null> {
  const [row] = await platform.db<{ dueAt: number | null }[]>`
    select min(next_attempt_at) as due_at from event_queue`;
  return row?.dueAt ?? null;
}

test('consecutive failed attempts open the breaker, and a success in between restarts the count', async () => {
  await using world = await createDeliveryWorld();
  const sender = world.sender();
  const application = await world.application();
  let isFailing = true;
  world.respond = () => ({ status: isFailing ? 503 : 200 });
  const post = async (count: number) => {
    for (let i = 0; i < count; i++) {
      await world.event(application);
      await world.deliver(sender);
    }
  };
  await post(FAILURES_TO_OPEN - 1);
  isFailing = false;
  await post(1);
  isFailing = true;
  await post(FAILURES_TO_OPEN - 1);
  assert.equal(sender.breakers.allowance(application.appId), undefined);
  await post(1);
  assert.equal(sender.breakers.allowance(application.appId), 1);
});

test('the count starts over at a new URL', async () => {
  await using world = await createDeliveryWorld();
  const sender = world.sender();
  const application = await world.application();
  world.respond = () => ({ status: 503 });
  for (const path of ['', '/new']) {
    await setWebhookUrl(world.platform, application, `${world.receiver.url}${path}`, []);
    for (let i = 1; i < FAILURES_TO_OPEN; i++) await world.event(application);
    await world.deliver(sender);
  }
  assert.equal(sender.breakers.allowance(application.appId), undefined);
});

test('while it is open one event is sent at a time, and other due events fail without a connection', async () => {
  await using world = await createDeliveryWorld();
  const { platform, receiver } = world;
  const sender = world.sender();
  const application = await withOpenBreaker(world, sender);
  const before = receiver.requests.length;
  const msgIds: string[] = [];
  for (let i = 0; i < 5; i++) msgIds.push(await world.event(application));
  assert.deepEqual(await world.deliver(sender), { retrying: 1 });
  assert.equal(receiver.requests.length, before + 1, 'the probe');
  assert.equal(await failAllOverdue(sender), 0, 'a probe comes first');
  platform.clock.advance({ milliseconds: PROBE_FIRST_MS });
  assert.equal(await failAllOverdue(sender), 4);
  assert.equal(receiver.requests.length, before + 1);
  const nextAttemptAt = platform.clock.now() + 30_000;
  const rows = await world.deliveries();
  assert.deepEqual(
    rows.slice(1),
    msgIds.slice(1).map((msgId) => ({ msgId, state: 'retrying', attempts: 1, nextAttemptAt })),
  );
  const [{ deliveryId } = assert.fail()] = await platform.db<{ deliveryId: string }[]>`
    select delivery_id from events where msg_id = ${msgIds[1] as string}`;
  const event = await showEvent(platform, application, deliveryId);
  assert.equal(event.errorClass, 'circuit_open');
  const made = { attempt: 1, number: 1, at: platform.clock.now(), errorClass: 'circuit_open' };
  assert.deepEqual(event.attemptLog, [{ ...made, ...say('attempt.circuit-open') }]);
});

test('two that are open have a probe each, and fail by themselves', async () => {
  await using world = await createDeliveryWorld();
  const sender = world.sender();
  const applications = [await withOpenBreaker(world, sender), await withOpenBreaker(world, sender)];
  for (const application of applications) for (let i = 0; i < 3; i++) await world.event(application);
  assert.deepEqual(await world.deliver(sender), { retrying: 2 });
  world.platform.clock.advance({ milliseconds: PROBE_FIRST_MS });
  assert.equal(await failAllOverdue(sender), 4);
});

test('the first success closes it, and all events are sent again', async () => {
  await using world = await createDeliveryWorld();
  const sender = world.sender();
  const application = await withOpenBreaker(world, sender);
  for (let i = 0; i < 4; i++) await world.event(application);
  world.respond = () => ({});
  assert.deepEqual(await world.deliver(sender), { delivered: 1 });
  assert.equal(sender.breakers.allowance(application.appId), undefined);
  assert.deepEqual([...(await world.platform.db`select app_id from open_breakers`)], []);
  world.platform.clock.advance({ seconds: 10 });
  assert.equal(await failAllOverdue(sender), 0);
  assert.deepEqual(await world.deliver(sender), { delivered: 2 }, 'more and more at once');
  assert.deepEqual(await world.deliver(sender), { delivered: 1 });
});

test('every event has its 8 attempts on the schedule, is abandoned in time, and can be sent again', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const { clock } = platform;
  const sender = world.sender();
  const application = await withOpenBreaker(world, sender);
  // Longer than one slice.
  const events = 1_200;
  for (let i = 0; i < events; i++) await world.event(application);
  const begunAt = clock.now();
  for (let dueAt = await findNextDue(world); dueAt !== null; dueAt = await findNextDue(world)) {
    clock.advance({ milliseconds: Math.max(0, dueAt - clock.now()) });
    await world.deliver(sender);
    clock.advance({ milliseconds: PROBE_FIRST_MS });
    await failAllOverdue(sender);
  }
  const [row] = await platform.db<{ abandoned: number; attempts: number }[]>`
    select count(*)::integer as abandoned, min(attempts)::integer as attempts
    from event_queue where state = 'abandoned'`;
  assert.deepEqual([row?.abandoned, row?.attempts], [events, 8]);
  const [made] = await platform.db<{ latest: number }[]>`
    select max((attempt ->> 'at')::bigint) as latest from event_attempts`;
  assert.ok(((made?.latest ?? 0) - begunAt) / 60_000 < 75);

  const [{ deliveryId } = assert.fail()] = await platform.db<{ deliveryId: string }[]>`
    select delivery_id from events order by delivery_id desc limit 1`;
  await replayEvent(platform, application, deliveryId);
  world.respond = () => ({});
  assert.deepEqual(await world.deliver(sender), { delivered: 1 });
});

test('an open breaker survives a restart, and the application’s worker learns when it is closed', async () => {
  await using world = await createDeliveryWorld();
  const application = await withOpenBreaker(world, world.sender());
  const next = world.sender();
  await next.breakers.refresh();
  assert.equal(next.breakers.allowance(application.appId), 1);
  await world.event(application);
  const elsewhere = world.sender({ ownership: { ranges: () => [], owns: () => false } });
  await elsewhere.breakers.refresh();
  world.platform.clock.advance({ minutes: 5 });
  assert.equal(await failAllOverdue(elsewhere), 0, 'not its own');
  world.respond = () => ({});
  assert.deepEqual(await world.deliver(next), { delivered: 1 });
  await elsewhere.breakers.refresh();
  assert.equal(elsewhere.breakers.allowance(application.appId), undefined);
});

test('an attempt in progress does not count as failed', async () => {
  await using world = await createDeliveryWorld();
  const sender = world.sender();
  const application = await withOpenBreaker(world, sender);
  const answer = Promise.withResolvers<object>();
  world.respond = () => answer.promise;
  const before = world.receiver.requests.length;
  await world.event(application);
  const probing = world.deliver(sender);
  await world.receiver.waitFor(before + 1);
  world.platform.clock.advance({ milliseconds: PROBE_FIRST_MS });
  assert.equal(await failAllOverdue(sender), 0);
  answer.resolve({});
  assert.deepEqual(await probing, { delivered: 1 });
});

test('a new webhook URL is a new endpoint: its breaker is closed', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const sender = world.sender();
  const application = await withOpenBreaker(world, sender);
  const elsewhere = await world.startReceiver();
  await setWebhookUrl(platform, application, elsewhere.url, [createWebhookApplicationHook(platform)]);
  await sender.breakers.refresh();
  assert.equal(sender.breakers.allowance(application.appId), undefined);
  world.respond = () => ({ status: 500 });
  await world.event(application);
  await world.deliver(sender);
  assert.equal(sender.breakers.allowance(application.appId), undefined, 'one failure is the first again');

  await withOpenBreaker(world, world.sender(), application);
  await platform.applications.changeWebhookUrl(application, null);
  assert.deepEqual(await findOpenBreakers(platform.db), [], 'it goes with the URL');
});

test('events of a disabled application keep their attempts', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const sender = world.sender();
  const application = await withOpenBreaker(world, sender);
  for (let i = 0; i < 3; i++) await world.event(application);
  await disableApplication(platform, application);
  platform.clock.advance({ minutes: 5 });
  assert.equal(await failAllOverdue(sender), 0);
  assert.equal(await states(world), 'pending 0, pending 0, pending 0');
});
