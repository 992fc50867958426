import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { plain, refusal } from '#testing/answers.ts';
import { damage } from '#testing/damage.ts';
import { fileOf } from '#testing/files.ts';
import { uploadScene } from '#testing/upload-scene.ts';
import { type Bot, createWorldFor, type Person, type World } from '#testing/world.ts';

interface Page {
  messages: { msgId: string; textMsg: string; from: string }[];
  nextBefore?: string;
}

async function scene(t: TestContext): Promise<{ world: World; ada: Person; bot: Bot }> {
  const world = await createWorldFor(t, {
    publicUrl: 'https://chat.example.com',
    requestsPerMinute: 1_000_000,
  });
  const [ada, bot] = [await world.person('Ada'), await world.bot({ requestsPerMinute: 1_000_000 })];
  await ada.writes(bot, 'hi');
  return { world, ada, bot };
}

const NO_CONVERSATION = refusal(404, 'not-found', 'there is no such conversation');
const NO_MESSAGE = refusal(404, 'not-found', 'no message of this conversation has the id in `msgId`');

const lists = (bot: Bot, conversationId: string, query = '') =>
  bot.calls('GET', `/v1/conversations/${conversationId}/messages${query}`).then(plain);
const gets = (bot: Bot, msgId: string, conversationId: string) =>
  bot.calls('GET', `/v1/messages/${msgId}?conversationId=${conversationId}`).then(plain);
const textsOf = ({ body }: { body: { data: Page } }) => body.data.messages.map(({ textMsg }) => textMsg);

test('a private conversation: what both wrote, as events say it, newest first', async (t) => {
  const { world, ada, bot } = await scene(t);
  const [first] = await ada.reads(bot);
  const gif = await ada.writes(bot, { type: 'gif', fileUrl: 'https://cdn.example.com/cat.gif' });
  const msgId = await bot.writes(ada, { type: 'text', content: 'Hello', replyToMsgId: first?.msgId });
  world.clock.advance({ minutes: 1 });
  await bot.calls('PATCH', `/v1/messages/${msgId}`, { conversationId: ada.accountId, content: 'Hello!' });
  const expected = [
    {
      msgId,
      type: 'text',
      textMsg: 'Hello!',
      replyToMsgId: first?.msgId,
      from: bot.accountId,
      chatId: ada.accountId,
      sentAt: gif.sentAt,
      editedAt: world.clock.now(),
    },
    {
      msgId: gif.msgId,
      type: 'gif',
      textMsg: '',
      fileUrl: 'https://cdn.example.com/cat.gif',
      gifUrl: 'https://cdn.example.com/cat.gif',
      from: ada.accountId,
      chatId: ada.accountId,
      sentAt: gif.sentAt,
    },
    {
      msgId: first?.msgId,
      type: 'text',
      textMsg: 'hi',
      from: ada.accountId,
      chatId: ada.accountId,
      sentAt: first?.sentAt,
    },
  ];
  assert.deepEqual(await lists(bot, ada.accountId), {
    status: 200,
    body: {
      status: 'success',
      message: 'messages, newest first',
      data: { messages: expected },
      timestamp: world.clock.now(),
    },
  });
  for (const message of expected)
    assert.deepEqual((await gets(bot, message.msgId as string, ada.accountId)).body.data, message);
  const { events } = (await bot.calls('GET', '/v1/events')).body.data;
  assert.deepEqual(
    events.map(({ event }: { event: { data: object } }) => event.data),
    expected.slice(1).reverse(),
  );
});

test('a conversation is read page by page; deleted messages and those that cannot be read are left out', async (t) => {
  const { world, ada, bot } = await scene(t);
  const written: string[] = ['hi'];
  for (let i = 0; i < 60; i++) written.push((await ada.writes(bot, `message ${i}`)).content as string);
  const first = await lists(bot, ada.accountId);
  const second = await lists(bot, ada.accountId, `?before=${first.body.data.nextBefore}`);
  assert.equal(first.body.data.messages.length, 50);
  assert.equal(second.body.data.nextBefore, undefined);
  assert.deepEqual([...textsOf(first), ...textsOf(second)], written.toReversed());

  const [gone, damaged] = first.body.data.messages;
  const { conversationId } = (await ada.reads(bot))[0] as { conversationId: string };
  await ada.calls('DELETE', `/api/chat/conversations/${conversationId}/messages/${gone.msgId}`);
  await damage(world.db, { table: 'messages', column: 'body' }, { column: 'msg_id', value: damaged.msgId });
  assert.deepEqual(textsOf(await lists(bot, ada.accountId)), textsOf(first).slice(2));
  assert.deepEqual(await gets(bot, gone.msgId, ada.accountId), NO_MESSAGE);
  const unreadable = await gets(bot, damaged.msgId, ada.accountId);
  assert.deepEqual([unreadable.status, unreadable.body.code], [400, 'failed-precondition']);
});

test('a group from the moment at which the bot joined: mentions and polls, but no notices', async (t) => {
  const { world, ada, bot } = await scene(t);
  const groupId = await ada.makesGroup();
  const { msgId: before } = await ada.writesIn(groupId, 'before the bot');
  world.clock.advance({ seconds: 1 });
  const added = { groupId, memberIds: [bot.accountId] };
  assert.equal((await ada.calls('POST', '/api/chat/groups/members', added)).status, 200);
  await ada.writesIn(groupId, { type: 'text', content: 'hi bot', mentionedUserIds: [bot.accountId] });
  const poll = { groupId, question: 'Go?', options: ['Yes', 'No'] };
  await ada.calls('POST', '/api/chat/polls', poll);
  const { body } = await lists(bot, groupId);
  assert.deepEqual(
    body.data.messages.map(({ type, isMentioned, mentionedUserIds, ...one }: Record<string, unknown>) => [
      type,
      isMentioned,
      mentionedUserIds,
      one['groupId'],
      one['chatId'],
    ]),
    [
      ['poll', false, [], groupId, undefined],
      ['text', true, [bot.accountId], groupId, undefined],
    ],
  );
  assert.deepEqual(Object.keys(body.data.messages[0].poll).sort(), [
    'allowMultipleAnswers',
    'id',
    'isAnonymous',
    'options',
    'question',
  ]);
  assert.deepEqual(Object.keys(body.data.messages[0].poll.options[0]), ['id', 'text']);
  assert.deepEqual(await gets(bot, before, groupId), NO_MESSAGE);

  world.clock.advance({ seconds: 1 });
  await bot.leaves(groupId);
  assert.deepEqual(await lists(bot, groupId), NO_CONVERSATION);
  await ada.calls('POST', '/api/chat/groups/members', added);
  assert.deepEqual(textsOf(await lists(bot, groupId)), [], 'it joined anew');
});

test('conversations of others are 404, and so are messages of other conversations', async (t) => {
  const { world, ada, bot } = await scene(t);
  const [bob, other] = [await world.person('Bob'), await world.bot()];
  await ada.writes(bob, 'between people');
  await bob.writes(other, 'to another bot');
  const foreign = await ada.writes(other, 'to another bot');
  const groupId = await ada.makesGroup();
  const [own] = (await lists(bot, ada.accountId)).body.data.messages;
  for (const id of [bob.accountId, groupId, foreign.conversationId, 'usr_nobody', other.accountId]) {
    assert.deepEqual(await lists(bot, id), NO_CONVERSATION, id);
    assert.deepEqual(await gets(bot, own.msgId, id), NO_CONVERSATION, id);
  }
  assert.deepEqual(await gets(bot, foreign.msgId, ada.accountId), NO_MESSAGE);
  assert.deepEqual(await gets(bot, 'msg_nothing', ada.accountId), NO_MESSAGE);
  const missing = await bot.calls('GET', `/v1/messages/${own.msgId}`);
  assert.equal(missing.body.message, 'conversationId is required');
});

test('an upload is a link to this server, which the bot can load', async (t) => {
  const { world, uploads, get } = await uploadScene(t, { publicUrl: 'https://chat.example.com' });
  const [ada, bot] = [await world.person('Ada'), await world.bot()];
  const { url } = await uploads(ada, 'kind=image&fileName=cat.png', fileOf('png'));
  const { msgId } = await ada.writes(bot, { type: 'image', fileUrl: url });
  const { fileUrl } = (await gets(bot, msgId, ada.accountId)).body.data;
  assert.equal(fileUrl, `https://chat.example.com${url}`);
  assert.equal((await get(new URL(fileUrl).pathname)).statusCode, 200);
});
