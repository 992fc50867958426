import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Bot, createWorldFor, type Person } from '#testing/world.ts';

/** A group of Ada's with Ben and two bots, of which the first is quiet. */
async function createScene(t: TestContext) {
  const world = await createWorldFor(t);
  const [quiet, other] = [await world.bot({ username: 'quiet_bot' }), await world.bot()];
  const [ada, ben] = [await world.person('Ada'), await world.person('Ben')];
  const turn = (isOn: boolean) => world.switches(quiet, 'quiet_in_groups', isOn);
  await turn(true);
  const groupId = await ada.makesGroup([quiet, other, ben]);
  const writes = async (from: Person, content: string, more: object = {}): Promise<string> =>
    (await from.writesIn(groupId, { type: 'text', content, ...more })).msgId;
  return { world, quiet, other, ada, ben, groupId, turn, writes };
}

async function heard(bot: Bot): Promise<string[]> {
  const { events } = (await bot.calls('GET', '/v1/events')).body.data;
  return events.map(({ event }: { event: { data: { textMsg: string } } }) => event.data.textMsg);
}

test('a quiet bot gets commands, mentions and answers to it, and others get everything', async (t) => {
  const { quiet, other, ada, ben, groupId, writes } = await createScene(t);
  const msgId = await quiet.writesIn(groupId, 'I am here');
  const first = await writes(ada, 'good morning');
  await writes(ben, 'and to you', { replyToMsgId: first });
  await writes(ada, '/weather');
  await writes(ben, 'what does @quiet_bot say?', { mentionedUserIds: [quiet.accountId] });
  await writes(ada, 'hello', { replyToMsgId: msgId });
  await writes(ada, '/');
  assert.deepEqual(await heard(quiet), ['/weather', 'what does @quiet_bot say?', 'hello']);
  assert.deepEqual(await heard(other), [
    'I am here',
    'good morning',
    'and to you',
    '/weather',
    'what does @quiet_bot say?',
    'hello',
    '/',
  ]);
});

test('it reads no more of the group than it gets, and all of a private conversation', async (t) => {
  const { quiet, ada, groupId, turn, writes } = await createScene(t);
  const hidden = await writes(ada, 'between us');
  const command = await writes(ada, '/weather');
  const read = async (id: string) => {
    const { messages } = (await quiet.calls('GET', `/v1/conversations/${id}/messages`)).body.data;
    return messages.map(({ textMsg }: { textMsg: string }) => textMsg);
  };
  const status = async (msgId: string) =>
    (await quiet.calls('GET', `/v1/messages/${msgId}?conversationId=${groupId}`)).status;
  assert.deepEqual(await read(groupId), ['/weather']);
  assert.deepEqual([await status(hidden), await status(command)], [404, 200]);
  await ada.writes(quiet, 'only to you');
  assert.deepEqual(await read(ada.accountId), ['only to you']);
  await turn(false);
  assert.deepEqual(await read(groupId), ['/weather', 'between us']);
  await writes(ada, 'and now?');
  assert.deepEqual((await heard(quiet)).at(-1), 'and now?');
});

test('of edits, deletions, reactions and votes, it hears if the message concerns it', async (t) => {
  const { world, quiet, other, ada, ben, groupId, turn, writes } = await createScene(t);
  const chosen = ['message.edited', 'message.deleted', 'reaction.changed', 'poll.voted'] as const;
  for (const bot of [quiet, other]) await world.switches(bot, chosen);
  const polls = '/api/chat/polls';
  const asked = { groupId, question: 'When?', options: ['Saturday', 'Sunday'] };
  const { msgId: pollId, poll } = (await ada.calls('POST', polls, asked)).body.data;
  const talk = await writes(ada, 'between us');
  const command = await writes(ada, '/weather');
  for (const id of [talk, command]) {
    const message = `/api/chat/conversations/${groupId}/messages/${id}`;
    await ben.calls('PUT', `${message}/reactions`, { emoji: ['👍'] });
    await ada.calls('PATCH', message, { text: 'never mind' });
  }
  await ben.calls('POST', `${polls}/vote`, { messageId: pollId, groupId, optionId: poll.options[0].id });
  const changes = async (bot: Bot) => {
    const { events } = (await bot.calls('GET', '/v1/events')).body.data;
    return events
      .filter(({ event }: { event: { type: string } }) => chosen.some((type) => type === event.type))
      .map(({ event: { type, data } }: { event: { type: string; data: { msgId: string } } }) => [
        type,
        data.msgId,
      ]);
  };
  const ofCommand = [
    ['reaction.changed', command],
    ['message.edited', command],
  ];
  assert.deepEqual(await changes(quiet), ofCommand);
  assert.deepEqual(await changes(other), [
    ['reaction.changed', talk],
    ['message.edited', talk],
    ...ofCommand,
    ['poll.voted', pollId],
  ]);
  const gone = await writes(ada, '/forecast');
  for (const id of [talk, gone])
    await ada.calls('DELETE', `/api/chat/conversations/${groupId}/messages/${id}`);
  assert.deepEqual((await changes(quiet)).at(-1), ['message.deleted', gone]);
  await turn(false);
  await ada.calls('DELETE', `/api/chat/conversations/${groupId}/messages/${command}`);
  assert.deepEqual((await changes(quiet)).slice(ofCommand.length), [
    ['message.deleted', gone],
    ['message.deleted', command],
  ]);
});

test('people see in its profile whether a bot is quiet', async (t) => {
  const { quiet, ada, turn } = await createScene(t);
  const shown = async () =>
    (await ada.calls('GET', '/api/chat/profiles?username=quiet_bot')).body.data.isQuietInGroups;
  assert.equal(await shown(), true);
  await turn(false);
  assert.equal(await shown(), false);
  assert.equal(quiet.username, 'quiet_bot');
});
