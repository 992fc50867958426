import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeliveryWorld } from '#testing/delivery-world.ts';
import { readFeed } from './event-feed.ts';
import { FeedPoller } from './stream.ts';

test('streams are woken only for events that other processes recorded or assigned positions to', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const [busy, idle] = [await world.application(), await world.application()];
  await using poller = new FeedPoller(platform);
  const requested: string[] = [];
  const watch = (name: string, appId: string) => {
    const feed = { appId, after: 0, isWaiting: true, request: () => void requested.push(name) };
    return Object.assign(feed, { leave: poller.watch(feed) });
  };
  const [one, other] = [watch('one', busy.appId), watch('other', busy.appId)];
  watch('idle', idle.appId);
  const look = async () => {
    await poller.look();
    return requested.splice(0).sort();
  };
  assert.deepEqual(await look(), []);
  await world.event(busy);
  assert.deepEqual(await look(), ['one', 'other'], 'recorded');
  await readFeed(platform, busy.appId, { after: 0, limit: 9 });
  one.after = 1;
  assert.deepEqual(await look(), ['other'], 'placed, and sent to one');
  other.after = 1;
  assert.deepEqual(await look(), []);
  await world.event(busy);
  other.leave();
  assert.deepEqual(await look(), ['one']);
});

test('all applications with streams are polled, however many there are', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  await using poller = new FeedPoller(platform);
  const last = await world.application();
  await world.event(last);
  for (let i = 0; i < 1200; i++) {
    poller.watch({ appId: platform.newId('app'), after: 0, isWaiting: true, request: assert.fail });
  }
  let requested = 0;
  poller.watch({ appId: last.appId, after: 0, isWaiting: true, request: () => requested++ });
  poller.watch({ appId: last.appId, after: 0, isWaiting: false, request: assert.fail });
  await poller.look();
  assert.equal(requested, 1);
});
