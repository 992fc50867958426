import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deleteApplication,
  disableApplication,
  reactivateApplication,
} from '#features/applications/life-cycle.ts';
import { lockAnyApplication } from '#features/applications/service.ts';
import { createDeliveryWorld, type DeliveryWorld, type TestApplication } from '#testing/delivery-world.ts';
import { createWebhookApplicationHook } from '../own-target.ts';
import { upsertTask } from './queries.ts';
import { workOnTasks } from './work.ts';

const EVENTS = 3_500;

/** An application with many more open events than one slice holds: due, waiting for a retry, and parked. */
async function withManyEvents(world: DeliveryWorld): Promise<TestApplication> {
  const application = await world.application();
  await world.event(application);
  const { db, clock } = world.platform;
  await db`
    insert into events (bucket, delivery_id, app_id, type, msg_id, body, body_key_id, created_at)
    select n % 1024, 'dlv_' || n, app_id, type, msg_id, body, body_key_id, created_at
    from events cross join generate_series(2, ${EVENTS}::integer) as n`;
  await db`
    insert into event_queue (bucket, delivery_id, app_id, app_bucket, type, state, attempts, logged,
      next_attempt_at, created_at)
    select n % 1024, 'dlv_' || n, app_id, app_bucket, type,
      case when n % 3 = 1 then 'retrying' else 'pending' end, n % 3, n % 3,
      case n % 3 when 0 then ${clock.now()} when 1 then ${clock.now() + 3_600_000} end::bigint, created_at
    from event_queue cross join generate_series(2, ${EVENTS}::integer) as n`;
  return application;
}

async function count({ platform }: DeliveryWorld, own: TestApplication): Promise<Record<string, number>> {
  const [row] = await platform.db<{ cancelled: number; parked: number; due: number; waiting: number }[]>`
    select count(*) filter (where state = 'cancelled')::integer as cancelled,
      count(*) filter (where state <> 'cancelled' and next_attempt_at is null)::integer as parked,
      count(*) filter (where next_attempt_at <= ${platform.clock.now()})::integer as due,
      count(*) filter (where next_attempt_at > ${platform.clock.now()})::integer as waiting
    from event_queue where app_id = ${own.appId}`;
  return { ...row };
}

test('deleting an application answers after a slice of its events, and a worker cancels the rest', async () => {
  await using world = await createDeliveryWorld();
  const [own, other] = [await withManyEvents(world), await world.application()];
  await world.event(other);
  await deleteApplication(world.platform, own, [createWebhookApplicationHook(world.platform)]);
  const { cancelled } = await count(world, own);
  assert.ok(cancelled !== undefined && cancelled > 0 && cancelled < EVENTS, String(cancelled));
  await workOnTasks(world.platform);
  assert.deepEqual(await count(world, own), { cancelled: EVENTS, parked: 0, due: 0, waiting: 0 });
  assert.deepEqual(await count(world, other), { cancelled: 0, parked: 0, due: 1, waiting: 0 });
  assert.deepEqual([...(await world.platform.db`select app_id from event_tasks`)], []);
});

test('another worker continues the task of a worker that died', async () => {
  await using world = await createDeliveryWorld();
  const own = await withManyEvents(world);
  await deleteApplication(world.platform, own, []);
  const { deleted } = createWebhookApplicationHook(world.platform);
  await world.platform.db.begin(async (tx) => {
    const application = await lockAnyApplication(tx, own.appId);
    await deleted?.(tx, { ...application, at: world.platform.clock.now() });
  });
  let statements = 0;
  const begin = world.platform.db.begin.bind(world.platform.db);
  const db = new Proxy(world.platform.db, {
    get(target, name) {
      if (name !== 'begin') return Reflect.get(target, name);
      return (...args: Parameters<typeof begin>) => {
        if (statements++ > 1) throw new Error('killed');
        return begin(...args);
      };
    },
  });
  await assert.rejects(workOnTasks({ ...world.platform, db }), ({ errors }: AggregateError) => {
    assert.deepEqual(errors.map(String), ['Error: killed']);
    return true;
  });
  const { cancelled } = await count(world, own);
  assert.ok(cancelled !== undefined && cancelled > 0 && cancelled < EVENTS, String(cancelled));
  await workOnTasks(world.platform);
  assert.equal((await count(world, own))['cancelled'], EVENTS);
});

test('due events of a disabled application are parked slice by slice, and continue when it is active again', async () => {
  await using world = await createDeliveryWorld();
  const own = await withManyEvents(world);
  const before = await count(world, own);
  await disableApplication(world.platform, own);
  const sender = world.sender();
  while ((await world.deliver(sender)).parked);
  const { due = 0, parked = 0, waiting = 0 } = before;
  assert.deepEqual(await count(world, own), { cancelled: 0, parked: due + parked, due: 0, waiting });
  assert.deepEqual(world.receiver.requests, []);
  await reactivateApplication(world.platform, own, [createWebhookApplicationHook(world.platform)]);
  await workOnTasks(world.platform);
  assert.deepEqual(await count(world, own), { cancelled: 0, parked: 0, due: due + parked, waiting });
});

test('a task that fails, for example because a node is unreachable, does not delay others', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const [own, other] = [await world.application(), await world.application()];
  for (const application of [own, other]) await world.event(application);
  for (const application of [own, other]) await deleteApplication(platform, application, []);
  const requestedAt = platform.clock.now();
  for (const { appId } of [own, other])
    await platform.db.begin((tx) =>
      upsertTask(tx, { appId, kind: 'follow-state', requestedAt, since: null }),
    );
  const applications = {
    findEventReceivers: ([appId]: string[]) =>
      appId === own.appId ? Promise.reject(new Error('away')) : Promise.resolve([]),
  };
  await assert.rejects(workOnTasks({ ...platform, applications }), AggregateError);
  assert.deepEqual(
    [(await count(world, own))['cancelled'], (await count(world, other))['cancelled']],
    [0, 1],
  );
});
