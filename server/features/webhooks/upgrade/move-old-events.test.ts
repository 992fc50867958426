import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeliveryWorld, type DeliveryWorld, type TestApplication } from '#testing/delivery-world.ts';
import { readFeed } from '../feed/event-feed.ts';
import { findLatestEvents } from '../log/event-log.ts';
import { moveOldEvents } from './move-old-events.ts';

interface Old {
  state: string;
  attempts: number;
  nextAttemptAt: number | null;
  log: object[];
  position: number | null;
  leaseOwner: string | null;
}

const OLD: Old = {
  state: 'pending',
  attempts: 0,
  nextAttemptAt: 0,
  log: [],
  position: null,
  leaseOwner: null,
};

/** Writes an event as the previous version does; returns its msgId. */
async function recordOld(world: DeliveryWorld, own: TestApplication, old: Partial<Old>): Promise<string> {
  const { db } = world.platform;
  const { state, attempts, nextAttemptAt, log, position, leaseOwner } = { ...OLD, ...old };
  const msgId = await world.event(own);
  await db`delete from event_queue where delivery_id = (select delivery_id from events where msg_id = ${msgId})`;
  await db`
    insert into deliveries (bucket, delivery_id, app_id, type, msg_id, body, body_key_id, state, attempts, next_attempt_at,
      created_at, attempt_log, feed_position, lease_owner)
    select bucket, delivery_id, app_id, type, msg_id, body, body_key_id, ${state}, ${attempts}::smallint,
      ${nextAttemptAt}::bigint, created_at, ${db.json(log)}, ${position}::bigint, ${leaseOwner}
    from events where msg_id = ${msgId}`;
  await db`delete from events where msg_id = ${msgId}`;
  return msgId;
}

test('events of the previous version are moved, whatever their state', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const own = await world.application();
  const later = platform.clock.now() + 60_000;
  const failed = { attempt: 1, at: 1, status: 500, errorClass: 'status' };
  const msgIds = [
    await recordOld(world, own, {}),
    await recordOld(world, own, { state: 'retrying', attempts: 1, nextAttemptAt: later, log: [failed] }),
    await recordOld(world, own, { state: 'retrying', attempts: 1, nextAttemptAt: null, log: [failed] }),
    await recordOld(world, own, {
      state: 'delivered',
      attempts: 2,
      nextAttemptAt: null,
      log: [failed, { attempt: 2, at: 2, status: 200 }],
    }),
    await recordOld(world, own, { state: 'abandoned', attempts: 8, nextAttemptAt: null, log: [failed] }),
    await recordOld(world, own, { state: 'unsent', nextAttemptAt: null }),
  ];
  const leased = await recordOld(world, own, { nextAttemptAt: later, leaseOwner: 'the version before' });
  await moveOldEvents(platform);
  assert.deepEqual(await world.deliveries(), [
    { msgId: msgIds[0], state: 'pending', attempts: 0, nextAttemptAt: 0 },
    { msgId: msgIds[1], state: 'retrying', attempts: 1, nextAttemptAt: later },
    { msgId: msgIds[2], state: 'retrying', attempts: 1, nextAttemptAt: null },
    { msgId: msgIds[3], state: 'delivered', attempts: 2, nextAttemptAt: null },
    { msgId: msgIds[4], state: 'abandoned', attempts: 8, nextAttemptAt: null },
    { msgId: msgIds[5], state: 'unsent', attempts: 0, nextAttemptAt: null },
  ]);
  assert.equal(
    (await findLatestEvents(platform.db, own.appId, 10)).find(({ msgId }) => msgId === msgIds[3])?.status,
    200,
  );
  const left = await platform.db<{ msgId: string }[]>`select msg_id from deliveries`;
  assert.deepEqual([...left], [{ msgId: leased }], 'its attempt is under way in the version before');
  assert.deepEqual(await world.deliver(world.sender()), { delivered: 1 });
  platform.clock.advance({ seconds: 60 });
  await moveOldEvents(platform);
  assert.deepEqual(await world.deliver(world.sender()), { delivered: 2 });
  assert.equal(world.receiver.requests.length, 3);
});

test('a client that fetches events misses none that has not been moved yet', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const own = await world.application();
  await platform.db`insert into event_feeds (app_id, last_position) values (${own.appId}, 2)`;
  const first = await recordOld(world, own, { state: 'unsent', position: 1 });
  const second = await recordOld(world, own, { state: 'unsent', position: 2 });
  const third = await recordOld(world, own, { state: 'unsent' });
  const fourth = await world.event(own);
  const { events } = await readFeed(platform, own.appId, { after: 0, limit: 9 });
  assert.deepEqual(
    events.map(({ position, body }) => [position, JSON.parse(body.toString()).data.msgId]),
    [
      [1, first],
      [2, second],
      [3, third],
      [4, fourth],
    ],
  );
});
