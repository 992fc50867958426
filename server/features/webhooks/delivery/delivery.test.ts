import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeliveryWorld } from '#testing/delivery-world.ts';
import { asIfDistributed, withLostShard } from '#testing/lost-shard.ts';
import { untilDue } from './delivery.ts';
import { createSender } from './sender.ts';

/** Longer than the longest rest, shorter than the wait after a first failure. */
const SOME_SECONDS = 25;

test('on Citus a worker with nothing to send rests, at most until the next event is due', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const own = await world.application();
  using sender = createSender({ ...platform, shards: asIfDistributed(platform.shards) });
  const rest = await untilDue(sender);
  assert.ok(rest !== undefined && rest > 1_000 && rest < SOME_SECONDS * 1000, `rests ${rest} ms`);

  world.respond = () => ({ status: 500 });
  await world.event(own);
  assert.equal(await untilDue(sender), undefined, 'an event is due');
  assert.deepEqual(await world.deliver(sender), { retrying: 1 });
  assert.equal(await untilDue(sender), rest);
  platform.clock.advance({ seconds: SOME_SECONDS });
  assert.equal(await untilDue(sender), 30_000 - SOME_SECONDS * 1000);
});

test('a worker looks as often as usual while a shard cannot be read, and on a single PostgreSQL', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  using withLost = createSender({ ...platform, shards: withLostShard(platform.shards) });
  assert.equal(await untilDue(withLost), undefined);
  if (platform.shards.isDistributed) return;
  using single = createSender(platform);
  assert.equal(await untilDue(single), undefined);
});
