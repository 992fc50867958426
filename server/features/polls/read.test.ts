import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Poll } from '#contract/polls.ts';
import { type Answer, missing, plain, precondition } from '#testing/answers.ts';
import { damage } from '#testing/damage.ts';
import { pollScene } from '#testing/poll-scene.ts';

const UNKNOWN = missing('no poll of this conversation has the id in `msgId`');

test('a bot reads its poll with the votes, before and after closing it', async (t) => {
  const { world, bot, person, acts, creates } = await pollScene(t);
  const { msgId, poll } = await creates({ receiverId: person.accountId });
  const read = () => bot.calls('GET', `/v1/polls/${msgId}`).then(plain);
  const success = (data: object) => ({
    status: 200,
    body: { status: 'success', message: 'poll', data, timestamp: world.clock.now() },
  });
  assert.deepEqual(await read(), success({ poll }));
  const [first, ...others] = poll.options;
  await acts(person, '/v1/polls/vote', { messageId: msgId, optionId: first?.id });
  const options = [{ ...first, votes: 1, voters: [person.accountId] }, ...others];
  const voted = { ...poll, options, totalVotes: 1, totalVoters: 1 };
  assert.deepEqual(await read(), success({ poll: voted }));
  world.clock.advance({ minutes: 5 });
  await bot.calls('POST', '/v1/polls/close', { messageId: msgId });
  const closed = { ...voted, closed: true, closedAt: world.clock.now() };
  assert.deepEqual(await read(), success({ poll: closed }));
});

test('those in the conversation read it, and its creator even after leaving; others do not', async (t) => {
  const { world, bot, person, users, pollingBot, group, creates } = await pollScene(t);
  const [stranger, eve] = [await pollingBot(), await world.person('Eve')];
  const groupId = await group([person]);
  const inGroup = await creates({ groupId });
  const direct = await creates({ receiverId: person.accountId });
  const readAs = (accountId: string, msgId: string) =>
    users.calls({ kind: 'user', accountId }, 'GET', `/v1/polls/${msgId}`);
  const expect = (answer: Answer, status: number) => assert.equal(answer.status, status, answer.body.message);
  for (const { msgId } of [inGroup, direct]) {
    expect(await readAs(person.accountId, msgId), 200);
    expect(await readAs(eve.accountId, msgId), 403);
    expect(await stranger.calls('GET', `/v1/polls/${msgId}`), 403);
  }
  const leaves = { groupId, memberId: bot.accountId };
  expect(await bot.calls('POST', '/v1/groups/members/remove', leaves), 200);
  expect(await bot.calls('GET', `/v1/polls/${inGroup.msgId}`), 200);
  assert.deepEqual(plain(await bot.calls('GET', '/v1/polls/msg_nothing')), UNKNOWN);
  const text = await person.writes(bot, 'no poll');
  assert.deepEqual(plain(await bot.calls('GET', `/v1/polls/${text.msgId}`)), UNKNOWN);
});

test('readers of a broadcast list do not learn who else voted; its creator does', async (t) => {
  const { world, bot, person, acts, users, creates, group } = await pollScene(t);
  const other = await world.person();
  await other.writes(bot, 'hi');
  const groupId = await group([person, other], { isBroadcast: true });
  const { msgId, poll } = await creates({ groupId });
  const optionId = poll.options[0]?.id ?? '';
  const live: unknown[] = [];
  for (const topic of [groupId, bot.accountId])
    t.after(
      world.live.subscribe(topic, (event) => {
        if (event.type === 'poll.changed') live.push([topic, event.data.poll.options[0]?.voters]);
      }),
    );
  await acts(other, '/v1/polls/vote', { messageId: msgId, optionId });
  const voted = await acts(person, '/v1/polls/vote', { messageId: msgId, optionId });
  const shown = ({ options: [first] }: Poll) => [first?.votes, first?.voters?.toSorted()];
  const own = [2, [person.accountId]];
  const all = [person.accountId, other.accountId].sort();
  assert.deepEqual(shown(voted.body.data.poll), own);
  const asPerson = { kind: 'user', accountId: person.accountId } as const;
  assert.deepEqual(shown((await users.calls(asPerson, 'GET', `/v1/polls/${msgId}`)).body.data.poll), own);
  const thread = await person.calls('GET', `/api/chat/conversations/${groupId}/messages`);
  assert.deepEqual(shown(thread.body.data.messages[0].poll), own);
  assert.deepEqual(shown((await bot.calls('GET', `/v1/polls/${msgId}`)).body.data.poll), [2, all]);
  const closed = await bot.calls('POST', '/v1/polls/close', { messageId: msgId });
  assert.deepEqual(shown(closed.body.data.poll), [2, all]);
  assert.deepEqual(live.slice(0, 2), [
    [groupId, []],
    [bot.accountId, [other.accountId]],
  ]);
  assert.deepEqual(live.length, 6);
});

test('a deleted poll is 404, and one that cannot be read 400', async (t) => {
  const { world, bot, person, creates } = await pollScene(t);
  const [gone, damaged] = [
    await creates({ receiverId: person.accountId }),
    await creates({ receiverId: person.accountId }),
  ];
  const deletion = { conversationId: person.accountId };
  assert.equal((await bot.calls('DELETE', `/v1/messages/${gone.msgId}`, deletion)).status, 200);
  assert.deepEqual(plain(await bot.calls('GET', `/v1/polls/${gone.msgId}`)), UNKNOWN);
  await damage(world.db, { table: 'messages', column: 'body' }, { column: 'msg_id', value: damaged.msgId });
  assert.deepEqual(
    plain(await bot.calls('GET', `/v1/polls/${damaged.msgId}`)),
    precondition('the poll can no longer be read'),
  );
});
