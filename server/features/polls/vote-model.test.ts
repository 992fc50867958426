import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createWorldFor } from '#testing/world.ts';
import { createPoll } from './create.ts';
import { createVoteCaster } from './vote.ts';

/** A simple model of voting: the choices of each voter. */
class Model {
  readonly #chosen = new Map<number, Set<number>>();
  readonly #isMultiple: boolean;

  constructor(isMultiple: boolean) {
    this.#isMultiple = isMultiple;
  }

  vote(voter: number, option: number): void {
    const own = this.#chosen.get(voter) ?? new Set();
    const hadIt = own.has(option);
    if (!this.#isMultiple) own.clear();
    if (hadIt) own.delete(option);
    else own.add(option);
    this.#chosen.set(voter, own);
  }

  votersOf(option: number): number[] {
    return [...this.#chosen].flatMap(([voter, own]) => (own.has(option) ? voter : []));
  }

  chosenBy(voter: number): number[] {
    return [...(this.#chosen.get(voter) ?? [])].toSorted((one, other) => one - other);
  }

  get totalVoters(): number {
    return [...this.#chosen.values()].filter((own) => own.size > 0).length;
  }
}

const VOTERS = 4;

test('after each vote of any sequence, the poll matches a simple model', async (t) => {
  const world = await createWorldFor(t, { messagesPerMinute: 1e9 });
  const voters = await Promise.all(Array.from({ length: VOTERS }, () => world.person()));
  const actors = voters.map(({ accountId }) => ({ kind: 'user' as const, accountId }));
  const creator = actors[0] as (typeof actors)[number];
  const members = voters.map(({ accountId }) => accountId);
  const group = { id: world.newId('grp'), isResumed: false };
  const { groupId } = await world.groups.create(creator, { name: 'Voters', members }, group);
  const castVote = createVoteCaster(world);
  const votes = fc.array(fc.record({ voter: fc.nat(VOTERS - 1), option: fc.nat(11) }), { maxLength: 8 });
  const settings = fc.record({
    optionCount: fc.integer({ min: 2, max: 12 }),
    allowMultipleAnswers: fc.boolean(),
    isAnonymous: fc.boolean(),
  });
  const property = fc.asyncProperty(settings, votes, async ({ optionCount, ...settings }, votes) => {
    const options = Array.from({ length: optionCount }, (_, i) => String(i));
    const body = { groupId, question: '?', options, ...settings };
    const reserved = { id: world.newId('msg'), isResumed: false };
    const { msgId: messageId, poll } = await createPoll(world, creator, body, reserved);
    const ids = poll.options.map(({ id }) => id);
    const model = new Model(settings.allowMultipleAnswers);
    for (const { voter, option: drawn } of votes) {
      const option = drawn % optionCount;
      model.vote(voter, option);
      const actor = actors[voter] as (typeof actors)[number];
      const shown = await castVote(actor, { messageId, optionId: ids[option] as string });
      const expected = options.map((text, i) => ({
        id: ids[i],
        text,
        votes: model.votersOf(i).length,
        ...(!settings.isAnonymous && {
          voters: model
            .votersOf(i)
            .map((each) => members[each])
            .toSorted(),
        }),
      }));
      assert.deepEqual(shown, {
        ...poll,
        options: expected,
        totalVotes: expected.reduce((sum, { votes }) => sum + votes, 0),
        totalVoters: model.totalVoters,
        myOptionIds: model.chosenBy(voter).map((each) => ids[each]),
      });
    }
  });
  // 200 runs, five at a time: most of the time is spent on commits.
  await Promise.all(Array.from({ length: 5 }, () => fc.assert(property, { numRuns: 40 })));
});
