import type { Poll, VotePoll } from '#contract/polls.ts';
import { Batcher } from '#platform/batch.ts';
import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { announceChoice, announceResults } from './announce.ts';
import {
  deleteVotesOf,
  insertVotes,
  lockPoll,
  type PollKey,
  selectVotes,
  selectVotesOf,
  updateTally,
  type VoteRow,
} from './queries.ts';
import { chooseAfterVote, optionNotFound, pollClosed, pollNotFound, voterInStore } from './rules.ts';
import { findPollForActor, type PollActor } from './service.ts';
import { type OpenedPoll, openPoll, viewPoll, viewResults } from './view.ts';

type Deps = Pick<Platform, 'db' | 'keyring' | 'live'>;

interface Vote {
  key: PollKey;
  accountId: string;
  optionId: string;
}

export type VoteCaster = (actor: PollActor, body: VotePoll) => Promise<Poll>;

/**
 * Votes on an open poll, a toggle (contract §3). Votes on one poll that arrive together hold its row once: they are
 * counted one after the other in memory, and their outcome is written by a few statements.
 */
export function createVoteCaster(deps: Deps): VoteCaster {
  const batcher = new Batcher<Vote, Poll>((votes) => voteTogether(deps, votes));
  return async ({ accountId }, { optionId, ...address }) => {
    const key = await findPollForActor(deps.db, accountId, address);
    return batcher.submit({ key, accountId, optionId }, key.msgId);
  };
}

/** All of one poll. Each voter is shown the poll as it is after all of them. */
async function voteTogether(deps: Deps, votes: Vote[]): Promise<(Poll | Error)[]> {
  const { key } = votes[0] as Vote;
  const counted = await deps.db.begin(async (tx) => {
    const row = await lockPoll(tx, key);
    if (!row) return pollNotFound();
    if (row.closedAt !== null) return pollClosed();
    return count(tx, openPoll(deps.keyring, row), votes);
  });
  if (counted instanceof Error) return votes.map(() => counted);
  const { poll, ballot, refusals, stored } = counted;
  const results = viewResults(poll, stored);
  announceResults(deps.live, poll, results);
  return votes.map(({ accountId }, i) => {
    const refusal = refusals[i];
    if (refusal) return refusal;
    const view = viewPoll(results, ballot.chosenBy(accountId));
    announceChoice(deps.live, accountId, view);
    return view;
  });
}

async function count(tx: Tx, poll: OpenedPoll, votes: Vote[]) {
  const voters = [...new Set(votes.map(({ accountId }) => voterInStore(accountId, poll.voterSecret)))];
  const earlier = await selectVotesOf(
    tx,
    voters.map((voter) => ({ bucket: poll.bucket, msgId: poll.msgId, voter })),
  );
  const ballot = new Ballot(poll, earlier);
  const refusals = votes.map((vote) =>
    ballot.cast(vote.accountId, vote.optionId) ? undefined : optionNotFound(),
  );
  // They go out together and run in this order; everybody who votes on this poll waits for them.
  const written = writeChanges(tx, ballot);
  const [stored] = await Promise.all([poll.asked.isAnonymous ? [] : selectVotes(tx, [poll]), ...written]);
  return { poll: ballot.poll, ballot, refusals, stored };
}

function writeChanges(tx: Tx, ballot: Ballot): Promise<void>[] {
  const { poll, changedVoters } = ballot;
  if (changedVoters.length === 0) return [];
  const votes = ballot.votesOf(changedVoters);
  return [
    deleteVotesOf(tx, poll, changedVoters),
    ...(votes.length > 0 ? [insertVotes(tx, poll, votes)] : []),
    updateTally(tx, poll),
  ];
}

/** The choices of those who vote together, and the tally that they change. */
class Ballot {
  readonly poll: OpenedPoll;
  readonly #chosen = new Map<string, string[]>();
  readonly #changed = new Set<string>();

  constructor(poll: OpenedPoll, earlier: VoteRow[]) {
    this.poll = { ...poll, optionVotes: [...poll.optionVotes] };
    for (const { voter, optionId } of earlier) {
      this.#chosen.set(voter, [...(this.#chosen.get(voter) ?? []), optionId]);
    }
  }

  get changedVoters(): string[] {
    return [...this.#changed];
  }

  chosenBy(accountId: string): readonly string[] {
    return this.#chosen.get(voterInStore(accountId, this.poll.voterSecret)) ?? [];
  }

  votesOf(voters: string[]): VoteRow[] {
    return voters.flatMap((voter) =>
      (this.#chosen.get(voter) ?? []).map((optionId) => ({ msgId: this.poll.msgId, voter, optionId })),
    );
  }

  /** False when the poll has no such option. */
  cast(accountId: string, optionId: string): boolean {
    const { poll } = this;
    if (!poll.asked.options.some(({ id }) => id === optionId)) return false;
    const voter = voterInStore(accountId, poll.voterSecret);
    const before = this.#chosen.get(voter) ?? [];
    const after = chooseAfterVote(before, optionId, poll.asked);
    poll.asked.options.forEach(({ id }, i) => {
      const change = Number(after.includes(id)) - Number(before.includes(id));
      poll.optionVotes[i] = (poll.optionVotes[i] as number) + change;
    });
    poll.totalVoters += Number(after.length > 0) - Number(before.length > 0);
    this.#chosen.set(voter, after);
    this.#changed.add(voter);
    return true;
  }
}
