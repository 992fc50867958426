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
  const said = { groupId, type: 'text', content: 'I am here' };
  const { msgId } = (await quiet.calls('POST', '/v1/messages/group', said)).body.data;
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

test('people see in its profile whether a bot is quiet', async (t) => {
  const { quiet, ada, turn } = await createScene(t);
  const shown = async () =>
    (await ada.calls('GET', '/api/chat/profiles?username=quiet_bot')).body.data.isQuietInGroups;
  assert.equal(await shown(), true);
  await turn(false);
  assert.equal(await shown(), false);
  assert.equal(quiet.username, 'quiet_bot');
});
