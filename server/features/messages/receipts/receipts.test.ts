import assert from 'node:assert/strict';
import { test } from 'node:test';
import { followConversations } from '#features/messages/live/follow-conversations.ts';
import { unavailable } from '#platform/errors.ts';
import { privateConversationId } from '#platform/ids.ts';
import type { LiveEvent } from '#platform/live.ts';
import { missing, plain } from '#testing/answers.ts';
import { listen } from '#testing/event-source.ts';
import { groupScene } from '#testing/group-scene.ts';
import type { Person } from '#testing/world.ts';

const FLEETING = ['conversation.receipt', 'typing', 'receipts.changed'];

/** The read and typing events that the pages of a topic receive. */
async function fleetingEventsOf(
  world: Parameters<typeof followConversations>[0],
  { accountId }: { accountId: string },
): Promise<() => LiveEvent[]> {
  const received: LiveEvent[] = [];
  await followConversations(world, accountId, (event) => {
    if (FLEETING.includes(event.type)) received.push(event);
  });
  return () => received.splice(0);
}

const receiptsOf = async (person: Person, conversationId: string) =>
  (await person.calls('GET', `/api/chat/conversations/${conversationId}/receipts`)).body.data;

test('a private chat: delivered, then read, live and on request; writing and hiding count as reading', async (t) => {
  const { world, people } = await groupScene(t, { people: 3 });
  const [ada, bob, cyd] = people as [Person, Person, Person];
  const aside = await cyd.writes(bob, 'aside');
  const first = await ada.writes(bob, 'one');
  const second = await ada.writes(bob, 'two');
  const { conversationId } = first;
  const eventsSoFar = await fleetingEventsOf(world, ada);
  const own = { conversationId, userId: bob.accountId };
  assert.deepEqual(await receiptsOf(ada, conversationId), [{ userId: bob.accountId }]);

  const deliver = (msgId: string, id = conversationId) =>
    bob.calls('POST', '/api/chat/delivered', { upTo: [{ conversationId: id, msgId }] });
  assert.equal((await deliver(second.msgId)).status, 200);
  assert.equal((await deliver(first.msgId)).status, 200);
  assert.deepEqual(eventsSoFar(), [
    { type: 'conversation.receipt', data: { ...own, deliveredMsgId: second.msgId } },
  ]);
  const unknown = missing('no message of this conversation has the id in `msgId`');
  for (const wrong of [
    'msg_x',
    first.msgId.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x')),
    bob.accountId,
  ])
    assert.deepEqual(plain(await deliver(wrong)), unknown);
  assert.deepEqual(plain(await deliver(first.msgId, 'prv_other')), unknown);

  const read = (msgId: string) =>
    bob.calls('POST', `/api/chat/conversations/${conversationId}/read`, { msgId });
  await read(first.msgId);
  await read(first.msgId);
  assert.deepEqual(eventsSoFar(), [
    { type: 'conversation.receipt', data: { ...own, readMsgId: first.msgId } },
  ]);
  assert.deepEqual(await receiptsOf(ada, conversationId), [
    { userId: bob.accountId, deliveredMsgId: second.msgId, readMsgId: first.msgId },
  ]);

  const answer = await bob.writes(ada, 'three');
  assert.equal((await receiptsOf(ada, conversationId))[0].readMsgId, answer.msgId);
  const last = await ada.writes(bob, 'four');
  // Read already, since it is Bob's own.
  await deliver(answer.msgId);
  await deliver(last.msgId);
  await bob.calls('DELETE', `/api/chat/conversations/${conversationId}`);
  assert.deepEqual(eventsSoFar(), [
    { type: 'conversation.receipt', data: { ...own, deliveredMsgId: last.msgId } },
    { type: 'conversation.receipt', data: { ...own, readMsgId: last.msgId } },
  ]);

  assert.deepEqual(await receiptsOf(cyd, aside.conversationId), [{ userId: bob.accountId }]);

  const stranger = await world.person('Eve');
  const outside = await stranger.calls('GET', `/api/chat/conversations/${conversationId}/receipts`);
  assert.equal(outside.status, 404);
  assert.equal(
    (await stranger.calls('POST', `/api/chat/conversations/${conversationId}/typing`)).status,
    404,
  );
});

test('a notice that somebody caused leaves unread what came before it; the message after it does not', async (t) => {
  const { people } = await groupScene(t, { people: 2 });
  const [ada, bob] = people as [Person, Person];
  await bob.writes(ada, 'one');
  const { conversationId, msgId } = await ada.writes(bob, 'two');
  const conversation = `/api/chat/conversations/${conversationId}`;
  await bob.calls('PUT', `${conversation}/retention`, { lifetimeDays: 7 });
  assert.equal((await bob.calls('GET', conversation)).body.data.unreadCount, 1);
  await bob.writes(ada, 'three');
  assert.equal((await bob.calls('GET', conversation)).body.data.unreadCount, 0);
  const [receipt] = await receiptsOf(ada, conversationId);
  assert.ok(receipt.readMsgId >= msgId, 'Ada sees that Bob has read hers');
});

test('a group shows who has read and who is typing; a broadcast list and a large group do not', async (t) => {
  const { world, bot, people, groupOf } = await groupScene(t, { people: 3 });
  const [ada, bob, cyd] = people as [Person, Person, Person];
  const groupId = await groupOf(ada, [bob, cyd, bot]);
  const listId = await groupOf(ada, [bob, cyd], { isBroadcast: true });
  const written = async (conversationId: string) => (await ada.writesIn(conversationId, 'hi')).msgId;
  const eventsSoFar = await fleetingEventsOf(world, cyd);
  const read = (conversationId: string, msgId: string) =>
    bob.calls('POST', `/api/chat/conversations/${conversationId}/read`, { msgId });
  const type = (person: Person, id: string) => person.calls('POST', `/api/chat/conversations/${id}/typing`);

  const msgId = await written(groupId);
  await read(groupId, msgId);
  assert.equal((await type(bob, groupId)).status, 200);
  const own = { conversationId: groupId, userId: bob.accountId };
  assert.deepEqual(eventsSoFar(), [
    { type: 'conversation.receipt', data: { ...own, readMsgId: msgId } },
    {
      type: 'typing',
      data: { ...own, people: [{ userId: bob.accountId, name: bob.name, isBot: false, isDeleted: false }] },
    },
  ]);
  const receipts = await receiptsOf(ada, groupId);
  assert.deepEqual(
    receipts.map(({ userId }: { userId: string }) => userId).sort(),
    [bob.accountId, cyd.accountId].sort(),
  );
  assert.equal(receipts.find(({ userId }: { userId: string }) => userId === bob.accountId).readMsgId, msgId);

  await read(listId, await written(listId));
  await type(ada, listId);
  assert.deepEqual(await receiptsOf(ada, listId), []);
  const grow = (count: number) =>
    world.db.begin((tx) => tx`update groups set member_count = ${count} where group_id = ${groupId}`);
  await grow(100);
  assert.equal((await receiptsOf(ada, groupId)).length, 2);
  await grow(101);
  await read(groupId, await written(groupId));
  await type(bob, groupId);
  assert.deepEqual(await receiptsOf(ada, groupId), []);
  assert.deepEqual(eventsSoFar(), []);
});

test('when switched off, receipts are neither sent nor received until they are on again', async (t) => {
  const { world, people } = await groupScene(t, { people: 2 });
  const [ada, bob] = people as [Person, Person];
  const { conversationId, msgId } = await ada.writes(bob, 'hello');
  const origin = await world.app.listen({ port: 0, host: '127.0.0.1' });
  const page = await listen(`${origin}/api/chat/live`, { cookie: ada.cookie });
  t.after(() => page[Symbol.asyncDispose]());
  const eventsSoFar = await fleetingEventsOf(world, ada);
  const set = (person: Person, settings: object) => person.calls('PATCH', '/api/auth/profile', settings);
  const type = () => bob.calls('POST', `/api/chat/conversations/${conversationId}/typing`);
  const read = (id: string) =>
    bob.calls('POST', `/api/chat/conversations/${conversationId}/read`, { msgId: id });

  await set(bob, { readReceipts: false, typingIndicators: false });
  await bob.calls('POST', '/api/chat/delivered', { upTo: [{ conversationId, msgId }] });
  await read(msgId);
  await type();
  assert.deepEqual(eventsSoFar(), [{ type: 'receipts.changed', data: { userId: bob.accountId } }]);
  assert.deepEqual(await receiptsOf(ada, conversationId), []);
  assert.deepEqual(await receiptsOf(bob, conversationId), []);
  await set(bob, { readReceipts: true, typingIndicators: true });
  assert.deepEqual(await receiptsOf(ada, conversationId), [{ userId: bob.accountId, readMsgId: msgId }]);

  // Pages of somebody who hides it get nothing, whatever is published to them.
  await set(ada, { readReceipts: false, typingIndicators: false });
  assert.deepEqual(await receiptsOf(ada, conversationId), []);
  const next = await ada.writes(bob, 'again');
  await read(next.msgId);
  await type();
  await set(ada, { readReceipts: true, typingIndicators: true });
  const last = await bob.writes(ada, 'last');
  const types: string[] = [];
  for (;;) {
    const event = await page.next();
    if (!event) throw new Error('the stream ended');
    types.push(event.type);
    if (event.type === 'message' && JSON.parse(event.data).msgId === last.msgId) break;
  }
  // The first two changes are Bob's, before Ada changed her setting.
  assert.deepEqual(
    types.filter((one) => FLEETING.includes(one)),
    ['receipts.changed', 'receipts.changed'],
  );
});

test('receipts and typing do not reach bots; typing is limited and needs the right to write', async (t) => {
  const { world, bot, people, groupOf } = await groupScene(t, { people: 2 });
  const [ada, bob] = people as [Person, Person];
  const groupId = await groupOf(ada, [bob, bot]);
  const { conversationId } = await ada.writes(bot, 'hello');
  const events = async () => {
    const [row] = await world.db`select count(*)::integer as events from events`;
    return row?.['events'] as number;
  };
  const before = await events();
  const msgId = await bot.writes(ada, 'hi');
  await ada.calls('POST', `/api/chat/conversations/${conversationId}/read`, { msgId });
  await ada.calls('POST', '/api/chat/delivered', { upTo: [{ conversationId, msgId }] });
  for (const id of [conversationId, groupId])
    assert.equal((await ada.calls('POST', `/api/chat/conversations/${id}/typing`)).status, 200);
  assert.equal(await events(), before);
  assert.deepEqual(await receiptsOf(ada, conversationId), []);
  assert.ok(
    (await receiptsOf(bob, groupId)).every(({ userId }: { userId: string }) => userId !== bot.accountId),
  );

  const eventsSoFar = await fleetingEventsOf(world, bob);
  const { conversationId: withBob } = await ada.writes(bob, 'hello');
  await bob.blocks(ada);
  await ada.calls('POST', `/api/chat/conversations/${withBob}/typing`);
  assert.deepEqual(eventsSoFar(), []);
  for (let i = 0; i < 57; i++) await ada.calls('POST', `/api/chat/conversations/${withBob}/typing`);
  const refused = await ada.calls('POST', `/api/chat/conversations/${withBob}/typing`);
  assert.equal(refused.status, 429);
  assert.match(refused.body.message, /^your typing is reported too often/);
  assert.deepEqual(eventsSoFar(), []);
});

test('a bot that types is shown like a person, where it may write; elsewhere its conversations are 404', async (t) => {
  const { world, bot, people, call, group, groupOf } = await groupScene(t, { people: 2 });
  const [ada, bob] = people as [Person, Person];
  const [groupId, list] = [await groupOf(ada, [bob, bot]), await group([ada], { isBroadcast: true })];
  const type = async (id: string) => {
    const { status, body } = await call('POST', '/v1/messages/typing', { conversationId: id });
    return { status, data: body.data };
  };
  const sent = { status: 200, data: { sent: true } };
  const conversationId = privateConversationId(ada.accountId, bot.accountId);
  const eventsSoFar = await fleetingEventsOf(world, ada);
  const shown = (id: string) => ({
    type: 'typing',
    data: { conversationId: id, userId: bot.accountId },
  });
  assert.deepEqual(await type(ada.accountId), sent);
  assert.deepEqual(await type(groupId), sent);
  assert.deepEqual(eventsSoFar(), [shown(conversationId), shown(groupId)]);

  assert.deepEqual(await type(list), sent);
  await ada.calls('PATCH', '/api/chat/groups/details', { groupId, sendMessages: false });
  assert.deepEqual(await type(groupId), sent);
  await ada.blocks(bot);
  assert.deepEqual(await type(ada.accountId), sent);
  assert.deepEqual(eventsSoFar(), []);

  const unknown = missing('there is no such conversation');
  const eve = await world.person('Eve');
  for (const id of [eve.accountId, 'usr_nobody', await groupOf(ada, [bob])])
    assert.deepEqual(await call('POST', '/v1/messages/typing', { conversationId: id }), unknown, id);
});

test('typing while the database refuses is answered with 503, and fails nowhere else', async (t) => {
  const { world, people } = await groupScene(t, { people: 2 });
  const [ada, bob] = people as [Person, Person];
  await ada.writes(bob, 'hi');
  t.mock.method(world.accounts, 'showProfile', async () => {
    throw unavailable();
  });
  const path = `/api/chat/conversations/${privateConversationId(ada.accountId, bob.accountId)}/typing`;
  assert.equal((await ada.calls('POST', path)).status, 503);
});
