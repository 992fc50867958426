import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventMessage } from '#contract/webhooks/events.ts';
import { privateConversationId } from '#platform/ids.ts';
import { createDeliveryWorld, type DeliveryWorld, type TestApplication } from '#testing/delivery-world.ts';
import { readFeed } from './feed/event-feed.ts';
import { recordEvents } from './record-events.ts';
import { reviseEvents } from './revise-events.ts';

/** An event of a message, and the ways in which the message may change. */
async function recorded(world: DeliveryWorld, application: TestApplication, text = 'before') {
  const { platform } = world;
  const event = world.outgoing(application, text);
  await platform.db.begin((tx) => recordEvents(tx, platform, [event]));
  const { appId } = application;
  const conversationId = privateConversationId(event.data.from, appId);
  const message = { ...event, conversationId, sentAt: event.at, appIds: [appId] };
  const revise = (change: (data: EventMessage) => EventMessage | undefined) =>
    platform.db.begin((tx) => reviseEvents(tx, platform, message, change));
  return {
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
