import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { privateConversationId } from '#platform/ids.ts';
import type { LiveEvent } from '#platform/live.ts';
import { invalid, missing, plain, precondition, refusal, success } from '#testing/answers.ts';
import { damage } from '#testing/damage.ts';
import { type Bot, createWorldFor, type Person } from '#testing/world.ts';

async function scene(t: TestContext) {
  const world = await createWorldFor(t);
  const [ada, bot] = [await world.person('Ada'), await world.bot()];
  return { world, ada, bot, message: await ada.writes(bot, 'Tea?') };
}

const UNKNOWN = missing('no message of this conversation has the id in `msgId`');
const NO_CONVERSATION = missing('there is no such conversation');

const reacts = (bot: Bot, msgId: string, conversationId: string, ...emoji: unknown[]) =>
  bot.calls('PUT', `/v1/messages/${msgId}/reactions`, { conversationId, emoji }).then(plain);

const personReacts = (person: Person, msgId: string, conversationId: string, ...emoji: string[]) =>
  person.calls('PUT', `/api/chat/conversations/${conversationId}/messages/${msgId}/reactions`, { emoji });

/** The reactions that a bot was told of: by whom, and which. */
async function heard(bot: Bot): Promise<[by: string, emoji: string[]][]> {
  const { events } = (await bot.calls('GET', '/v1/events')).body.data;
  return events.flatMap(
    ({ event: { type, data } }: { event: { type: string; data: { by: string; emoji: string[] } } }) =>
      type === 'reaction.changed' ? [[data.by, data.emoji]] : [],
  );
}

test('the person sees at once how a bot reacted; reactions of others stay; the bot takes its own back', async (t) => {
  const { world, ada, bot, message } = await scene(t);
  const { msgId } = message;
  const conversationId = privateConversationId(ada.accountId, bot.accountId);
  await personReacts(ada, msgId, conversationId, '🎉');
  const received: LiveEvent[] = [];
  t.after(world.live.subscribe(ada.accountId, (event) => received.push(event)));
  const given = [
    { emoji: '🎉', userIds: [ada.accountId, bot.accountId] },
    { emoji: '👍', userIds: [bot.accountId] },
  ];
  const answer = await reacts(bot, msgId, ada.accountId, '👍', '🎉');
  const body = success('reactions changed', { reactions: given }, world.clock.now());
  assert.deepEqual(answer, { status: 200, body });
  assert.deepEqual(await reacts(bot, msgId, ada.accountId, '🎉', '👍'), answer, 'nothing changes');
  const shown = { version: 2, given };
  assert.deepEqual(received, [
    { type: 'message.reactions', data: { conversationId, msgId, reactions: shown } },
  ]);
  assert.deepEqual((await ada.reads(bot))[0]?.reactions, shown);
  const read = (await bot.calls('GET', `/v1/messages/${msgId}?conversationId=${ada.accountId}`)).body.data;
  const { messages } = (await bot.calls('GET', `/v1/conversations/${ada.accountId}/messages`)).body.data;
  assert.deepEqual([read.reactions, messages[0].reactions], [given, given]);

  const rest = [{ emoji: '🎉', userIds: [ada.accountId] }];
  assert.deepEqual((await reacts(bot, msgId, ada.accountId)).body.data, { reactions: rest });
  await personReacts(ada, msgId, conversationId);
  const none = await bot.calls('GET', `/v1/messages/${msgId}?conversationId=${ada.accountId}`);
  assert.equal('reactions' in none.body.data, false);
});

test('what is no emoji is 400 before anything is looked up; too many are, too', async (t) => {
  const { world, ada, bot, message } = await scene(t);
  const notAnEmoji = (at: number) => invalid(`emoji.${at} must be a single emoji that is not listed twice`);
  for (const [emoji, expected] of [
    [['👍', 'a'], notAnEmoji(1)],
    [['👍', '👍'], notAnEmoji(1)],
    [[''], notAnEmoji(0)],
    [[7], invalid('emoji.0 must be of type string')],
    [Array(9).fill('👍'), invalid('emoji must have at most 8 entries')],
  ] as const)
    for (const conversationId of [ada.accountId, 'usr_nobody'])
      assert.deepEqual(await reacts(bot, message.msgId, conversationId, ...emoji), expected);
  const path = `/v1/messages/${message.msgId}/reactions`;
  const without = plain(await bot.calls('PUT', path, { conversationId: ada.accountId }));
  assert.deepEqual(without, invalid('emoji is required'));

  const other = await world.bot();
  const groupId = await ada.makesGroup([bot, other]);
  const { msgId } = await ada.writesIn(groupId, 'Tea?');
  const own = ['😍', '😘', '😗', '😛', '😜', '😝', '🤑'];
  await personReacts(ada, msgId, groupId, '😀', '😃', '😄', '😁', '😆', '😅', '😂', '🙂');
  await reacts(other, msgId, groupId, '🙃', '😉', '😊', '😇', '🤗');
  assert.equal((await reacts(bot, msgId, groupId, ...own)).status, 200);
  const full = precondition('a message can have at most 20 different reactions');
  assert.deepEqual(await reacts(bot, msgId, groupId, ...own, '👍'), full);
});

test('only what the bot can read: messages since it joined, and of its conversations', async (t) => {
  const { world, ada, bot, message } = await scene(t);
  const groupId = await ada.makesGroup();
  const { msgId: early } = await ada.writesIn(groupId, 'without bots');
  world.clock.advance({ seconds: 1 });
  await ada.adds(groupId, bot);
  const { msgId: joined } = await ada.writesIn(groupId, 'with bots');
  assert.equal((await reacts(bot, joined, groupId, '👍')).status, 200);
  const list = await ada.makesGroup([bot], { isBroadcast: true });
  const { msgId: letter } = await ada.writesIn(list, 'news');
  assert.deepEqual(
    await reacts(bot, letter, list, '👍'),
    precondition('there are no reactions in a broadcast list'),
  );
  for (const unknown of [early, message.msgId])
    assert.deepEqual(await reacts(bot, unknown, groupId, '👍'), UNKNOWN);
  await bot.leaves(groupId);
  assert.deepEqual(await reacts(bot, joined, groupId), NO_CONVERSATION, 'it has left');
  await ada.blocks(bot);
  const blocked = refusal(403, 'permission-denied', 'the user blocked this bot');
  assert.deepEqual(await reacts(bot, message.msgId, ada.accountId, '👍'), blocked);
  await ada.unblocks(bot);
  await damage(world.db, { table: 'messages', column: 'body' }, { column: 'msg_id', value: message.msgId });
  const unreadable = precondition('the message can no longer be read');
  assert.deepEqual(await reacts(bot, message.msgId, ada.accountId, '👍'), unreadable);
});

test('a bot that is quiet in groups reacts to what it gets there, and to nothing else', async (t) => {
  const { world, ada, bot } = await scene(t);
  const groupId = await ada.makesGroup([bot]);
  await world.switches(bot, 'quiet_in_groups');
  const { msgId: between } = await ada.writesIn(groupId, 'between us');
  const { msgId: command } = await ada.writesIn(groupId, '/tea');
  assert.deepEqual(await reacts(bot, between, groupId, '👍'), UNKNOWN);
  assert.equal((await reacts(bot, command, groupId, '👍')).status, 200);
});

test('other bots of the group hear of it if they chose to, and none of its own; what changes nothing is no event', async (t) => {
  const { world, ada, bot } = await scene(t);
  const [other, silent] = [await world.bot(), await world.bot()];
  for (const one of [bot, other]) await world.switches(one, 'reaction.changed');
  const groupId = await ada.makesGroup([bot, other, silent]);
  const { msgId } = await ada.writesIn(groupId, 'Tea?');
  for (const emoji of [['👍'], ['👍'], []]) await reacts(bot, msgId, groupId, ...emoji);
  await reacts(other, msgId, groupId, '🎉');
  assert.deepEqual(await heard(other), [
    [bot.accountId, ['👍']],
    [bot.accountId, []],
  ]);
  assert.deepEqual(await heard(bot), [[other.accountId, ['🎉']]]);
  assert.deepEqual(await heard(silent), []);
});

test('the reactions of a deleted bot stay, under the name of deleted bots', async (t) => {
  const { ada, bot, message } = await scene(t);
  await reacts(bot, message.msgId, ada.accountId, '👍');
  await bot.deleted();
  const path = `/api/chat/conversations/${message.conversationId}/messages`;
  const { messages, people } = (await ada.calls('GET', path)).body.data;
  assert.deepEqual(messages[0].reactions.given, [{ emoji: '👍', userIds: [bot.accountId] }]);
  const named = people.find(({ userId }: { userId: string }) => userId === bot.accountId);
  assert.equal(named.name, 'Deleted bot');
});
