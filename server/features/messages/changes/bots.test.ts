import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { privateConversationId } from '#platform/ids.ts';
import type { LiveEvent } from '#platform/live.ts';
import { invalid, missing, plain, precondition, refusal } from '#testing/answers.ts';
import { type Bot, createWorldFor } from '#testing/world.ts';

async function scene(t: TestContext) {
  const world = await createWorldFor(t);
  const [ada, bot] = [await world.person('Ada'), await world.bot()];
  await ada.writes(bot, 'hi');
  return { world, ada, bot };
}

const TEXT = 'Sunny, 21 °C.';
const IMAGE = { type: 'image', fileUrl: 'https://cdn.example.com/map.png', caption: 'a map' };
const UNKNOWN = missing('no message of this conversation has the id in `msgId`');
const NO_CONVERSATION = missing('there is no such conversation');

const edits = (bot: Bot, msgId: string, body: object) =>
  bot.calls('PATCH', `/v1/messages/${msgId}`, body).then(plain);
const deletes = (bot: Bot, msgId: string, conversationId: string) =>
  bot.calls('DELETE', `/v1/messages/${msgId}`, { conversationId }).then(plain);

test('a bot edits its own text, and the person sees the new version with the mark, at once', async (t) => {
  const { world, ada, bot } = await scene(t);
  const msgId = await bot.writes(ada, TEXT);
  const received: LiveEvent[] = [];
  t.after(world.live.subscribe(ada.accountId, (event) => received.push(event)));
  const sentAt = world.clock.now();
  world.clock.advance({ hours: 48 });
  const editedAt = world.clock.now();
  assert.deepEqual(await edits(bot, msgId, { conversationId: ada.accountId, content: 'Rain.' }), {
    status: 200,
    body: {
      status: 'success',
      message: 'message edited',
      data: {
        msgId,
        type: 'text',
        textMsg: 'Rain.',
        from: bot.accountId,
        chatId: ada.accountId,
        sentAt,
        editedAt,
      },
      timestamp: editedAt,
    },
  });
  const shown = {
    msgId,
    conversationId: privateConversationId(ada.accountId, bot.accountId),
    from: bot.accountId,
    type: 'text',
    content: 'Rain.',
    sentAt,
    editedAt,
  };
  assert.deepEqual(received, [{ type: 'message.changed', data: shown }]);
  assert.deepEqual((await ada.reads(bot))[0], shown);
});

test('a caption is changed and removed; a field that the type does not use is 400, and so is a type without text', async (t) => {
  const { ada, bot } = await scene(t);
  const conversationId = ada.accountId;
  const image = await bot.writes(ada, IMAGE);
  const changed = await edits(bot, image, { conversationId, caption: 'the map' });
  assert.deepEqual([changed.body.data.caption, changed.body.data.fileUrl], ['the map', IMAGE.fileUrl]);
  assert.equal((await edits(bot, image, { conversationId, caption: '' })).body.data.caption, undefined);
  const text = await bot.writes(ada, TEXT);
  const gif = await bot.writes(ada, { type: 'gif', fileUrl: IMAGE.fileUrl });
  const cases: [msgId: string, body: object, code: string, message: string][] = [
    [image, { conversationId, content: 'x' }, 'invalid-argument', 'content is not used by this type'],
    [text, { conversationId, caption: 'x' }, 'invalid-argument', 'caption is not used by this type'],
    [
      text,
      { conversationId, content: 'x', caption: '' },
      'invalid-argument',
      'caption is not used by this type',
    ],
    [text, { conversationId }, 'invalid-argument', 'content is required'],
    [text, { conversationId, content: ' ' }, 'invalid-argument', 'content must not be blank'],
    [text, { conversationId, content: '' }, 'invalid-argument', 'content must have at least 1 character'],
    [text, { content: 'x' }, 'invalid-argument', 'conversationId is required'],
    [
      gif,
      { conversationId, content: 'x' },
      'failed-precondition',
      'a message of this type has no text to edit',
    ],
  ];
  for (const [msgId, body, code, message] of cases)
    assert.deepEqual(await edits(bot, msgId, body), refusal(400, code, message), JSON.stringify(body));
  const long = await edits(bot, text, { conversationId, content: 'x'.repeat(4097) });
  assert.deepEqual(long, invalid('content must have at most 4096 characters'));
});

test('messages of others, of other conversations, deleted and unknown ones are 404; so are conversations of others', async (t) => {
  const { world, ada, bot } = await scene(t);
  const [bob, other] = [await world.person('Bob'), await world.bot()];
  await bob.writes(bot, 'hi');
  await ada.writes(other, 'hi');
  const own = await bot.writes(ada, TEXT);
  const groupId = await ada.makesGroup([bot, other]);
  const foreign = await ada.writes(bot, 'mine');
  const ofOther = await other.writesIn(groupId, TEXT);
  const gone = await bot.writes(ada, TEXT);
  assert.equal((await deletes(bot, gone, ada.accountId)).status, 200);
  const cases: [msgId: string, conversationId: string, expected: typeof UNKNOWN][] = [
    [foreign.msgId, ada.accountId, UNKNOWN],
    [ofOther, groupId, UNKNOWN],
    [own, bob.accountId, UNKNOWN],
    [own, groupId, UNKNOWN],
    [gone, ada.accountId, UNKNOWN],
    ['msg_nothing', ada.accountId, UNKNOWN],
    [own, (await world.person('Eve')).accountId, NO_CONVERSATION],
    [own, 'usr_nobody', NO_CONVERSATION],
    [own, 'grp_00000000000000000000000a', NO_CONVERSATION],
    [own, await ada.makesGroup([other]), NO_CONVERSATION],
    [own, privateConversationId(ada.accountId, bot.accountId), NO_CONVERSATION],
  ];
  for (const [msgId, conversationId, expected] of cases) {
    assert.deepEqual(await edits(bot, msgId, { conversationId, content: 'x' }), expected, conversationId);
    assert.deepEqual(await deletes(bot, msgId, conversationId), expected, conversationId);
  }
  const stays = (await ada.reads(bot)).find(({ msgId }) => msgId === foreign.msgId);
  assert.equal(stays?.content, 'mine');
});

test('a bot deletes its own message for everybody; an administrator at any time, and still no message of others', async (t) => {
  const { world, ada, bot } = await scene(t);
  const msgId = await bot.writes(ada, TEXT);
  assert.deepEqual((await deletes(bot, msgId, ada.accountId)).body.data, { deleted: true });
  const [tombstone] = await ada.reads(bot);
  assert.deepEqual(
    [tombstone?.msgId, tombstone?.type, tombstone?.deletedBy],
    [msgId, 'deleted', bot.accountId],
  );

  const groupId = await ada.makesGroup([bot]);
  const [first, second] = [await bot.writesIn(groupId, TEXT), await bot.writesIn(groupId, TEXT)];
  const { msgId: foreign } = await ada.writesIn(groupId, 'mine');
  const old = await bot.writes(ada, TEXT);
  world.clock.advance({ hours: 48, milliseconds: 1 });
  const tooOld = precondition('a message can be edited, or deleted for everybody, only for 48 hours');
  assert.deepEqual(await deletes(bot, old, ada.accountId), tooOld);
  assert.deepEqual(await edits(bot, old, { conversationId: ada.accountId, content: 'x' }), tooOld);
  assert.deepEqual(await deletes(bot, first, groupId), tooOld);
  const role = { groupId, memberId: bot.accountId, isAdmin: true };
  assert.equal((await ada.calls('PATCH', '/api/chat/groups/members/role', role)).status, 200);
  assert.equal((await deletes(bot, first, groupId)).status, 200);
  assert.deepEqual(await edits(bot, second, { conversationId: groupId, content: 'x' }), tooOld);
  assert.deepEqual(await deletes(bot, foreign, groupId), UNKNOWN);
});

test('who may not write may not edit, but may delete; a group that was left is not the bot’s any more', async (t) => {
  const { ada, bot } = await scene(t);
  const [first, second] = [await bot.writes(ada, TEXT), await bot.writes(ada, TEXT)];
  await ada.blocks(bot);
  const edit = { conversationId: ada.accountId, content: 'x' };
  assert.deepEqual(
    await edits(bot, first, edit),
    refusal(403, 'permission-denied', 'the user blocked this bot'),
  );
  assert.equal((await deletes(bot, first, ada.accountId)).status, 200);
  await ada.unblocks(bot);
  assert.equal((await edits(bot, second, edit)).status, 200);

  const groupId = await ada.makesGroup([bot]);
  const posted = await bot.writesIn(groupId, TEXT);
  await ada.calls('PATCH', '/api/chat/groups/details', { groupId, sendMessages: false });
  const denied = refusal(403, 'permission-denied', 'only administrators write in this group');
  const refused = await edits(bot, posted, { conversationId: groupId, content: 'x' });
  assert.deepEqual([refused.status, refused.body.code], [denied.status, denied.body.code]);
  await bot.leaves(groupId);
  assert.deepEqual(await deletes(bot, posted, groupId), NO_CONVERSATION);
});
