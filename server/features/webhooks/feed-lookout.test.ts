import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeliveryWorld } from '#testing/delivery-world.ts';
import { readFeed } from './event-feed.ts';
import { FeedLookout } from './feed-lookout.ts';

test('those who stream are woken for what other processes recorded, or gave its place, and for nothing else', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const [busy, idle] = [await world.application(), await world.application()];
  using lookout = new FeedLookout(platform);
  const rung: string[] = [];
  const watch = (name: string, appId: string) => {
    const feed = { appId, after: 0, isWaiting: true, ring: () => void rung.push(name) };
    return Object.assign(feed, { leave: lookout.watch(feed) });
  };
  const [one, other] = [watch('one', busy.appId), watch('other', busy.appId)];
  watch('idle', idle.appId);
  const look = async () => {
    await lookout.look();
    return rung.splice(0).sort();
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

test('however many applications stream, all are looked after', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  using lookout = new FeedLookout(platform);
  const last = await world.application();
  await world.event(last);
  for (let i = 0; i < 1200; i++) {
    lookout.watch({ appId: platform.newId('app'), after: 0, isWaiting: true, ring: assert.fail });
  }
  let rung = 0;
  lookout.watch({ appId: last.appId, after: 0, isWaiting: true, ring: () => rung++ });
  lookout.watch({ appId: last.appId, after: 0, isWaiting: false, ring: assert.fail });
  await lookout.look();
  assert.equal(rung, 1);
});
