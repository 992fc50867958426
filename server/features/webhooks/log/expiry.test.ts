import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutShard } from '#testing/citus.ts';
import { columnOf } from '#testing/columns.ts';
import { createDeliveryWorld, type DeliveryWorld } from '#testing/delivery-world.ts';
import { withLostShard } from '#testing/lost-shard.ts';
import { readFeed } from '../feed/event-feed.ts';
import { removeExpiredEvents } from './expiry.ts';

/** Stores an event as it would be in that state. */
async function become({ platform: { db } }: DeliveryWorld, state: string, msgId: string): Promise<void> {
  const isQueued = ['pending', 'retrying', 'abandoned', 'cancelled'].includes(state);
  if (isQueued)
    await db`
      update event_queue set state = ${state}
      where delivery_id = (select delivery_id from events where msg_id = ${msgId})`;
  else
    await db`delete from event_queue where delivery_id = (select delivery_id from events where msg_id = ${msgId})`;
  if (state === 'delivered' || state === 'retrying')
    await db`
      insert into event_attempts (bucket, delivery_id, seq, attempt)
      select bucket, delivery_id, 1, '{"attempt":1}' from events where msg_id = ${msgId}`;
}

test('events are deleted after their retention, except those still to be sent', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const application = await world.application();
  const states = ['unsent', 'pending', 'retrying', 'delivered', 'abandoned', 'cancelled'];
  for (const state of states) {
    const msgId = await world.event(application);
    await become(world, state, msgId);
  }
  const left = async () => (await world.deliveries()).map(({ state }) => state);
  platform.clock.advance({ days: 7, milliseconds: -1 });
  await removeExpiredEvents(platform, { limit: 2 });
  assert.deepEqual(await left(), states);
  platform.clock.advance({ milliseconds: 1 });
  await removeExpiredEvents(platform, { limit: 2 });
  assert.deepEqual(await left(), ['pending', 'retrying']);
  const attempts = await platform.db<{ state: string }[]>`
    select state from event_attempts join event_queue using (bucket, delivery_id)`;
  assert.deepEqual(columnOf(attempts, 'state'), ['retrying'], 'with its attempts');
  assert.equal((await platform.db`select from event_attempts`).length, 1);
});

test('deleted events leave no gap at which a reader would stop', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const application = await world.application();
  const read = async (after: number) =>
    (await readFeed(platform, application.appId, { after, limit: 9 })).events.map(({ position }) => position);
  for (let i = 0; i < 3; i++) await world.event(application);
  await platform.db`delete from event_queue`;
  assert.deepEqual(await read(0), [1, 2, 3]);
  platform.clock.advance({ days: 7 });
  await world.event(application);
  await removeExpiredEvents(platform, { limit: 100 });
  assert.deepEqual(await read(1), [4]);
  assert.deepEqual(await read(0), [4]);
  await platform.db`delete from events`;
  assert.deepEqual(await read(4), []);
});

test('a day of events is dropped as a whole, except for those still to be sent', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const { db } = platform;
  const application = await world.application();
  await removeExpiredEvents(platform, { limit: 100 });
  platform.clock.advance({ days: 1 });
  const [sent, open] = [await world.event(application), await world.event(application)];
  await become(world, 'delivered', sent);
  const places = async () =>
    (
      await db<
        { partition: string }[]
      >`select tableoid::regclass::text as partition from events order by delivery_id`
    ).map(({ partition }) => withoutShard(partition));
  assert.deepEqual(await places(), ['events_2026_11_22', 'events_2026_11_22']);
  platform.clock.advance({ days: 8 });
  await removeExpiredEvents(platform, { limit: 100 });
  assert.deepEqual(await places(), ['events_other']);
  assert.deepEqual([...(await db`select from event_attempts`)], []);
  assert.deepEqual(await world.deliver(world.sender()), { delivered: 1 });
  assert.deepEqual(
    world.receiver.requests.map(({ headers }) => headers['webhook-id']),
    [open],
  );
});

test('on Citus an unreachable shard does not delay expiry in the others', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const application = await world.application();
  await become(world, 'abandoned', await world.event(application));
  platform.clock.advance({ days: 7 });
  const deps = { ...platform, shards: withLostShard(platform.shards) };
  await assert.rejects(removeExpiredEvents(deps, { limit: 2 }), AggregateError);
  assert.deepEqual([...(await platform.db`select from event_queue`)], []);
});
