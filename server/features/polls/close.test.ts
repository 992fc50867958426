import assert from 'node:assert/strict';
import { test } from 'node:test';
import { denied, invalid, missing, plain, precondition, success } from '#testing/answers.ts';
import { pollScene } from '#testing/poll-scene.ts';

test('its creator closes a poll: 200 with the final poll', async (t) => {
  const { world, bot, person, acts, creates } = await pollScene(t);
  const { msgId: messageId, poll } = await creates({ receiverId: person.accountId });
  const optionId = poll.options[0]?.id;
  await acts(person, '/v1/polls/vote', { messageId, optionId });
  await bot.calls('POST', '/v1/polls/vote', { messageId, optionId });
  world.clock.advance({ minutes: 5 });
  const closedAt = world.clock.now();
  const [first, ...others] = poll.options;
  const options = [{ ...first, votes: 2, voters: [bot.accountId, person.accountId].sort() }, ...others];
  const counts = { totalVotes: 2, totalVoters: 2, myOptionIds: [optionId] };
  const closed = { ...poll, options, ...counts, closed: true, closedAt };
  assert.deepEqual(
    plain(await bot.calls('POST', '/v1/polls/close', { messageId, receiverId: person.accountId })),
    { status: 200, body: success('poll closed', { poll: closed }, closedAt) },
  );
});

test('closing a closed poll is 400; of 20 concurrent calls one closes it', async (t) => {
  const { bot, person, creates } = await pollScene(t);
  const { msgId: messageId } = await creates({ receiverId: person.accountId });
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => bot.calls('POST', '/v1/polls/close', { messageId })),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  assert.equal(refused.length, 19);
  for (const answer of refused) {
    assert.deepEqual(plain(answer), precondition('the poll is closed'));
  }
});

test('order of checks: conversation, participant, poll, creator, closed', async (t) => {
  const { world, bot, person, acts, creates, group } = await pollScene(t);
  const groupId = await group([person]);
  const { msgId: messageId } = await creates({ groupId });
  const priv = await creates({ receiverId: person.accountId });
  const outsider = await world.person();
  const close = async (user: { accountId: string }, body: object) =>
    plain(await acts(user, '/v1/polls/close', body));
  const notCreator = denied('only the creator of a poll can close it');
  const notMember = denied('you are not a member of this group');
  assert.deepEqual(await close(outsider, { groupId, messageId: 'nonsense' }), notMember);
  const notThere = missing('no poll of this conversation has the id in `messageId`');
  assert.deepEqual(await close(person, { groupId, messageId: priv.msgId }), notThere);
  assert.deepEqual(await close(person, { messageId }), notCreator);
  assert.deepEqual(await close(person, { messageId: priv.msgId }), notCreator);
  assert.equal((await bot.calls('POST', '/v1/polls/close', { messageId })).status, 200);
  assert.deepEqual(await close(person, { messageId }), notCreator);
  assert.deepEqual(await close(person, {}), invalid('messageId is required'));
});

test('its creator can close, but not vote on, a poll in a group that it has left', async (t) => {
  const { bot, person, acts, creates, group } = await pollScene(t);
  const groupId = await group([person]);
  const other = await creates({ groupId: await group([person]) });
  const polls = [await creates({ groupId }), await creates({ groupId })];
  const voted = { messageId: polls[0]?.msgId, optionId: polls[0]?.poll.options[0]?.id };
  await acts(person, '/v1/polls/vote', voted);
  await bot.leaves(groupId);
  const notMember = denied('you are not a member of this group');
  assert.deepEqual(plain(await bot.calls('POST', '/v1/polls/vote', voted)), notMember);
  const elsewhere = { groupId, messageId: other.msgId };
  assert.deepEqual(plain(await bot.calls('POST', '/v1/polls/close', elsewhere)), notMember);
  for (const [i, { msgId: messageId }] of polls.entries()) {
    const body = { messageId, ...(i === 0 && { groupId }) };
    const closed = await bot.calls('POST', '/v1/polls/close', body);
    assert.deepEqual([closed.status, closed.body.data.poll.closed], [200, true]);
    assert.equal(closed.body.data.poll.totalVotes, i === 0 ? 1 : 0);
    const again = plain(await bot.calls('POST', '/v1/polls/close', body));
    assert.deepEqual(again, precondition('the poll is closed'));
  }
});
