import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Conversation } from '#contract/chat.ts';
import type { Database } from '#platform/database.ts';
import { firstIdAt, privateConversationId } from '#platform/ids.ts';
import type { LiveEvent } from '#platform/live.ts';
import { createActingApp } from '#testing/acting-app.ts';
import { missing, plain } from '#testing/answers.ts';
import { asUser, groupScene } from '#testing/group-scene.ts';
import { fillThread } from '#testing/thread.ts';
import { createWorldFor, type Person } from '#testing/world.ts';

const NOT_FOUND = missing('there is no such conversation');

async function pair(t: TestContext) {
  const world = await createWorldFor(t);
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  const conversationId = privateConversationId(ada.accountId, bob.accountId);
  return { world, ada, bob, conversationId, path: `/api/chat/conversations/${conversationId}` };
}

async function dataOf(answer: ReturnType<Person['calls']>) {
  const { status, body } = await answer;
  assert.equal(status, 200, JSON.stringify(body));
  return body.data;
}

test('unread messages of others are counted from the marker on, which never moves back', async (t) => {
  const { world, ada, bob, conversationId, path } = await pair(t);
  const sent = [];
  for (const content of ['0', '1', '2']) sent.push(await bob.writes(ada, content));
  const state = async (person: Person) => {
    const { unreadCount, readMsgId } = await dataOf(person.calls('GET', path));
    return [unreadCount, readMsgId];
  };
  assert.deepEqual(await state(ada), [3, undefined]);
  assert.deepEqual(await state(bob), [0, sent[2]?.msgId]);
  const received: LiveEvent[] = [];
  world.live.subscribe(ada.accountId, (event) => received.push(event));
  const reads = (msgId: string) => dataOf(ada.calls('POST', `${path}/read`, { msgId }));
  const after = { conversationId, readMsgId: sent[1]?.msgId, unreadCount: 1, upTo: sent[2]?.msgId };
  assert.deepEqual(await reads(sent[1]?.msgId as string), after);
  assert.deepEqual(await reads(sent[0]?.msgId as string), after);
  assert.deepEqual(received, [{ type: 'conversation.read', data: after }]);
  // Writing counts as having read everything.
  const own = await ada.writes(bob, 'an answer');
  assert.deepEqual(await state(ada), [0, own.msgId]);
  assert.deepEqual(await state(bob), [1, sent[2]?.msgId]);
  const unknown = missing('no message of this conversation has the id in `msgId`');
  for (const msgId of ['msg_zzzzzzzzzzzzzzzzzzzzzzzz', 'x']) {
    assert.deepEqual(plain(await ada.calls('POST', `${path}/read`, { msgId })), unknown);
  }
});

test('a further message of the same person changes no row of a list, and what was read stays read', async (t) => {
  const { world, ada, bob, path } = await pair(t);
  const rows = () => world.db<{ version: string; readMsgId: string | null }[]>`
    select xmin::text as version, read_msg_id from account_conversations order by account_id, conversation_id`;
  const first = await ada.writes(bob, 'first');
  await bob.writes(ada, 'unread');
  const answer = await ada.writes(bob, 'an answer: that is read');
  const before = await rows();
  assert.ok(before.some(({ readMsgId }) => readMsgId === answer.msgId));
  for (const content of ['a', 'b']) await ada.writes(bob, content);
  await Promise.all(['c', 'd', 'e'].map((content) => ada.writes(bob, content)));
  // On Citus messages are in other shards, and the marker moves with each.
  if (!world.shards.isDistributed) assert.deepEqual(await rows(), before);
  const shown = await dataOf(ada.calls('GET', path));
  assert.deepEqual([shown.unreadCount, shown.readMsgId], [0, shown.lastMessage.msgId]);
  assert.ok(shown.readMsgId > first.msgId);
  const news = await bob.writes(ada, 'news');
  const after = await dataOf(ada.calls('GET', path));
  assert.deepEqual([after.unreadCount, after.readMsgId < news.msgId], [1, true]);
  assert.equal(after.readMsgId, shown.readMsgId);
});

test('when two people write to each other at the same moment, both messages always arrive', async (t) => {
  const { ada, bob } = await pair(t);
  const words = Array.from({ length: 40 }, (_, i) => `word ${i}`);
  // The first four begin the conversation.
  for (let i = 0; i < words.length; i += 4) {
    const [one, another, third, last] = words.slice(i, i + 4) as [string, string, string, string];
    await Promise.all([
      ada.writes(bob, one),
      bob.writes(ada, another),
      ada.writes(bob, third),
      bob.writes(ada, last),
    ]);
  }
  const read = (await ada.reads(bob)).map(({ content }) => String(content));
  assert.deepEqual(read.sort(), words.toSorted());
});

test('any message to a group marks everything there as read', async (t) => {
  const { world, people, groupOf } = await groupScene(t, { people: 2 });
  const [ada, bob] = people as [Person, Person];
  const groupId = await groupOf(ada, [bob]);
  await using api = await createActingApp(world, world.routes);
  const message = { groupId, type: 'text', content: 'x' };
  const question = { groupId, question: 'Tea?', options: ['yes', 'no'] };
  const unread = async () =>
    (await dataOf(ada.calls('GET', `/api/chat/conversations/${groupId}`))).unreadCount;
  for (const write of [
    () => ada.calls('POST', '/api/chat/groups/messages', message),
    () => ada.calls('POST', '/api/chat/polls', question),
    () => api.calls(asUser(ada), 'POST', '/v1/groups/broadcast', message),
    () => api.calls(asUser(ada), 'POST', '/v1/polls', question),
  ]) {
    await bob.calls('POST', '/api/chat/groups/messages', message);
    assert.equal(await unread(), 1);
    assert.equal((await write()).status, 201);
    assert.equal(await unread(), 0);
  }
});

test('counting stops at 100', async (t) => {
  const { world, ada, bob, conversationId, path } = await pair(t);
  await bob.writes(ada, 'hi');
  await fillThread(world, { conversationId, senderId: bob.accountId }, new Array(200).fill('old'));
  assert.equal((await dataOf(ada.calls('GET', path))).unreadCount, 100);
});

test('messages from before a person joined a group do not count as unread', async (t) => {
  const { world, people, groupOf } = await groupScene(t, { people: 2 });
  const [ada, bob] = people as [Person, Person];
  const groupId = await groupOf(ada);
  const before = await ada.writesIn(groupId, 'before');
  world.clock.advance({ seconds: 1 });
  await ada.adds(groupId, bob);
  const shown = (person: Person) => dataOf(person.calls('GET', `/api/chat/conversations/${groupId}`));
  assert.equal((await shown(bob)).unreadCount, 0);
  const after = await ada.writesIn(groupId, 'after');
  const { unreadCount, readMsgId } = await shown(bob);
  assert.equal(unreadCount, 1);
  assert.ok(before.msgId < readMsgId && readMsgId < after.msgId);
  assert.equal((await shown(ada)).unreadCount, 0);
  assert.ok(firstIdAt('msg', 1) < world.newId('msg'));
});

test('conversations come page by page, each once, the newest first', async (t) => {
  const world = await createWorldFor(t);
  const ada = await world.person('Ada');
  const peers: Person[] = [];
  for (let i = 0; i < 52; i++) {
    const peer = await world.person(`Peer ${i}`);
    await peer.writes(ada, 'hi');
    peers.unshift(peer);
  }
  const first = await dataOf(ada.calls('GET', '/api/chat/conversations'));
  assert.equal(first.conversations.length, 50);
  const second = await dataOf(ada.calls('GET', `/api/chat/conversations?cursor=${first.nextCursor}`));
  assert.equal(second.nextCursor, undefined);
  assert.deepEqual(
    [...first.conversations, ...second.conversations].map(({ peer }) => peer.name),
    peers.map(({ name }) => name),
  );
  assert.deepEqual(first.conversations[0].lastSender, first.conversations[0].peer);
});

test('a thread of 10,000 is read in both directions and around any message', async (t) => {
  const { world, ada, bob, conversationId, path } = await pair(t);
  await bob.writes(ada, 'hi');
  const msgIds = await fillThread(
    world,
    { conversationId, senderId: bob.accountId },
    new Array(10_000).fill('old'),
  );
  const page = (query: string) => dataOf(ada.calls('GET', `${path}/messages?${query}`));
  const idsOf = ({ messages }: { messages: { msgId: string }[] }) => messages.map(({ msgId }) => msgId);
  const slice = (from: number, to: number) => msgIds.slice(from, to).reverse();

  const around = await page(`around=${msgIds[5000]}`);
  assert.deepEqual(idsOf(around), slice(4975, 5025));
  assert.deepEqual([around.nextBefore, around.nextAfter], [msgIds[4975], msgIds[5024]]);
  assert.deepEqual(around.people, [{ userId: bob.accountId, name: 'Bob', isBot: false, isDeleted: false }]);
  const newer = await page(`after=${around.nextAfter}`);
  assert.deepEqual(idsOf(newer), slice(5025, 5075));
  assert.equal(newer.nextAfter, msgIds[5074]);
  assert.deepEqual(
    idsOf(await page(`before=${around.nextBefore}&limit=9`)),
    slice(4925, 4975),
    'limit is unknown',
  );
  const last = await page(`after=${msgIds[9990]}`);
  assert.deepEqual(idsOf(last), slice(9991, 10_000));
  assert.equal(last.nextAfter, undefined);
  const newest = await page('');
  assert.deepEqual(idsOf(newest), slice(9950, 10_000));
  assert.equal(newest.nextAfter, undefined);
  const { status } = await ada.calls('GET', `${path}/messages?after=x&before=y`);
  assert.equal(status, 400);
});

test('muting and hiding affect only oneself; a hidden conversation reappears with its next message, without its past', async (t) => {
  const { world, ada, bob, conversationId, path } = await pair(t);
  const { msgId } = await bob.writes(ada, 'old');
  const received: LiveEvent[] = [];
  world.live.subscribe(ada.accountId, (event) => received.push(event));
  assert.equal((await dataOf(ada.calls('PATCH', path, { isMuted: true }))).isMuted, true);
  assert.equal((await dataOf(bob.calls('GET', path))).isMuted, false);
  assert.equal((await dataOf(ada.calls('GET', path))).isHidden, false);
  assert.deepEqual(await dataOf(ada.calls('DELETE', path)), { conversationId });
  assert.equal((await dataOf(ada.calls('GET', path))).isHidden, true);
  const listed = async (person: Person) =>
    (await dataOf(person.calls('GET', '/api/chat/conversations'))).conversations.length;
  assert.deepEqual([await listed(ada), await listed(bob)], [0, 1]);
  await bob.writes(ada, 'new');
  assert.equal(await listed(ada), 1);
  const contents = async (person: Person) =>
    (await person.reads(person === ada ? bob : ada)).map((m) => m.content);
  assert.deepEqual(await contents(ada), ['new']);
  assert.deepEqual(await contents(bob), ['new', 'old']);
  assert.deepEqual(
    received.map(({ type }) => type),
    ['conversation.changed', 'conversation.hidden', 'message'],
  );
  assert.deepEqual(received[1]?.data, { conversationId, hiddenMsgId: msgId });
});

test('conversations of others cannot be read, marked, muted or hidden', async (t) => {
  const { world, ada, bob, path } = await pair(t);
  const { msgId } = await bob.writes(ada, 'private');
  const eve = await world.person('Eve');
  for (const answer of [
    eve.calls('GET', path),
    eve.calls('GET', `${path}/messages?around=${msgId}`),
    eve.calls('GET', `${path}/people?userIds=${bob.accountId}`),
    eve.calls('GET', `${path}/commands`),
    eve.calls('POST', `${path}/read`, { msgId }),
    eve.calls('PATCH', path, { isMuted: true }),
    eve.calls('DELETE', path),
  ]) {
    assert.deepEqual(plain(await answer), NOT_FOUND);
  }
});

test('a profile is shown to those who share a conversation; a bot’s has its commands', async (t) => {
  const { world, bot, people, groupOf } = await groupScene(t, { people: 2 });
  const [ada, bob] = people as [Person, Person];
  const eve = await world.person('Eve');
  const profile = (person: Person, { accountId }: { accountId: string }) =>
    person.calls('GET', `/api/chat/profiles/${accountId}`);
  const unknown = missing('no account that you know has the id in `userId`');
  assert.deepEqual(plain(await profile(ada, bob)), unknown);
  const groupId = await groupOf(ada, [bob, bot]);
  assert.deepEqual(await dataOf(profile(ada, bob)), {
    userId: bob.accountId,
    name: 'Person 1',
    isBot: false,
    isDeleted: false,
    conversationId: privateConversationId(ada.accountId, bob.accountId),
    isBlocked: false,
    commonGroups: [{ groupId, name: 'Team' }],
  });
  assert.deepEqual(plain(await profile(eve, bot)), unknown);
  const commands = [{ command: 'start', description: 'Begins' }];
  await bot.owner.calls('PATCH', `/api/console/applications/${bot.appId}/bot`, {
    commands,
    description: 'Helps',
  });
  await eve.blocks(bot);
  const found = await dataOf(eve.calls('GET', `/api/chat/profiles?username=${bot.username}`));
  assert.deepEqual(found, {
    userId: bot.accountId,
    name: 'Helper',
    isBot: true,
    isDeleted: false,
    username: bot.username,
    conversationId: privateConversationId(eve.accountId, bot.accountId),
    isBlocked: true,
    commonGroups: [],
    description: 'Helps',
    commands,
    isQuietInGroups: false,
  });
  const { name, isBot, isDeleted, userId, username } = found;
  const peer = { userId, name, isBot, isDeleted, username };
  assert.deepEqual(await dataOf(eve.calls('GET', '/api/chat/blocks')), [peer]);
  assert.deepEqual(await dataOf(ada.calls('GET', `/api/chat/conversations/${groupId}/commands`)), [
    { bot: peer, commands },
  ]);
  const asked = [bob.accountId, eve.accountId, 'usr_x'].join();
  const present = await dataOf(
    ada.calls('GET', `/api/chat/conversations/${groupId}/people?userIds=${asked}`),
  );
  assert.deepEqual(
    present.map(({ userId }: { userId: string }) => userId),
    [bob.accountId],
  );
});

test('messages that a list shows instead of hidden ones are looked for in one conversation after another', async (t) => {
  let sent: string[] = [];
  const watch = (db: Database) =>
    new Proxy(db, {
      apply(tag, self, given) {
        const text = String(given[0]);
        if (text.includes('from hidden_messages')) sent.push('hidden');
        else if (text.includes('order by msg_id desc') && !text.includes('lateral')) sent.push('older');
        return Reflect.apply(tag, self, given);
      },
    });
  const world = await createWorldFor(t, {}, { watch });
  const [ada, ...others] = await world.people('Ada', 'Bob', 'Carol', 'Dan');
  for (const other of others) {
    await other.writes(ada, 'hello');
    const { conversationId, msgId } = await other.writes(ada, 'spam');
    await ada.calls('POST', `/api/chat/conversations/${conversationId}/messages/${msgId}/hide`);
  }
  sent = [];
  const { conversations } = (await ada.calls('GET', '/api/chat/conversations')).body.data;
  assert.deepEqual(
    conversations.map(({ lastMessage }: Conversation) => lastMessage?.content),
    ['hello', 'hello', 'hello'],
  );
  assert.deepEqual(sent, ['hidden', 'older', 'hidden', 'older', 'hidden', 'older', 'hidden']);
});
