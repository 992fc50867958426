import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventPage } from '#contract/webhooks.ts';
import { createDeliveryWorld, type DeliveryWorld, type TestApplication } from '#testing/delivery-world.ts';
import { openConsole } from '#testing/webhook-console.ts';
import { readFeed } from '../feed/event-feed.ts';
import { recordEvents } from '../record-events.ts';

async function open(world: DeliveryWorld, own: TestApplication) {
  const owner = await openConsole(world, own);
  const search = async (query: string): Promise<EventPage> => {
    const { status, body } = await owner.call('GET', `/events/search${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data;
  };
  return { search, call: owner.call, [Symbol.asyncDispose]: () => owner[Symbol.asyncDispose]() };
}

async function record(world: DeliveryWorld, own: TestApplication, count: number): Promise<string[]> {
  const events = Array.from({ length: count }, () => ({ ...world.outgoing(own), state: 'unsent' as const }));
  return world.platform.db.begin((tx) => recordEvents(tx, world.platform, events));
}

test('pages lead through the whole log, the newest first, each event once', async () => {
  await using world = await createDeliveryWorld();
  const own = await world.application();
  await using owner = await open(world, own);
  const recorded = await record(world, own, 70);
  // These now have a position in the feed, the next ones do not.
  await readFeed(world.platform, own.appId, { after: 0, limit: 1 });
  recorded.push(...(await record(world, own, 60)));
  await record(world, await world.application(), 3);
  const seen: string[] = [];
  let nextBefore: string | undefined;
  const sizes: number[] = [];
  do {
    const page: EventPage = await owner.search(nextBefore ? `?before=${nextBefore}` : '');
    seen.push(...page.events.map(({ eventId }) => eventId));
    sizes.push(page.events.length);
    nextBefore = page.nextBefore;
  } while (nextBefore);
  assert.deepEqual(seen, recorded.toReversed());
  assert.deepEqual(sizes, [50, 50, 30]);
});

test('an event is found by its id or that of its message, sender or chat, or part of one, however old it is', async () => {
  await using world = await createDeliveryWorld();
  const own = await world.application();
  await using owner = await open(world, own);
  const [mine, other] = [world.outgoing(own), world.outgoing(own)];
  const group = { ...world.outgoing(own), type: 'group_message.received' as const };
  group.data = { ...group.data, groupId: 'grp_0123456789abcdefghjkmnpq' };
  const [eventId = '', , groupEventId = ''] = await world.platform.db.begin((tx) =>
    recordEvents(tx, world.platform, [mine, other, group]),
  );
  world.platform.clock.advance({ hours: 1 });
  await record(world, own, 1_100);
  const found = async (query: string) => {
    const { events, nextBefore } = await owner.search(query);
    return { events: events.map((event) => event.eventId), isWhole: nextBefore === undefined };
  };
  assert.deepEqual(await found(`?find=${eventId}`), { events: [eventId], isWhole: true });
  assert.deepEqual(await found(`?find=${mine.msgId}`), { events: [eventId], isWhole: true });
  // Each search for a person reads a limited part of the log.
  const first = await owner.search(`?find=${mine.data.from}`);
  assert.deepEqual(first.events, []);
  assert.deepEqual(await found(`?find=${mine.data.from}&before=${first.nextBefore}`), {
    events: [eventId],
    isWhole: true,
  });
  assert.deepEqual(await found(`?find=grp_0123456789&before=${first.nextBefore}`), {
    events: [groupEventId],
    isWhole: true,
  });
  assert.deepEqual(await found(`?find=${eventId}&state=delivered`), { events: [], isWhole: true });
});

test('state, type and time filter events; other applications’ are not found, and an invalid id is refused', async () => {
  await using world = await createDeliveryWorld();
  const own = await world.application();
  await using owner = await open(world, own);
  const delivered = await world.event(own);
  await world.deliver(world.sender());
  world.platform.clock.advance({ minutes: 1 });
  const since = world.platform.clock.now();
  const waiting = await world.event(own);
  const listed = async (query: string) => (await owner.search(query)).events.map(({ msgId }) => msgId);
  assert.deepEqual(await listed('?state=delivered'), [delivered]);
  assert.deepEqual(await listed(`?since=${since}`), [waiting]);
  assert.deepEqual(await listed('?type=ping'), []);
  for (const state of ['retrying', 'abandoned']) {
    await world.platform.db`update event_queue set state = ${state}`;
    assert.deepEqual(await listed('?state=failed'), [waiting], state);
  }
  const [foreign = ''] = await record(world, await world.application(), 1);
  assert.deepEqual(await listed(`?find=${foreign}`), []);
  const { status, body } = await owner.call('GET', '/events/search?find=%25');
  assert.deepEqual([status, body.code, body.message.split(' ')[0]], [400, 'invalid-argument', 'find']);
});
