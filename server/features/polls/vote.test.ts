import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Poll } from '#contract/polls.ts';
import type { LiveEvent } from '#platform/live.ts';
import { denied, invalid, missing, plain, precondition, success } from '#testing/answers.ts';
import { damage } from '#testing/damage.ts';
import { pollScene, QUESTION } from '#testing/poll-scene.ts';

const NO_POLL = missing('no poll of this conversation has the id in `messageId`');
const NO_GROUP = missing('no group has the id in `groupId`');

/** The votes per option, and all voters. */
function tally({ options, totalVotes, totalVoters }: Poll) {
  return { votes: options.map(({ votes }) => votes), totalVotes, totalVoters };
}

test('a vote is a toggle; another option replaces it', async (t) => {
  const { world, person, acts, creates } = await pollScene(t);
  const { msgId, poll } = await creates({ receiverId: person.accountId });
  const [tea, coffee] = poll.options.map(({ id }) => id);
  const vote = (optionId: string | undefined) =>
    acts(person, '/v1/polls/vote', { messageId: msgId, optionId });
  const [first, ...others] = poll.options;
  const options = [{ ...first, votes: 1, voters: [person.accountId] }, ...others];
  const counted = { ...poll, options, totalVotes: 1, totalVoters: 1, myOptionIds: [tea] };
  const body = success('vote counted', { poll: counted }, world.clock.now());
  assert.deepEqual(plain(await vote(tea)), { status: 200, body });
  const second = (await vote(coffee)).body.data.poll;
  assert.deepEqual(tally(second), { votes: [0, 1, 0], totalVotes: 1, totalVoters: 1 });
  assert.deepEqual(second.myOptionIds, [coffee]);
  assert.deepEqual((await vote(coffee)).body.data.poll, poll);
});

test('neither or one of groupId and receiverId; either participant’s id is valid in a private chat', async (t) => {
  const { bot, person, world, acts, creates, group } = await pollScene(t);
  const { msgId: messageId, poll } = await creates({ receiverId: person.accountId });
  const groupId = await group([person]);
  const otherGroup = await group([person]);
  const inGroup = await creates({ groupId });
  const stranger = await world.person();
  const vote = async (body: object) => plain(await acts(person, '/v1/polls/vote', body));
  const optionId = poll.options[0]?.id;
  const inGroupVote = { messageId: inGroup.msgId, optionId: inGroup.poll.options[0]?.id };
  for (const body of [
    { messageId, optionId },
    { messageId, optionId, receiverId: bot.accountId },
    { messageId, optionId, receiverId: person.accountId },
    { messageId, optionId, receiverId: person.accountId, groupId: null },
    inGroupVote,
    { ...inGroupVote, groupId },
  ]) {
    assert.equal((await vote(body)).status, 200);
  }
  assert.deepEqual(
    await vote({ ...inGroupVote, groupId, receiverId: bot.accountId }),
    invalid('receiverId must not be given together with groupId'),
  );
  for (const body of [
    { messageId, optionId, receiverId: stranger.accountId },
    { messageId, optionId, receiverId: 'nobody' },
    { messageId, optionId, groupId },
    { ...inGroupVote, groupId: otherGroup },
    { ...inGroupVote, receiverId: bot.accountId },
    { messageId: world.newId('msg'), optionId },
    { messageId: 'nonsense', optionId },
  ]) {
    assert.deepEqual(await vote(body), NO_POLL, JSON.stringify(body));
  }
  assert.deepEqual(await vote({ ...inGroupVote, groupId: 'nonsense' }), NO_GROUP);
  const [text] = (await person.reads(bot)).filter(({ type }) => type === 'text');
  assert.deepEqual(await vote({ messageId: text?.msgId, optionId }), NO_POLL);
});

test('order of checks: conversation, participant, poll, closed, option', async (t) => {
  const { world, bot, person, acts, creates, group } = await pollScene(t);
  const groupId = await group([person]);
  const { msgId: messageId, poll } = await creates({ groupId });
  const priv = await creates({ receiverId: person.accountId });
  const outsider = await world.person();
  const vote = async (user: { accountId: string }, body: object) =>
    plain(await acts(user, '/v1/polls/vote', { optionId: 'nonsense', ...body }));
  const notMember = denied('you are not a member of this group');
  const notIn = denied('you are not a participant of this chat');
  assert.deepEqual(await vote(outsider, { groupId: world.newId('grp'), messageId: 'nonsense' }), NO_GROUP);
  assert.deepEqual(await vote(outsider, { groupId, messageId: 'nonsense' }), notMember);
  assert.deepEqual(await vote(outsider, { messageId }), notMember);
  assert.deepEqual(await vote(outsider, { messageId: priv.msgId }), notIn);
  assert.deepEqual(await vote(outsider, { messageId: priv.msgId, receiverId: person.accountId }), notIn);
  assert.deepEqual(await vote(outsider, { messageId: priv.msgId, receiverId: outsider.accountId }), NO_POLL);
  assert.deepEqual(await vote(person, { groupId, messageId: 'nonsense' }), NO_POLL);
  const noOption = invalid('optionId is not an option of this poll');
  assert.deepEqual(await vote(person, { groupId, messageId }), noOption);
  await bot.calls('POST', '/v1/polls/close', { messageId });
  const closed = precondition('the poll is closed');
  assert.deepEqual(await vote(person, { groupId, messageId }), closed);
  assert.deepEqual(await vote(person, { messageId, optionId: poll.options[0]?.id }), closed);
  await world.db`update groups set deleted_at = 1 where group_id = ${groupId}`;
  assert.deepEqual(await vote(person, { messageId }), NO_POLL);
  const [row] = await world.db`select sum(total_voters)::integer as voters from polls`;
  assert.equal(row?.['voters'], 0);
});

test('fields of a vote: missing or of another type is 400', async (t) => {
  const { bot } = await pollScene(t);
  const vote = async (body: object) => plain(await bot.calls('POST', '/v1/polls/vote', body));
  assert.deepEqual(await vote({ optionId: 'x' }), invalid('messageId is required'));
  assert.deepEqual(await vote({ messageId: 'x' }), invalid('optionId is required'));
  assert.deepEqual(await vote({ messageId: 1, optionId: 'x' }), invalid('messageId must be of type string'));
  assert.deepEqual(
    await vote({ messageId: 'x', optionId: null }),
    invalid('optionId must be of type string'),
  );
});

test('a blocked bot’s poll can still be voted on, and a former member cannot vote', async (t) => {
  const { world, bot, person, acts, creates, group } = await pollScene(t);
  const priv = await creates({ receiverId: person.accountId });
  const groupId = await group([person]);
  const inGroup = await creates({ groupId });
  await person.blocks(bot);
  const vote = (messageId: string, optionId: string | undefined) =>
    acts(person, '/v1/polls/vote', { messageId, optionId });
  assert.equal((await vote(priv.msgId, priv.poll.options[0]?.id)).status, 200);
  await world.db`delete from members where group_id = ${groupId} and account_id = ${person.accountId}`;
  assert.equal((await vote(inGroup.msgId, inGroup.poll.options[0]?.id)).status, 403);
});

test('200 people vote at once: every vote is counted once', async (t) => {
  const { world, acts, creates, bot, group } = await pollScene(t);
  const people = await Promise.all(Array.from({ length: 200 }, () => world.person()));
  const groupId = await group([], { creator: { kind: 'bot', accountId: bot.accountId } });
  await world.db`
    insert into members (bucket, group_id, account_id, is_admin, joined_at)
    select groups.bucket, groups.group_id, joining.account_id, false, 0
    from groups, unnest(${people.map(({ accountId }) => accountId)}::text[]) as joining (account_id)
    where groups.group_id = ${groupId}`;
  for (const isAnonymous of [false, true]) {
    const { msgId: messageId, poll } = await creates({ groupId, isAnonymous });
    const answers = await Promise.all(
      people.map((person, i) =>
        acts(person, '/v1/polls/vote', { messageId, optionId: poll.options[i % 3]?.id }),
      ),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    const last = await bot.calls('POST', '/v1/polls/close', { messageId });
    assert.deepEqual(tally(last.body.data.poll), { votes: [67, 67, 66], totalVotes: 200, totalVoters: 200 });
    if (!isAnonymous) {
      const voters = last.body.data.poll.options.map(({ voters }: { voters: string[] }) => voters);
      assert.deepEqual(voters.flat().toSorted(), people.map(({ accountId }) => accountId).toSorted());
    }
  }
});

test('a person creates a poll, votes and closes it in the chat', async (t) => {
  const { world, person, bot } = await pollScene(t);
  const created = await person.calls('POST', '/api/chat/polls', { ...QUESTION, receiverId: bot.accountId });
  assert.equal(created.status, 201);
  const { msgId: messageId, poll } = created.body.data;
  assert.equal(poll.creatorId, person.accountId);
  const optionId = poll.options[2].id;
  const voted = await person.calls('POST', '/api/chat/polls/vote', { messageId, optionId });
  assert.deepEqual(voted.body.data.poll.myOptionIds, [optionId]);
  const closed = await person.calls('POST', '/api/chat/polls/close', { messageId });
  assert.deepEqual(closed.body.data.poll, {
    ...voted.body.data.poll,
    closed: true,
    closedAt: world.clock.now(),
  });
  assert.deepEqual((await person.reads(bot))[0]?.poll, closed.body.data.poll);
  const [listed] = (await person.calls('GET', '/api/chat/conversations')).body.data.conversations;
  const changed = await person.calls('PATCH', `/api/chat/conversations/${listed.conversationId}`, {
    isMuted: true,
  });
  for (const { lastMessage } of [listed, changed.body.data])
    assert.deepEqual(lastMessage.poll, closed.body.data.poll);
});

test('each vote and the closing are shown live, a voter’s own choice only to the voter', async (t) => {
  const { world, bot, person, acts, creates, group } = await pollScene(t);
  const groupId = await group([person]);
  const other = await world.person();
  const received: [string, LiveEvent][] = [];
  for (const topic of [groupId, person.accountId, bot.accountId, other.accountId]) {
    t.after(world.live.subscribe(topic, (event) => received.push([topic, event])));
  }
  const priv = await creates({ receiverId: person.accountId });
  received.length = 0;
  const optionId = priv.poll.options[0]?.id;
  const { myOptionIds, ...results } = (
    await acts(person, '/v1/polls/vote', { messageId: priv.msgId, optionId })
  ).body.data.poll;
  const { conversationId } = (await person.reads(bot))[0] ?? {};
  const changed = { type: 'poll.changed', data: { conversationId, poll: results } };
  assert.deepEqual(received, [
    [bot.accountId, changed],
    [person.accountId, changed],
    [person.accountId, { type: 'poll.voted', data: { msgId: priv.msgId, myOptionIds } }],
  ]);
  const inGroup = await creates({ groupId });
  received.length = 0;
  const closed = (await bot.calls('POST', '/v1/polls/close', { messageId: inGroup.msgId })).body.data.poll;
  const { myOptionIds: _, ...shown } = closed;
  assert.deepEqual(received, [
    [groupId, { type: 'poll.changed', data: { conversationId: groupId, poll: shown } }],
  ]);
});

test('votes and closings raise no event', async (t) => {
  const { world, bot, person, acts, creates } = await pollScene(t);
  await world.db`update applications set webhook_url = 'https://bot.example.com/hook' where app_id = ${bot.appId}`;
  const { msgId: messageId, poll } = await creates({ receiverId: person.accountId });
  const earlier = await world.db`select delivery_id from events`;
  await acts(person, '/v1/polls/vote', { messageId, optionId: poll.options[0]?.id });
  await bot.calls('POST', '/v1/polls/close', { messageId });
  assert.deepEqual(await world.db`select delivery_id from events`, earlier);
});

test('a poll that can no longer be read takes no votes and is not closed, without a server error', async (t) => {
  const { world, bot, person, acts, creates } = await pollScene(t);
  const { msgId, poll } = await creates({ receiverId: person.accountId });
  await damage(world.db, { table: 'messages', column: 'body' }, { column: 'msg_id', value: msgId });
  const refused = precondition('the poll can no longer be read');
  const vote = { messageId: msgId, optionId: poll.options[0]?.id };
  assert.deepEqual(refused, plain(await acts(person, '/v1/polls/vote', vote)));
  assert.deepEqual(refused, plain(await bot.calls('POST', '/v1/polls/close', { messageId: msgId })));
});
