import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeliveryWorld } from '#testing/delivery-world.ts';
import { raiseAlerts } from './raise-alerts.ts';

test('applications whose events are abandoned all the time keep no other from its alert', async (t) => {
  const world = await createDeliveryWorld();
  t.after(() => world[Symbol.asyncDispose]());
  const { db } = world.platform;
  await db`
    insert into applications (app_id, owner_id, name, state, requests_per_minute, created_at)
    select 'app_' || n, 'usr_1', 'App', 'active', 1, 1 from generate_series(1, 201) as n`;
  const raised: number[] = [];
  for (let round = 0; round < 4; round++) {
    await db`
      insert into event_queue (bucket, delivery_id, app_id, app_bucket, type, state, attempts, logged, created_at)
      select 1, 'dlv_' || n || '_' || ${round}::integer, 'app_' || n, 1, 'message.received', 'abandoned', 8, 8, 1
      from generate_series(1, 201) as n`;
    raised.push(await raiseAlerts(world.platform));
  }
  assert.deepEqual(raised, [100, 100, 1, 0]);
});
