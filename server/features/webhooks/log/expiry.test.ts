import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeliveryWorld } from '#testing/delivery-world.ts';
import { readFeed } from '../feed/event-feed.ts';
import { removeExpiredEvents } from './expiry.ts';

test('events are forgotten when their days are over, but not what is still to be sent', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const application = await world.application();
  const states = ['unsent', 'pending', 'retrying', 'delivered', 'abandoned', 'cancelled'];
  for (const state of states) {
    const msgId = await world.event(application);
    await platform.db`update deliveries set state = ${state} where msg_id = ${msgId}`;
  }
  const left = async () => (await world.deliveries()).map(({ state }) => state);
  platform.clock.advance({ days: 7, milliseconds: -1 });
  await removeExpiredEvents(platform, { limit: 2 });
  assert.deepEqual(await left(), states);
  platform.clock.advance({ milliseconds: 1 });
  await removeExpiredEvents(platform, { limit: 2 });
  assert.deepEqual(await left(), ['pending', 'retrying']);
});

test('what is forgotten leaves no hole in which a reader would stay', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const application = await world.application();
  const read = async (after: number) =>
    (await readFeed(platform, application.appId, { after, limit: 9 })).events.map(({ position }) => position);
  for (let i = 0; i < 3; i++) await world.event(application);
  await platform.db`update deliveries set state = 'delivered'`;
  assert.deepEqual(await read(0), [1, 2, 3]);
  platform.clock.advance({ days: 7 });
  await world.event(application);
  await removeExpiredEvents(platform, { limit: 100 });
  assert.deepEqual(await read(1), [4]);
  assert.deepEqual(await read(0), [4]);
  await platform.db`delete from deliveries`;
  assert.deepEqual(await read(4), []);
});
