import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import type { EventMessage } from '#contract/webhooks/events.ts';
import { privateConversationId } from '#platform/ids.ts';
import { createLiveRelay } from '#platform/live/relay.ts';
import { Live } from '#platform/live.ts';
import { connectRedis } from '#platform/redis.ts';
import { createDeliveryWorld, type DeliveryWorld, type TestApplication } from '#testing/delivery-world.ts';
import { startRedis } from '#testing/redis.ts';
import { eventually } from '#testing/waits.ts';
import { Delivery } from './delivery/delivery.ts';
import { WAITS_MS } from './delivery/memory-queue.ts';
import { readFeed } from './feed/event-feed.ts';
import { announceEvents, recordEvents } from './record-events.ts';
import { reviseEvents } from './revise-events.ts';

/** An event of a message, and the ways in which the message may change, in the process with these live events. */
async function recorded(
  world: DeliveryWorld,
  application: TestApplication,
  text = 'before',
  live = world.platform.live,
) {
  const { platform } = world;
  const event = world.outgoing(application, text);
  await platform.db.begin((tx) => recordEvents(tx, platform, [event]));
  const { appId } = application;
  const conversationId = privateConversationId(event.data.from, appId);
  const message = { ...event, conversationId, sentAt: event.at, appIds: [appId] };
  const revise = (change: (data: EventMessage) => EventMessage | undefined) =>
    platform.db.begin((tx) => reviseEvents(tx, { ...platform, live }, message, change));
  return {
    committed: () => announceEvents(platform, [event]),
    edited: (textMsg: string) => revise((data) => ({ ...data, textMsg })),
    deleted: () => revise(() => undefined),
  };
}

const textOf = (body: Buffer) => JSON.parse(body.toString()).data.textMsg;

test('an event that was not sent yet gets the current content, or is not sent', async () => {
  await using world = await createDeliveryWorld();
  const { receiver } = world;
  const application = await world.application();
  await (await recorded(world, application)).edited('after');
  await (await recorded(world, application)).deleted();
  assert.deepEqual(await world.deliver(world.sender()), { delivered: 1 });
  assert.deepEqual(
    receiver.requests.map(({ rawBody }) => textOf(rawBody)),
    ['after'],
  );
});

test('an event that was sent, attempted or fetched does not change', async () => {
  await using world = await createDeliveryWorld();
  const { receiver, platform } = world;
  world.respond = (_, n) => (n === 1 ? { status: 500 } : {});
  const application = await world.application();
  const message = await recorded(world, application);
  const sender = world.sender();
  await world.deliver(sender);
  await message.edited('after');
  await message.deleted();
  platform.clock.advance({ minutes: 1 });
  await world.deliver(sender);
  assert.deepEqual(
    receiver.requests.map(({ rawBody }) => textOf(rawBody)),
    ['before', 'before'],
  );

  const fetched = await recorded(world, application, 'fetched');
  const read = async () => {
    const { events } = await readFeed(platform, application.appId, { after: 0, limit: 10 });
    return events.map(({ body }) => textOf(body));
  };
  assert.deepEqual(await read(), ['before', 'fetched']);
  await fetched.deleted();
  assert.deepEqual(await read(), ['before', 'fetched']);
});

test('an event whose first attempt is in progress does not change either', async () => {
  await using world = await createDeliveryWorld();
  const { platform, receiver } = world;
  await using delivery = new Delivery(platform, world.unlimited);
  await delivery.beat(() => undefined);
  const application = await world.application();
  const message = await recorded(world, application);
  world.respond = async (_, n) => {
    if (n === 2) return {};
    await message.edited('after');
    await message.deleted();
    return { status: 500 };
  };
  message.committed();
  await delivery.sendHeld();
  await delivery.settled();
  platform.clock.advance({ minutes: 1 });
  await delivery.claim();
  await delivery.settled();
  assert.deepEqual(
    receiver.requests.map(({ rawBody }) => textOf(rawBody)),
    ['before', 'before'],
  );
});

test('the same after the clock was set back, when ids are those of a later time', async () => {
  await using world = await createDeliveryWorld();
  const { platform, receiver } = world;
  const application = await world.application();
  platform.newId('msg');
  platform.clock.advance({ hours: -1 });
  await (await recorded(world, application)).edited('after');
  await (await recorded(world, application)).deleted();
  platform.clock.advance({ hours: 1 });
  assert.deepEqual(await world.deliver(world.sender()), { delivered: 1 });
  assert.deepEqual(
    receiver.requests.map(({ rawBody }) => textOf(rawBody)),
    ['after'],
  );
});

test('the same if it waits in the memory of another process, also before its commit is known there', async () => {
  await using world = await createDeliveryWorld();
  await using server = await startRedis();
  const { platform, receiver } = world;
  const { memoryQueue } = platform;
  const connect = () => connectRedis({ urls: [server.url], log: pino({ level: 'silent' }) });
  await using redis = await connect();
  await using redisElsewhere = await connect();
  const [live, elsewhere] = [redis, redisElsewhere].map((own) => new Live(createLiveRelay(own, platform)));
  await using delivery = new Delivery({ ...platform, live: live as Live }, world.unlimited);
  await delivery.beat(() => undefined);
  await live?.settled();
  const own = await world.application();
  const record = (text: string) => recorded(world, own, text, elsewhere);
  const [edited, deleted, unconfirmed] = [await record('befor'), await record('secret'), await record('sam')];
  edited.committed();
  deleted.committed();
  await unconfirmed.edited('same');
  await edited.edited('after');
  await deleted.deleted();
  await eventually(() => !memoryQueue.isWaiting());
  unconfirmed.committed();
  assert.equal(memoryQueue.isWaiting(), false);
  platform.clock.advance({ milliseconds: WAITS_MS });
  await delivery.sendHeld();
  assert.deepEqual(await world.deliver(world.sender()), { delivered: 2 });
  assert.deepEqual(
    receiver.requests.map(({ rawBody }) => textOf(rawBody)),
    ['after', 'same'],
  );
});
