import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LiveEvent } from '#platform/live.ts';
import { pollScene } from '#testing/poll-scene.ts';

test('nobody learns the voters of an anonymous poll from a response, the chat, or a live event', async (t) => {
  const { world, bot, person, acts, creates, group } = await pollScene(t);
  const other = await world.person('Bob');
  await other.writes(bot, 'hi');
  const groupId = await group([person, other]);
  const received: LiveEvent[] = [];
  for (const topic of [groupId, bot.accountId, other.accountId]) {
    t.after(world.live.subscribe(topic, (event) => received.push(event)));
  }
  const { msgId: messageId, poll } = await creates({
    groupId,
    isAnonymous: true,
    allowMultipleAnswers: true,
  });
  const [tea, coffee] = poll.options.map(({ id }) => id);
  await acts(person, '/v1/polls/vote', { messageId, optionId: tea });
  const own = (await acts(person, '/v1/polls/vote', { messageId, optionId: coffee })).body.data.poll;
  assert.deepEqual(own, {
    ...poll,
    options: poll.options.map((option, i) => ({ ...option, votes: i < 2 ? 1 : 0 })),
    totalVotes: 2,
    totalVoters: 1,
    myOptionIds: [tea, coffee],
  });
  const bots = await bot.calls('POST', '/v1/polls/vote', { messageId, optionId: tea });
  const closed = await bot.calls('POST', '/v1/polls/close', { messageId });
  const page = await other.calls('GET', `/api/chat/conversations/${groupId}/messages`);
  const shown = JSON.stringify([bots.body, closed.body, page.body, received]);
  assert.ok(shown.includes('"totalVoters":2'));
  assert.ok(!shown.includes(person.accountId));
  assert.ok(!shown.includes('voters"'));
});

test('the rows of an anonymous poll contain no voter, and pseudonyms differ between polls', async (t) => {
  const { world, bot, person, acts, creates } = await pollScene(t);
  const voters: string[][] = [];
  for (let i = 0; i < 2; i++) {
    const { msgId: messageId, poll } = await creates({ receiverId: person.accountId, isAnonymous: true });
    const optionId = poll.options[0]?.id;
    await acts(person, '/v1/polls/vote', { messageId, optionId });
    await bot.calls('POST', '/v1/polls/vote', { messageId, optionId });
    const rows = await world.db`select voter from poll_votes where msg_id = ${messageId}`;
    voters.push(rows.map(({ voter }) => String(voter)));
  }
  assert.equal(new Set(voters.flat()).size, 4);
  const rows = await world.db`select poll_votes::text as row from poll_votes`;
  assert.equal(rows.length, 4);
  for (const { accountId } of [person, bot]) {
    assert.ok(rows.every(({ row }) => !String(row).includes(accountId)));
    assert.ok(rows.every(({ row }) => !String(row).includes(accountId.slice(4))));
  }
});

test('a closed anonymous poll keeps its counts; its votes and its secret are deleted', async (t) => {
  const { world, bot, person, acts, creates } = await pollScene(t);
  const { msgId: messageId, poll } = await creates({ receiverId: person.accountId, isAnonymous: true });
  const optionId = poll.options[1]?.id;
  await acts(person, '/v1/polls/vote', { messageId, optionId });
  await bot.calls('POST', '/v1/polls/vote', { messageId, optionId });
  const closed = (await bot.calls('POST', '/v1/polls/close', { messageId })).body.data.poll;
  assert.deepEqual(closed.myOptionIds, [optionId], 'the closing answer is the last that knows');
  const [row] = await world.db`
    select voter_secret, voter_secret_key_id, option_votes, total_voters,
      (select count(*)::integer from poll_votes where msg_id = ${messageId}) as rows
    from polls where msg_id = ${messageId}`;
  assert.deepEqual(row, {
    voterSecret: null,
    voterSecretKeyId: null,
    optionVotes: [0, 2, 0],
    totalVoters: 2,
    rows: 0,
  });
  assert.deepEqual((await person.reads(bot))[0]?.poll, { ...closed, myOptionIds: [] });
});
