import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDatabase } from '#platform/database.ts';
import { columnsOf } from '#testing/columns.ts';
import { createDeliveryWorld, type DeliveryWorld, type TestApplication } from '#testing/delivery-world.ts';
import { PATIENT } from '#testing/waits.ts';
import { recordEvents } from '../record-events.ts';
import { findEndOfFeed, markFetched, readFeed } from './event-feed.ts';
import { findFeed, updateAcknowledged } from './queries.ts';

async function positions(world: DeliveryWorld, { appId }: TestApplication, after = 0, limit = 100) {
  const { events, hasMore } = await readFeed(world.platform, appId, { after, limit });
  return { positions: events.map(({ position }) => position), hasMore };
}

test('an event whose transaction began earlier but committed later comes later, and is not skipped', async () => {
  await using world = await createDeliveryWorld();
  const application = await world.application();
  const { platform } = world;
  const [isRecorded, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const late = platform.db.begin(async (tx) => {
    await recordEvents(tx, platform, [world.outgoing(application, 'late')]);
    isRecorded.resolve();
    await mayCommit.promise;
  });
  await isRecorded.promise;
  const early = await world.event(application, 'early');
  const text = async (after: number) => {
    const { events } = await readFeed(platform, application.appId, { after, limit: 9 });
    return events.map(({ body }) => JSON.parse(body.toString()).data.textMsg);
  };
  assert.deepEqual(await text(0), ['early']);
  mayCommit.resolve();
  await late;
  assert.deepEqual(await text(1), ['late']);
  assert.deepEqual(await text(0), ['early', 'late']);
  const [row] = await platform.db<{ isFirst: boolean }[]>`
    select msg_id <> ${early} as is_first from events order by delivery_id limit 1`;
  assert.deepEqual(row, { isFirst: true }, 'by its id it would have been skipped');
});

test('readers that page while 64 writers commit see every event once', async () => {
  await using world = await createDeliveryWorld();
  const application = await world.application();
  const { platform } = world;
  const [writers, each] = [64, 12];
  const db = openDatabase({ url: platform.config.databaseUrl as string, poolSize: 24, ...PATIENT });
  const written: string[] = [];
  let isWriting = true;
  const write = async () => {
    for (let i = 0; i < each; i++) {
      const event = world.outgoing(application);
      await retried(() =>
        db.begin(async (tx) => {
          await recordEvents(tx, platform, [event]);
          // So that commits overtake each other.
          await tx`select pg_sleep(random() * 0.01)`;
        }),
      );
      written.push(event.msgId);
    }
  };
  const read = async (limit: number) => {
    const seen: string[] = [];
    for (let after = 0; ; ) {
      const isLast = !isWriting;
      const { events, hasMore, isBehind } = await readFeed(platform, application.appId, { after, limit });
      for (const { position, body } of events) {
        assert.ok(position > after);
        after = position;
        seen.push(JSON.parse(body.toString()).data.msgId);
      }
      if (isLast && !hasMore && !isBehind) return seen;
    }
  };
  const reading = Promise.all([read(7), read(50), read(500)]);
  await Promise.all(Array.from({ length: writers }, write));
  isWriting = false;
  const [one, ...others] = await reading;
  await db.end({ timeout: 5 });
  assert.equal(written.length, writers * each);
  assert.deepEqual(one?.toSorted(), written.toSorted());
  for (const other of others) assert.deepEqual(other, one);
});

/** A full pool may refuse, which is not the subject of this test. */
async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if ((error as { status?: number }).status !== 503) throw error;
    }
  }
}

test('an event that is being changed is returned after the change', async () => {
  await using world = await createDeliveryWorld();
  const application = await world.application();
  const { platform } = world;
  await world.event(application);
  await world.event(application);
  const [first] = await platform.db<{ bucket: number; deliveryId: string }[]>`
    select bucket, delivery_id from events order by delivery_id limit 1`;
  assert.ok(first);
  await platform.db.begin(async (tx) => {
    await tx`select 1 from events where bucket = ${first.bucket} and delivery_id = ${first.deliveryId} for update`;
    const part = await readFeed(platform, application.appId, { after: 0, limit: 9 });
    assert.deepEqual([part.events.length, part.hasMore, part.isBehind], [1, false, true]);
  });
  assert.deepEqual(await positions(world, application, 1), { positions: [2], hasMore: false });
});

test('the end of the feed is after all events, however many', async () => {
  await using world = await createDeliveryWorld();
  const application = await world.application();
  const { platform } = world;
  const events = Array.from({ length: 2050 }, () => world.outgoing(application));
  await platform.db.begin((tx) => recordEvents(tx, platform, events));
  assert.equal(await findEndOfFeed(platform, application.appId), 2050);
  await world.event(application);
  assert.deepEqual(await positions(world, application, 2050), { positions: [2051], hasMore: false });
});

test('feeds of two applications do not mix, and the position that a bot has fetched goes forward only', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const [one, other] = [await world.application(), await world.application()];
  for (const application of [one, other, one]) await world.event(application);
  const { events, isBehind } = await readFeed(platform, one.appId, { after: 0, limit: 100 });
  assert.deepEqual([events.map(({ position }) => position), isBehind], [[1, 2], false]);
  assert.deepEqual((await positions(world, other)).positions, [1]);
  await world.event(one);
  assert.deepEqual((await positions(world, one, 2)).positions, [3]);
  await world.event(other);
  assert.deepEqual((await positions(world, other)).positions, [1, 2]);
  for (const position of [2, 1]) await markFetched(platform, one.appId, position);
  await platform.db.write((tx) => updateAcknowledged(tx, one.appId, 1));
  const feeds = await Promise.all([one, other].map(({ appId }) => findFeed(platform.db, appId)));
  assert.deepEqual(columnsOf(feeds, 'lastPosition', 'fetchedPosition', 'acknowledgedPosition'), [
    [3, 2, 1],
    [2, 0, 0],
  ]);
});
