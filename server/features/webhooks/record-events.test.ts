import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeliveryWorld } from '#testing/delivery-world.ts';
import { recordEvents } from './record-events.ts';

test('an event commits with its message or not at all', async () => {
  await using world = await createDeliveryWorld();
  const event = world.outgoing(await world.application());
  const refused = world.platform.db.begin(async (tx) => {
    await recordEvents(tx, world.platform, [event]);
    throw new Error('the message was refused');
  });
  await assert.rejects(refused, { message: 'the message was refused' });
  assert.deepEqual(await world.deliveries(), []);
});

test('several events of one message are recorded in one transaction; an empty list is allowed', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const { data, msgId } = world.outgoing(await world.application());
  const events = [await world.application(), await world.application()].map((application) => ({
    ...world.outgoing(application),
    ...{ bucket: 7, data, msgId, at: 5 },
  }));
  await platform.db.begin(async (tx) => {
    await recordEvents(tx, platform, []);
    await recordEvents(tx, platform, events);
  });
  const recorded = { msgId, state: 'pending', attempts: 0, nextAttemptAt: 5 };
  assert.deepEqual(await world.deliveries(), [recorded, recorded]);
});

test('no row contains plain text of the message, in any encoding of a dump', async () => {
  await using world = await createDeliveryWorld();
  const canary = 'canary-7f3a91';
  await world.event(await world.application(), canary);
  const { db } = world.platform;
  const [{ event }] = await db<[{ event: string }]>`select events::text as event from events`;
  const [{ queued }] = await db<[{ queued: string }]>`select event_queue::text as queued from event_queue`;
  const dump = event + queued;
  for (const encoding of ['utf8', 'hex', 'base64'] as const) {
    const word = Buffer.from(canary).toString(encoding).replace(/=+$/, '').slice(0, -2);
    assert.equal(dump.includes(word), false, encoding);
  }
});
