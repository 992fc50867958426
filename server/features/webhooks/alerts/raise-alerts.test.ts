import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeliveryWorld } from '#testing/delivery-world.ts';
import { raiseAlerts } from './raise-alerts.ts';

test('applications whose events are abandoned all the time keep no other from its alert', async (t) => {
  const world = await createDeliveryWorld();
  t.after(() => world[Symbol.asyncDispose]());
  const { platform } = world;
  const { db, clock, newId } = platform;
  const appIds = Array.from({ length: 201 }, () => newId('app'));
  const abandonOneOfEach = async () => {
    const now = clock.now();
    await db`
      insert into applications ${db(
        appIds.map((appId) => ({
          ...{
            appId,
            ownerId: newId('usr'),
            name: 'App',
            state: 'active',
            requestsPerMinute: 1,
            createdAt: now,
          },
        })),
      )} on conflict do nothing`;
    await db`
      insert into event_queue ${db(
        appIds.map((appId) => ({
          ...{ bucket: 1, deliveryId: newId('dlv'), appId, appBucket: 1, type: 'message.received' },
          ...{ state: 'abandoned', attempts: 8, logged: 8, createdAt: now },
        })),
      )}`;
  };
  const raised: number[] = [];
  for (let round = 0; round < 4; round++) {
    await abandonOneOfEach();
    raised.push(await raiseAlerts(platform));
  }
  assert.deepEqual(raised, [100, 100, 1, 0]);
});
