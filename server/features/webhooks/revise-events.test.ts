import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import type { EventMessage } from '#contract/webhooks/events.ts';
import { removeWebhookUrl } from '#features/applications/settings.ts';
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
const textsTo = ({ receiver }: DeliveryWorld) => receiver.requests.map(({ rawBody }) => textOf(rawBody));

test('an event that was not sent yet gets the current content, or is not sent', async () => {
  await using world = await createDeliveryWorld();
  const { clock, newId } = world.platform;
  const application = await world.application();
  // The second time, the clock was set back, and ids are those of a later time.
  for (const hours of [0, 1]) {
    newId('msg');
    clock.advance({ hours: -hours });
    await (await recorded(world, application)).edited('after');
    await (await recorded(world, application)).deleted();
    clock.advance({ hours });
    assert.deepEqual(await world.deliver(world.sender()), { delivered: 1 });
  }
  assert.deepEqual(textsTo(world), ['after', 'after']);
});

test('an event that was sent, attempted or fetched does not change', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  world.respond = (_, n) => (n === 1 ? { status: 500 } : {});
  const application = await world.application();
  const message = await recorded(world, application);
  const sender = world.sender();
  await world.deliver(sender);
  await message.edited('after');
  await message.deleted();
  platform.clock.advance({ minutes: 1 });
  await world.deliver(sender);
  assert.deepEqual(textsTo(world), ['before', 'before']);
  await message.edited('after');
  await message.deleted();

  const fetched = await recorded(world, application, 'fetched');
  const read = async () => {
    const { events } = await readFeed(platform, application.appId, { after: 0, limit: 10 });
    return events.map(({ body }) => textOf(body));
  };
  assert.deepEqual(await read(), ['before', 'fetched']);
  await fetched.deleted();
  assert.deepEqual(await read(), ['before', 'fetched']);
});

test('an event that was left to the feed, as its webhook URL was removed, changes until it is fetched', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const application = await world.application();
  const [edited, deleted] = [await recorded(world, application), await recorded(world, application)];
  await removeWebhookUrl(platform, application, []);
  assert.deepEqual(await world.deliver(world.sender()), { unsent: 2 });
  await edited.edited('after');
  await deleted.deleted();
  for (const _ of ['not fetched', 'fetched']) {
    const { events } = await readFeed(platform, application.appId, { after: 0, limit: 10 });
    assert.deepEqual(
      events.map(({ body }) => textOf(body)),
      ['after'],
    );
    await edited.edited('too late');
  }
});

test('an event whose first attempt is in progress does not change either', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
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
  assert.deepEqual(textsTo(world), ['before', 'before']);
});

test('an event that waits in the memory of another process changes, too, also before its commit is known there', async () => {
  await using world = await createDeliveryWorld();
  await using server = await startRedis();
  const { platform } = world;
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
  assert.deepEqual(textsTo(world), ['after', 'same']);
});
