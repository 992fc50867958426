import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Poll } from '#contract/polls.ts';
import { bucketOf, privateConversationId } from '#platform/ids.ts';
import { pollScene } from '#testing/poll-scene.ts';

test('votes, closing and deletion leave the other polls of the conversation as they are', async (t) => {
  const { world, bot, person, acts, creates, group } = await pollScene(t);
  const other = await world.person('Bob');
  await other.writes(bot, 'hi');
  const groupId = await group([person, other]);
  const make = async (isAnonymous: boolean) => {
    const { msgId: messageId, poll } = await creates({ groupId, isAnonymous });
    const vote = async (who: typeof person, option: number): Promise<Poll> =>
      (await acts(who, '/v1/polls/vote', { messageId, optionId: poll.options[option]?.id })).body.data.poll;
    const read = async (): Promise<Poll> => (await bot.calls('GET', `/v1/polls/${messageId}`)).body.data.poll;
    return { messageId, vote, read };
  };
  const [closed, deleted, open, secret] = [
    await make(true),
    await make(false),
    await make(false),
    await make(true),
  ] as const;
  const polls = [closed, deleted, open, secret];
  const votes = ({ options, totalVoters }: Poll) => [...options.map(({ votes }) => votes), totalVoters];

  for (const poll of polls) for (const who of [person, other]) await poll.vote(who, 0);
  assert.deepEqual(votes(await open.vote(other, 1)), [1, 1, 0, 2]);
  assert.deepEqual((await open.read()).options[1]?.voters, [other.accountId]);
  for (const poll of [closed, deleted, secret]) assert.deepEqual(votes(await poll.read()), [2, 0, 0, 2]);

  assert.equal((await bot.calls('POST', '/v1/polls/close', { messageId: closed.messageId })).status, 200);
  const gone = await bot.calls('DELETE', `/v1/messages/${deleted.messageId}`, { conversationId: groupId });
  assert.equal(gone.status, 200);
  assert.deepEqual(votes(await closed.read()), [2, 0, 0, 2]);
  assert.equal((await bot.calls('GET', `/v1/polls/${deleted.messageId}`)).status, 404);
  for (const poll of [open, secret]) assert.equal((await poll.read()).closed, false);
  assert.deepEqual(votes(await open.vote(person, 2)), [0, 1, 1, 2], 'votes can still be changed');
  assert.deepEqual(votes(await secret.vote(person, 1)), [1, 1, 0, 2], 'whose vote it was is still known');
  assert.deepEqual((await secret.read()).myOptionIds, [], 'the votes of others are not shown as its own');
  const rows = await world.db<{ msgId: string }[]>`select msg_id from poll_votes`;
  assert.deepEqual(
    rows.map(({ msgId }) => msgId).sort(),
    [open, open, secret, secret].map(({ messageId }) => messageId).sort(),
  );
});

test('a broadcast list of the same bucket hides nobody’s vote', async (t) => {
  const { world, bot, person, acts, creates } = await pollScene(t);
  const { msgId: messageId, poll } = await creates({ receiverId: person.accountId });
  const sides = [bot.accountId, person.accountId].sort() as [string, string];
  await world.db.write(
    (tx) => tx`
      insert into groups (bucket, group_id, name, description, is_broadcast, send_messages, edit_info_only_admin,
        creator_id, member_count, created_at)
      values (${bucketOf(privateConversationId(...sides))}, ${world.newId('grp')}, 'List', '', true, true, true,
        ${bot.accountId}, 0, 0)`,
  );
  const optionId = poll.options[0]?.id;
  await bot.calls('POST', '/v1/polls/vote', { messageId, optionId });
  const { body } = await acts(person, '/v1/polls/vote', { messageId, optionId });
  assert.deepEqual(body.data.poll.options[0].voters, sides);
});
