import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ChatMessage, Conversation } from '#contract/chat.ts';
import { privateConversationId } from '#platform/ids.ts';
import type { LiveEvent } from '#platform/live.ts';
import { columnsOf } from '#testing/columns.ts';
import { damage } from '#testing/damage.ts';
import { fileOf } from '#testing/files.ts';
import { uploadScene } from '#testing/upload-scene.ts';
import { eventually } from '#testing/waits.ts';
import { createWorld, type Person, type World } from '#testing/world.ts';

const pathOf = ({ conversationId, msgId }: Pick<ChatMessage, 'conversationId' | 'msgId'>) =>
  `/api/chat/conversations/${conversationId}/messages/${msgId}`;

/** One person's change of a message and its result: the status and the reason of a refusal. */
async function edits(person: Person, message: ChatMessage, text: string) {
  const { status, reason, body } = await person.calls('PATCH', pathOf(message), { text });
  return { status, reason, data: body.data as ChatMessage };
}

async function deletes(person: Person, message: ChatMessage) {
  const { status, reason } = await person.calls('DELETE', pathOf(message));
  return { status, reason };
}

async function hides(person: Person, message: ChatMessage) {
  return (await person.calls('POST', `${pathOf(message)}/hide`)).status;
}

async function conversationOf(person: Person, { conversationId }: ChatMessage): Promise<Conversation> {
  return (await person.calls('GET', `/api/chat/conversations/${conversationId}`)).body.data;
}

function receivedBy(t: TestContext, { live }: World, topic: string): LiveEvent[] {
  const received: LiveEvent[] = [];
  t.after(live.subscribe(topic, (event) => received.push(event)));
  return received;
}

test('a person edits their own text, and everybody in the conversation sees the new version', async (t) => {
  await using world = await createWorld();
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  const message = await ada.writes(bob, 'teh first');
  const quoting = await bob.writes(ada, { type: 'text', content: 'what?', replyToMsgId: message.msgId });
  const received = receivedBy(t, world, bob.accountId);
  world.clock.advance({ hours: 1 });
  const { status, data } = await edits(ada, message, 'the first');
  assert.equal(status, 200);
  const changed = { ...message, content: 'the first', editedAt: world.clock.now() };
  assert.deepEqual(data, changed);
  assert.deepEqual(received, [{ type: 'message.changed', data: changed }]);
  const [shownQuoting, shown] = await bob.reads(ada);
  assert.deepEqual(shown, changed);
  assert.equal(shownQuoting?.msgId, quoting.msgId);
  assert.equal(shownQuoting?.quote?.excerpt, 'the first');
});

test('a forwarded message, which names another author, cannot be edited', async () => {
  await using world = await createWorld();
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  const { conversationId, msgId } = await bob.writes(ada, 'I agree');
  for (const isAnonymous of [false, true]) {
    const asked = { conversationId, msgId, to: bob.accountId, isAnonymous };
    const { data } = (await ada.calls('POST', '/api/chat/messages/forward', asked)).body;
    const { status, reason } = await edits(ada, data, 'I do not agree');
    assert.deepEqual([status, reason], [400, 'message.forwarded']);
  }
  assert.deepEqual(
    (await bob.reads(ada)).map(({ content }) => content),
    ['I agree', 'I agree', 'I agree'],
  );
});

test('a caption is edited and removed; nothing else of the message changes', async () => {
  await using world = await createWorld();
  const [ada, bob] = [await world.person(), await world.person()];
  const picture = { type: 'image', fileUrl: 'https://example.com/a.jpg', caption: 'Teh sea' };
  const message = await ada.writes(bob, picture);
  const { data } = await edits(ada, message, 'The sea');
  assert.deepEqual([data.caption, data.fileUrl], ['The sea', picture.fileUrl]);
  assert.equal('caption' in (await edits(ada, message, '')).data, false);
  assert.equal((await edits(ada, message, '😀'.repeat(1024))).status, 200);
  assert.equal((await edits(ada, message, '😀'.repeat(1025))).reason, 'field.too-long');
});

test('messages of others, without text, too old, or where one may not write cannot be edited', async () => {
  await using world = await createWorld();
  const [ada, bob, stranger] = [await world.person(), await world.person(), await world.person()];
  const message = await ada.writes(bob, 'hello');
  const place = await ada.writes(bob, { type: 'location', location: { latitude: 1, longitude: 2 } });
  assert.deepEqual(
    [
      await edits(bob, message, 'x'),
      await edits(stranger, message, 'x'),
      await edits(ada, place, 'x'),
      await edits(ada, message, '  '),
      await edits(ada, { ...message, msgId: world.newId('msg') }, 'x'),
    ].map(({ status, reason }) => [status, reason]),
    [
      [403, 'message.not-yours'],
      [404, 'conversation.unknown'],
      [400, 'message.no-text'],
      [400, 'field.blank'],
      [404, 'conversation.no-message'],
    ],
  );
  await bob.blocks(ada);
  assert.equal((await edits(ada, message, 'look at me')).reason, 'recipient.not-taking');
  await bob.unblocks(ada);
  world.clock.advance({ hours: 49 });
  assert.equal((await edits(ada, message, 'x')).reason, 'message.too-old');
  assert.equal((await deletes(ada, message)).reason, 'message.too-old');
  const [, shown] = await bob.reads(ada);
  assert.deepEqual(shown, message);
});

test('a message deleted for everybody leaves a tombstone; its quotes say so', async (t) => {
  await using world = await createWorld();
  const [ada, bob] = [await world.person(), await world.person()];
  const message = await ada.writes(bob, 'too early');
  await bob.writes(ada, { type: 'text', content: 'what?', replyToMsgId: message.msgId });
  const received = receivedBy(t, world, bob.accountId);
  assert.equal((await deletes(bob, message)).reason, 'message.not-yours');
  assert.equal((await deletes(ada, message)).status, 200);
  const { content: _, ...rest } = message;
  const tombstone = { ...rest, type: 'deleted', deletedBy: ada.accountId };
  assert.deepEqual(received, [{ type: 'message.changed', data: tombstone }]);
  const [quoting, shown] = await bob.reads(ada);
  assert.deepEqual(shown, tombstone);
  assert.deepEqual(quoting?.quote, {
    msgId: message.msgId,
    from: ada.accountId,
    type: 'deleted',
    excerpt: '',
  });
  for (const again of [await deletes(ada, message), await edits(ada, message, 'x')])
    assert.equal(again.reason, 'conversation.no-message');
});

test('no row of an edited or deleted message contains its old text', async () => {
  await using world = await createWorld();
  const [ada, bot] = [await world.person(), await world.bot()];
  const message = await ada.writes(bot, 'first words');
  await edits(ada, message, 'second words');
  const sealed = async () => {
    const [row] = await world.db<{ body: Buffer; bodyKeyId: number }[]>`
      select body, body_key_id from messages where msg_id = ${message.msgId}`;
    return world.keyring.open(
      { table: 'messages', rowId: message.msgId },
      { keyId: row?.bodyKeyId as number, ciphertext: row?.body as Buffer },
    );
  };
  assert.doesNotMatch(String(await sealed()), /first/);
  await deletes(ada, message);
  assert.equal(String(await sealed()), JSON.stringify({ deletedBy: ada.accountId }));
});

test('bots: an event that was not fetched has the current text; a deleted message has no event', async () => {
  await using world = await createWorld();
  const [ada, bot] = [await world.person(), await world.bot()];
  const fetched = async (after = '') => {
    const { body } = await bot.calls('GET', `/v1/events${after && `?after=${after}`}`);
    const events = body.data.events as { event: { data: { textMsg: string } } }[];
    return { texts: events.map(({ event }) => event.data.textMsg), cursor: String(body.data.nextAfter) };
  };
  const told = await ada.writes(bot, 'told');
  const { cursor } = await fetched();
  const edited = await ada.writes(bot, 'wrong');
  const deleted = await ada.writes(bot, 'secret');
  await edits(ada, told, 'changed');
  await edits(ada, edited, 'right');
  await deletes(ada, deleted);
  assert.deepEqual((await fetched(cursor)).texts, ['right']);
  assert.deepEqual((await fetched()).texts, ['told', 'right']);
  const quoting = { to: ada.accountId, type: 'text', content: 'x', replyToMsgId: deleted.msgId };
  const answer = await bot.calls('POST', '/v1/messages', quoting);
  assert.deepEqual([answer.status, answer.body.code], [404, 'not-found']);
  assert.equal(
    (await bot.calls('POST', '/v1/messages', { ...quoting, replyToMsgId: edited.msgId })).status,
    201,
  );
});

test('what was edited or deleted after a bot was removed from the group does not reach the bot as it was', async () => {
  await using world = await createWorld();
  const [ada, bob, bot] = [await world.person(), await world.person(), await world.bot()];
  const groupId = await ada.makesGroup([bob, bot]);
  const [edited, deleted] = [await bob.writesIn(groupId, 'wrong'), await bob.writesIn(groupId, 'secret')];
  await ada.removes(groupId, bot);
  await edits(bob, edited, 'right');
  await deletes(ada, deleted);
  const { events } = (await bot.calls('GET', '/v1/events')).body.data;
  assert.deepEqual(
    events.map(({ event }: { event: { data: { textMsg: string } } }) => event.data.textMsg),
    ['right'],
  );
});

test('a group’s administrators delete anything in it, at any time; quoting it there is 404', async () => {
  await using world = await createWorld();
  const [ada, bob, carol] = [await world.person(), await world.person(), await world.person()];
  const groupId = await ada.makesGroup([bob, carol]);
  const message = await bob.writesIn(groupId, 'spam');
  world.clock.advance({ days: 3 });
  assert.equal((await deletes(carol, message)).reason, 'message.not-yours');
  assert.equal((await deletes(ada, message)).status, 200);
  const [tombstone] = (await carol.readsIn(groupId)).filter(({ msgId }) => msgId === message.msgId);
  assert.equal(tombstone?.deletedBy, ada.accountId);
  const quoting = { groupId, type: 'text', content: 'x', replyToMsgId: message.msgId };
  assert.equal((await carol.calls('POST', '/api/chat/groups/messages', quoting)).status, 404);
  const token = await world.token({ scopes: ['groups:manage'], person: carol });
  const broadcast = await world.app.inject({
    method: 'POST',
    url: '/v1/groups/broadcast',
    headers: { authorization: `Bearer ${token}` },
    payload: quoting,
  });
  assert.equal(broadcast.statusCode, 404);
});

test('the poll of a deleted message is closed, also for the API, and is not exported', async () => {
  await using world = await createWorld();
  const [ada, bob] = [await world.person(), await world.person()];
  const groupId = await ada.makesGroup([bob]);
  const asked = { groupId, question: 'Tea?', options: ['Yes', 'No'] };
  const { poll, msgId } = (await ada.calls('POST', '/api/chat/polls', asked)).body.data;
  const vote = { messageId: msgId, optionId: poll.options[0].id };
  assert.equal((await bob.calls('POST', '/api/chat/polls/vote', vote)).status, 200);
  const message = { conversationId: groupId, msgId } as ChatMessage;
  assert.equal((await edits(ada, message, 'x')).reason, 'message.no-text');
  assert.equal((await deletes(ada, message)).status, 200);
  const { status, body, reason } = await bob.calls('POST', '/api/chat/polls/vote', vote);
  assert.deepEqual([status, body.code, reason], [400, 'failed-precondition', 'poll.closed']);
  const closed = await ada.calls('POST', '/api/chat/polls/close', { messageId: msgId });
  assert.equal(closed.reason, 'poll.closed');
  assert.equal((await world.db`select 1 from poll_votes`).length, 0);
  const { body: exported } = await ada.calls('GET', '/api/auth/export');
  assert.deepEqual([exported.polls, exported.messages], [[], []]);
});

test('an upload is deleted with the last message that uses it, not with the first', async (t) => {
  const { world, uploads, get } = await uploadScene(t);
  const [ada, bob] = [await world.person(), await world.person()];
  const { url } = await uploads(ada, 'kind=image&fileName=a.png', fileOf('png'));
  const picture = { type: 'image', fileUrl: url };
  const [first, second] = [await ada.writes(bob, picture), await ada.writes(bob, picture)];
  // Somebody else uses it, too, and then deletes that message.
  const third = await bob.writes(ada, picture);
  const isThere = async () => (await get(url)).statusCode === 200;
  await deletes(ada, first);
  await deletes(bob, third);
  assert.equal(await world.media.removeUnused({ limit: 10 }), 0);
  assert.equal(await isThere(), true);
  await ada.calls('PATCH', '/api/auth/profile', { pictureUrl: url });
  await deletes(ada, second);
  assert.equal(await isThere(), true, 'it is the picture of a person');
  await world.db`update media set is_counted = false`;
  await world.db`delete from media_uses`;
  const fourth = await bob.writes(ada, picture);
  await deletes(bob, fourth);
  assert.equal(await isThere(), true, 'older uploads are ended by their owner alone');
  await deletes(ada, await ada.writes(bob, picture));
  assert.equal(await isThere(), false);
});

test('a message deleted for oneself is hidden from that person only', async (t) => {
  await using world = await createWorld();
  const [ada, bob, stranger] = [await world.person(), await world.person(), await world.person()];
  await ada.writes(bob, 'one');
  const two = await ada.writes(bob, 'two');
  const three = await ada.writes(bob, 'three');
  const received = receivedBy(t, world, bob.accountId);
  assert.equal(await hides(bob, three), 200);
  assert.equal(await hides(bob, two), 200);
  assert.equal(await hides(bob, two), 200);
  assert.equal(await hides(stranger, two), 404);
  assert.deepEqual(received[0], {
    type: 'message.hidden',
    data: { conversationId: three.conversationId, msgId: three.msgId },
  });
  const { lastMessage, unreadCount } = await conversationOf(bob, two);
  assert.deepEqual([lastMessage?.content, unreadCount], ['one', 0]);
  assert.deepEqual(
    (await bob.reads(ada)).map(({ content }) => content),
    ['one'],
  );
  assert.deepEqual(
    (await ada.reads(bob)).map(({ content }) => content),
    ['three', 'two', 'one'],
  );
  const elsewhere = await stranger.writes(bob, 'unread');
  const four = await bob.writes(ada, 'four');
  assert.equal(await hides(bob, four), 200);
  const unread = [await conversationOf(ada, four), await conversationOf(bob, elsewhere)];
  assert.deepEqual(columnsOf(unread, 'unreadCount'), [[1], [1]], 'nothing else is read by that');
});

test('a page whose messages are all deleted for oneself continues with the next', async () => {
  await using world = await createWorld();
  const [ada, bob] = [await world.person(), await world.person()];
  await ada.writes(bob, 'the first');
  await bob.writes(ada, 'hello');
  for (let i = 0; i < 60; i++) await hides(bob, await ada.writes(bob, `message ${i}`));
  const conversationId = privateConversationId(ada.accountId, bob.accountId);
  assert.deepEqual(
    (await bob.readsIn(conversationId)).map(({ content }) => content),
    ['hello', 'the first'],
  );
  const [listed] = (await bob.calls('GET', '/api/chat/conversations')).body.data.conversations;
  assert.equal(listed.lastMessage.content, 'hello');
});

test('changes of a group appear in its thread, and do not count as messages', async (t) => {
  await using world = await createWorld();
  const [ada, bob, carol] = await world.people('Ada', 'Bob', 'Carol');
  const bot = await world.bot();
  await ada.writes(bot, 'hello');
  const groupId = await ada.makesGroup([bob]);
  const groups = async (person: Person, path: string, body: object, method: 'POST' | 'PATCH' = 'POST') =>
    assert.equal((await person.calls(method, `/api/chat/groups/${path}`, { groupId, ...body })).status, 200);
  await groups(ada, 'members', { memberIds: [bot.accountId, carol.accountId] });
  const received = receivedBy(t, world, groupId);
  await groups(ada, 'details', { name: 'Tea at five' }, 'PATCH');
  await groups(ada, 'details', { name: 'Tea at five', description: 'Daily' }, 'PATCH');
  await groups(ada, 'members/role', { memberId: bob.accountId, isAdmin: true }, 'PATCH');
  const message = await carol.writesIn(groupId, 'spam');
  await deletes(bob, message);
  await groups(bob, 'members/remove', { memberId: carol.accountId });
  await groups(ada, 'members/remove', { memberId: ada.accountId });
  const lines = (await bob.readsIn(groupId)).reverse();
  assert.deepEqual(
    lines.map(({ from, type, notice }) => (type === 'notice' ? [from, notice] : type)),
    [
      [ada.accountId, { kind: 'joined', userIds: [bot.accountId, carol.accountId] }],
      [ada.accountId, { kind: 'renamed', name: 'Tea at five' }],
      [ada.accountId, { kind: 'promoted', userIds: [bob.accountId] }],
      'deleted',
      [bob.accountId, { kind: 'message-deleted', userIds: [carol.accountId] }],
      [bob.accountId, { kind: 'removed', userIds: [carol.accountId] }],
      [ada.accountId, { kind: 'left' }],
    ],
  );
  const isRenaming = ({ type, data }: LiveEvent) =>
    type === 'message' && (data as ChatMessage).notice?.kind === 'renamed';
  const renamed = (await eventually(() => received.find(isRenaming))).data as ChatMessage;
  assert.deepEqual(
    renamed.people?.map(({ name }) => name),
    ['Ada'],
  );
  const [listed] = (await bob.calls('GET', '/api/chat/conversations')).body.data.conversations;
  // Carol's text before it was deleted.
  assert.deepEqual([listed.unreadCount, listed.lastMessage.notice.kind], [1, 'left']);
  const { events } = (await bot.calls('GET', '/v1/events')).body.data;
  assert.deepEqual([events.length, events[0].event.data.textMsg], [1, 'hello']);
  const line = lines[0] as ChatMessage;
  assert.equal((await deletes(bob, line)).reason, 'conversation.no-message');
  const quoting = { groupId, type: 'text', content: 'x', replyToMsgId: line.msgId };
  assert.equal((await bot.calls('POST', '/v1/messages/group', quoting)).status, 404);
});

test('a message that can no longer be read is not edited, without a server error', async () => {
  await using world = await createWorld();
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  const message = await ada.writes(bob, 'Tea?');
  await damage(world.db, { table: 'messages', column: 'body' }, { column: 'msg_id', value: message.msgId });
  const { status, reason } = await edits(ada, message, 'Coffee?');
  assert.deepEqual([status, reason], [400, 'message.unreadable']);
});
