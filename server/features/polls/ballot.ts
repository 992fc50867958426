import type { VoteKey, VoteRow } from './queries.ts';
import { chooseAfterVote, voterInStore } from './rules.ts';
import type { OpenedPoll } from './view.ts';

/** The choices in one batch of votes on a poll, and the tally that they change. */
export class Ballot {
  readonly poll: OpenedPoll;
  readonly #before = new Map<string, readonly string[]>();
  readonly #chosen = new Map<string, readonly string[]>();

  /** @param earlier the votes of those who vote */
  constructor(poll: OpenedPoll, earlier: readonly VoteRow[]) {
    this.poll = { ...poll, optionVotes: [...poll.optionVotes] };
    for (const { voter, optionId } of earlier) {
      this.#before.set(voter, [...(this.#before.get(voter) ?? []), optionId]);
    }
  }

  /** False if the poll has no such option. */
  cast(accountId: string, optionId: string): boolean {
    const { poll } = this;
    if (!poll.asked.options.some(({ id }) => id === optionId)) return false;
    const voter = voterInStore(accountId, poll.voterSecret);
    const before = this.#chosenInStore(voter);
    const after = chooseAfterVote(before, optionId, poll.asked);
    poll.asked.options.forEach(({ id }, i) => {
      const change = Number(after.includes(id)) - Number(before.includes(id));
      poll.optionVotes[i] = (poll.optionVotes[i] as number) + change;
    });
    poll.totalVoters += Number(after.length > 0) - Number(before.length > 0);
    this.#chosen.set(voter, after);
    return true;
  }

  chosenBy(accountId: string): readonly string[] {
    return this.#chosenInStore(voterInStore(accountId, this.poll.voterSecret));
  }

  /** The votes that are new. */
  get given(): VoteKey[] {
    return this.#differences((before, after) => after.filter((optionId) => !before.includes(optionId)));
  }

  /** The votes that were removed. */
  get takenBack(): VoteKey[] {
    return this.#differences((before, after) => before.filter((optionId) => !after.includes(optionId)));
  }

  #chosenInStore(voter: string): readonly string[] {
    return this.#chosen.get(voter) ?? this.#before.get(voter) ?? [];
  }

  #differences(
    between: (before: readonly string[], after: readonly string[]) => readonly string[],
  ): VoteKey[] {
    const { bucket, msgId } = this.poll;
    return [...this.#chosen].flatMap(([voter, after]) =>
      between(this.#before.get(voter) ?? [], after).map((optionId) => ({ bucket, msgId, voter, optionId })),
    );
  }
}
