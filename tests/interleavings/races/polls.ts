import assert from 'node:assert/strict';
import type { Answer } from '#testing/answers.ts';
import type { Person } from '#testing/world.ts';
import type { Arena } from '../arena.ts';
import { type Guard, type Race, race } from '../race.ts';
import { expectStatuses } from './scenes.ts';

const POLL_LOCK: Guard = [[/for no key update of polls/, '']];

async function setUp({ world }: Arena) {
  const [ada, bob] = [await world.person(), await world.person()];
  const groupId = await ada.makesGroup([bob]);
  const asked = { groupId, question: 'Tea?', options: ['Tea', 'Coffee'] };
  const { msgId, poll } = await ada.gets('POST', '/api/chat/polls', asked);
  const options = (poll.options as { id: string }[]).map(({ id }) => id);
  const vote = (arena: Arena, server: number, person: Person, option: number): Promise<Answer> =>
    arena
      .person(server, person)
      .calls('POST', '/api/chat/polls/vote', { messageId: msgId, optionId: options[option] });
  return { ada, bob, groupId, msgId, vote };
}

/** The tally is that of the stored votes. */
async function tally(
  { world }: Arena,
  msgId: string,
): Promise<{ optionVotes: number[]; totalVoters: number }> {
  const [poll] = await world.db<
    { optionVotes: number[]; totalVoters: number; votes: number; voters: number }[]
  >`
    select option_votes, total_voters,
      (select count(*)::integer from poll_votes where poll_votes.msg_id = polls.msg_id) as votes,
      (select count(distinct voter)::integer from poll_votes where poll_votes.msg_id = polls.msg_id) as voters
    from polls where msg_id = ${msgId}`;
  assert.ok(poll);
  const { optionVotes, totalVoters, votes, voters } = poll;
  assert.deepEqual([(optionVotes[0] as number) + (optionVotes[1] as number), totalVoters], [votes, voters]);
  return { optionVotes, totalVoters };
}

export const POLLS: Record<string, Race> = {
  'two people vote': race({ 'the lock of the poll': POLL_LOCK }, async (arena) => {
    const { ada, bob, msgId, vote } = await setUp(arena);
    return {
      works: [() => vote(arena, 0, ada, 0), () => vote(arena, 1, bob, 1)],
      async check(results) {
        expectStatuses(results, 200, 200);
        assert.deepEqual(await tally(arena, msgId), { optionVotes: [1, 1], totalVoters: 2 });
      },
    };
  }),
  'a poll is read during a vote': race({}, async (arena) => {
    const { ada, bob, groupId, msgId, vote } = await setUp(arena);
    expectStatuses([await vote(arena, 0, ada, 0)], 200);
    const read = () => arena.person(1, bob).calls('GET', `/api/chat/conversations/${groupId}/messages`);
    return {
      works: [() => vote(arena, 0, ada, 1), read],
      async check([voted, page]) {
        expectStatuses([voted, page], 200, 200);
        const { messages } = (page as Answer).body.data;
        const { poll } = messages.find((message: { msgId: string }) => message.msgId === msgId);
        for (const { votes, voters } of poll.options) assert.equal(votes, voters.length, 'counted and named');
      },
    };
  }),
  'one person votes on two devices': race({ 'the lock of the poll': POLL_LOCK }, async (arena) => {
    const { ada, msgId, vote } = await setUp(arena);
    return {
      works: [() => vote(arena, 0, ada, 0), () => vote(arena, 1, ada, 1)],
      async check(results) {
        expectStatuses(results, 200, 200);
        const { optionVotes, totalVoters } = await tally(arena, msgId);
        assert.deepEqual([optionVotes.toSorted(), totalVoters], [[0, 1], 1]);
      },
    };
  }),
  'vote and close': race({ 'the lock of the poll': POLL_LOCK }, async (arena) => {
    const { ada, bob, msgId, vote } = await setUp(arena);
    return {
      works: [
        () => vote(arena, 0, bob, 0),
        () => arena.person(1, ada).calls('POST', '/api/chat/polls/close', { messageId: msgId }),
      ],
      async check(results) {
        const [voted] = expectStatuses(results, [200, 400], 200);
        const counted = voted === 200 ? [1, 0] : [0, 0];
        assert.deepEqual((await tally(arena, msgId)).optionVotes, counted);
        const { options } = (results[1] as Answer).body.data.poll as { options: { votes: number }[] };
        assert.deepEqual(
          options.map(({ votes }) => votes),
          counted,
          'the result as it was closed',
        );
      },
    };
  }),
};
