import assert from 'node:assert/strict';
import { test } from 'node:test';
import { denied, invalid, missing, plain, precondition } from '#testing/answers.ts';
import { pollScene } from '#testing/poll-scene.ts';
import { createVoteCaster } from './vote.ts';

test('votes of one batch on polls of every kind each get their own answer', async (t) => {
  const { world, bot, person, acts, creates, group } = await pollScene(t);
  const groupId = await group([person]);
  const conversations = [{ groupId }, { receiverId: person.accountId }];
  const kinds = [{}, { isAnonymous: true }, { allowMultipleAnswers: true }];
  const open = await Promise.all(
    conversations.flatMap((conversation) => kinds.map((kind) => creates({ ...conversation, ...kind }))),
  );
  const [closed, spoilt] = [await creates({ groupId }), await creates({ groupId })];
  await bot.calls('POST', '/v1/polls/close', { messageId: closed.msgId });
  await world.db`update messages set body = '\\x00' where msg_id = ${spoilt.msgId}`;
  const outsider = await world.person();
  const vote = async (user: { accountId: string }, messageId: string, optionId?: string) =>
    plain(await acts(user, '/v1/polls/vote', { messageId, optionId: optionId ?? 'nonsense' }));
  const [good, bad] = await Promise.all([
    Promise.all(open.map(({ msgId, poll }) => vote(person, msgId, poll.options[1]?.id))),
    Promise.all([
      vote(person, open[0]?.msgId ?? ''),
      vote(outsider, open[0]?.msgId ?? '', open[0]?.poll.options[0]?.id),
      vote(person, world.newId('msg')),
      vote(person, closed.msgId, closed.poll.options[0]?.id),
      vote(person, spoilt.msgId, spoilt.poll.options[0]?.id),
      // An option of another poll.
      vote(person, open[0]?.msgId ?? '', open[1]?.poll.options[0]?.id),
    ]),
  ]);
  const noOption = invalid('optionId is not an option of this poll');
  assert.deepEqual(bad, [
    noOption,
    denied('you are not a member of this group'),
    missing('no poll of this conversation has the id in `messageId`'),
    precondition('the poll is closed'),
    precondition('the poll can no longer be read'),
    noOption,
  ]);
  for (const [i, { status, body }] of good.entries()) {
    const { msgId, options } = open[i]?.poll ?? { options: [] };
    const { poll } = body.data;
    assert.deepEqual([status, poll.msgId, poll.totalVotes], [200, msgId, 1]);
    assert.deepEqual(poll.myOptionIds, [options[1]?.id]);
  }
  const rows = await world.db`select option_votes, total_voters from polls order by msg_id`;
  const counted = { optionVotes: [0, 1, 0], totalVoters: 1 };
  const uncounted = { optionVotes: [0, 0, 0], totalVoters: 0 };
  assert.deepEqual([...rows], [...open.map(() => counted), uncounted, uncounted]);
});

test('processes that vote on the same polls in opposite orders wait for each other and lose nothing', async (t) => {
  const { world, person, creates, group } = await pollScene(t);
  const groups = await Promise.all(Array.from({ length: 10 }, () => group([person])));
  const polls = await Promise.all(groups.map((groupId) => creates({ groupId, allowMultipleAnswers: true })));
  const actor = { kind: 'user' as const, accountId: person.accountId };
  const casters = Array.from({ length: 3 }, () => createVoteCaster(world));
  const options = [0, 1, 2];
  await Promise.all(
    Array.from({ length: 5 }).flatMap(() =>
      casters.flatMap((cast, i) =>
        (i % 2 === 0 ? polls : polls.toReversed()).map(({ msgId, poll }) =>
          cast(actor, { messageId: msgId, optionId: poll.options[i]?.id ?? '' }),
        ),
      ),
    ),
  );
  const rows = await world.db`select option_votes, total_voters from polls`;
  assert.deepEqual(
    [...rows],
    polls.map(() => ({ optionVotes: options.map(() => 1), totalVoters: 1 })),
  );
  const [stored] = await world.db`select count(*)::integer as votes from poll_votes`;
  assert.equal(stored?.['votes'], 30);
});
