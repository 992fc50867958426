import type { ClosePoll, Poll, PollResults } from '#contract/polls.ts';
import type { ChosenEvent } from '#features/webhooks/index.ts';
import { Batcher } from '#platform/batch.ts';
import type { Keyring } from '#platform/crypto/keyring.ts';
import type { Tx } from '#platform/database.ts';
import { invalidArgument } from '#platform/errors.ts';
import { batchKeyOf } from '#platform/partitioning/shards.ts';
import { announceResults } from './close.ts';
import { findConversations, findPollsForActors, type PollQuery, toPollQuery } from './find-polls.ts';
import {
  deleteVotes,
  insertVotes,
  lockPolls,
  type PollKey,
  type PollRow,
  selectVotes,
  selectVotesOf,
  updateTallies,
  type VoteKey,
  type VoteRow,
} from './queries.ts';
import { chooseAfterVote, pollClosed, pollNotFound, voterInStore } from './rules.ts';
import type { PollDeps } from './service.ts';
import { type OpenedPoll, openPoll, viewPoll, viewResults } from './view.ts';

/** The choices in one batch of votes on a poll, and the tally that they change. */
class Ballot {
  readonly poll: OpenedPoll;
  readonly #before: ReadonlyMap<string, readonly VoteRow[]>;
  readonly #chosen = new Map<string, readonly string[]>();

  /** @param earlier the votes of those who vote */
  constructor(poll: OpenedPoll, earlier: readonly VoteRow[]) {
    this.poll = { ...poll, optionVotes: [...poll.optionVotes] };
    this.#before = Map.groupBy(earlier, ({ voter }) => voter);
  }

  /** False if the poll has no such option. */
  cast(accountId: string, optionId: string): boolean {
    const { poll } = this;
    if (!poll.asked.options.some(({ id }) => id === optionId)) return false;
    const before = this.chosenBy(accountId);
    const after = chooseAfterVote(before, optionId, poll.asked);
    poll.asked.options.forEach(({ id }, i) => {
      const change = Number(after.includes(id)) - Number(before.includes(id));
      poll.optionVotes[i] = (poll.optionVotes[i] as number) + change;
    });
    poll.totalVoters += Number(after.length > 0) - Number(before.length > 0);
    this.#chosen.set(voterInStore(accountId, poll.voterSecret), after);
    return true;
  }

  chosenBy(accountId: string): readonly string[] {
    const voter = voterInStore(accountId, this.poll.voterSecret);
    return this.#chosen.get(voter) ?? this.#chosenBefore(voter);
  }

  /** The votes that are new, and those that were removed. */
  changes(): { given: VoteKey[]; takenBack: VoteKey[] } {
    const { bucket, msgId } = this.poll;
    const [given, takenBack]: [VoteKey[], VoteKey[]] = [[], []];
    for (const [voter, after] of this.#chosen) {
      const before = this.#chosenBefore(voter);
      const toVote = (optionId: string) => ({ bucket, msgId, voter, optionId });
      given.push(...after.filter((id) => !before.includes(id)).map(toVote));
      takenBack.push(...before.filter((id) => !after.includes(id)).map(toVote));
    }
    return { given, takenBack };
  }

  #chosenBefore(voter: string): readonly string[] {
    return this.#before.get(voter)?.map(({ optionId }) => optionId) ?? [];
  }
}

type Deps = Pick<
  PollDeps,
  'db' | 'keyring' | 'live' | 'shards' | 'groups' | 'messages' | 'accounts' | 'webhooks' | 'clock'
>;

interface Vote extends PollQuery {
  optionId: string;
}

/**
 * Votes on an open poll, a toggle (contract §3). Concurrent votes on any polls lock the rows of those polls
 * once: they are counted one after another in memory, and the result is written by a few statements.
 */
export function createVoteCaster(deps: Deps): PollDeps['vote'] {
  const batcher = new Batcher<Vote, Poll>((votes) => voteBatch(deps, votes));
  return async ({ accountId }, { optionId, ...address }) =>
    batcher.submit(
      { ...toPollQuery(accountId, address), optionId },
      batchKeyOf(deps.shards, nameOf(address)),
    );
}

/** The shard of a poll is known only from its row; votes that name it in the same way are in one shard. */
function nameOf({ messageId, groupId, receiverId }: ClosePoll): string {
  return [messageId, groupId, receiverId].join();
}

/** Each voter gets the poll with all votes of the batch. */
async function voteBatch(deps: Deps, votes: Vote[]): Promise<(Poll | Error)[]> {
  const conversations = await findConversations(deps.db, votes);
  const { found, counted, announce } = await deps.db.begin(async (tx) => {
    const found = await findPollsForActors({ ...deps, tx }, votes, conversations);
    const admitted = votes.filter((_, i) => !(found[i] instanceof Error));
    const keys = new Map(found.flatMap((key) => (key instanceof Error ? [] : [[key.msgId, key] as const])));
    const counted = await countBatch(tx, deps, [...keys.values()], admitted);
    return { found, counted, announce: await tellBots(tx, deps, counted, admitted) };
  });
  announce();
  const results = new Map<string, PollResults>();
  for (const [msgId, outcome] of counted) {
    if (outcome instanceof Error) continue;
    results.set(msgId, viewResults(outcome.ballot.poll, outcome.stored));
    announceResults(deps.live, outcome.ballot.poll, results.get(msgId) as PollResults);
  }
  return votes.map((vote, i) => {
    if (found[i] instanceof Error) return found[i];
    const outcome = counted.get(vote.messageId) as Counted | Error;
    if (outcome instanceof Error) return outcome;
    if (outcome.refused.has(vote)) return invalidArgument('optionId', 'unknown-option');
    const { accountId } = vote;
    const view = viewPoll(outcome.ballot.poll, results.get(vote.messageId) as PollResults, {
      accountId,
      chosen: outcome.ballot.chosenBy(accountId),
    });
    const { msgId, myOptionIds } = view;
    // On the voter's other pages, and to nobody else.
    deps.live.publish(accountId, { type: 'poll.voted', data: { msgId, myOptionIds } });
    return view;
  });
}

/** Tells the bots of the conversations that chose it; of an anonymous poll, only that somebody voted. */
async function tellBots(
  tx: Tx,
  { accounts, clock, groups, messages, webhooks }: Deps,
  counted: ReadonlyMap<string, Counted | Error>,
  votes: readonly Vote[],
): Promise<() => void> {
  const at = clock.now();
  const events: ChosenEvent[] = [];
  for (const outcome of counted.values()) {
    if (outcome instanceof Error) continue;
    const { poll } = outcome.ballot;
    const { bucket, msgId, conversationId, senderId, receiverId, isBroadcast, asked } = poll;
    const sides = receiverId === null ? [] : await accounts.findAll([senderId, receiverId], tx);
    const person = sides.find(({ isBot }) => !isBot)?.accountId ?? senderId;
    const shownAs = receiverId === null ? { groupId: conversationId } : { chatId: person };
    const bots =
      receiverId === null
        ? await groups.findBots([{ bucket, groupId: conversationId }], tx)
        : sides.flatMap(({ accountId, appId }) => (appId === null ? [] : { accountId, botAppId: appId }));
    let concerned: Promise<string[]> | undefined;
    const findConcerned = () =>
      (concerned ??= messages.findConcerned(tx, { bucket, conversationId, msgId }, bots));
    const voters = new Set(
      votes.flatMap((vote) => (vote.messageId === msgId && !outcome.refused.has(vote) ? vote.accountId : [])),
    );
    for (const by of voters) {
      const optionIds = [...outcome.ballot.chosenBy(by)];
      const data = { msgId, ...shownAs, ...(!asked.isAnonymous && { by, optionIds }) };
      // Readers of a broadcast list do not learn of each other.
      const isTold = (id: string) => id !== by && (!isBroadcast || id === senderId);
      const appIds = bots.flatMap(({ accountId, botAppId }) => (isTold(accountId) ? botAppId : []));
      events.push({ bucket, appIds, findConcerned, type: 'poll.voted', data, at });
    }
  }
  return webhooks.recordChosen(tx, events);
}

/** The outcome of the votes on one poll. */
interface Counted {
  ballot: Ballot;
  /** Those on an option that the poll does not have. */
  refused: Set<Vote>;
  /** All votes of a poll that is not anonymous. */
  stored: VoteRow[];
}

/** By the poll's msgId: the result, or the error. */
async function countBatch(
  tx: Tx,
  { keyring }: Deps,
  keys: PollKey[],
  votes: Vote[],
): Promise<Map<string, Counted | Error>> {
  if (keys.length === 0) return new Map();
  const rows = new Map((await lockPolls(tx, keys)).map((row) => [row.msgId, row]));
  const polls = new Map(keys.map(({ msgId }) => [msgId, openForVotes(keyring, rows.get(msgId))]));
  const open = [...polls.values()].flatMap((poll) => (poll instanceof Error ? [] : poll));
  const ballots = await distributeResults(tx, open, votes);
  const refused = new Set(
    votes.filter(({ messageId, accountId, optionId }) => {
      const ballot = ballots.get(messageId);
      return ballot && !ballot.cast(accountId, optionId);
    }),
  );
  const stored = await writeChanges(tx, [...ballots.values()]);
  const outcomeOf = (msgId: string, poll: OpenedPoll | Error): Counted | Error =>
    poll instanceof Error
      ? poll
      : { ballot: ballots.get(msgId) as Ballot, refused, stored: stored.get(msgId) ?? [] };
  return new Map([...polls].map(([msgId, poll]) => [msgId, outcomeOf(msgId, poll)]));
}

/** The poll in plain text; one that cannot be decrypted does not affect votes on others. */
function openForVotes(keyring: Keyring, row: PollRow | undefined): OpenedPoll | Error {
  if (!row) return pollNotFound();
  if (row.closedAt !== null) return pollClosed();
  try {
    return openPoll(keyring, row);
  } catch (error) {
    return error as Error;
  }
}

/** A ballot for each poll, with what its voters have chosen before. */
async function distributeResults(tx: Tx, polls: OpenedPoll[], votes: Vote[]): Promise<Map<string, Ballot>> {
  const votesOn = Map.groupBy(votes, ({ messageId }) => messageId);
  const voters = polls.flatMap(({ bucket, msgId, voterSecret }) => {
    const accountIds = new Set(votesOn.get(msgId)?.map(({ accountId }) => accountId));
    return [...accountIds].map((id) => ({ bucket, msgId, voter: voterInStore(id, voterSecret) }));
  });
  const earlier = await selectVotesOf(tx, voters);
  const earlierOn = Map.groupBy(earlier, ({ msgId }) => msgId);
  return new Map(polls.map((poll) => [poll.msgId, new Ballot(poll, earlierOn.get(poll.msgId) ?? [])]));
}

/** Returns all votes, by poll, of those that are not anonymous. */
async function writeChanges(tx: Tx, ballots: Ballot[]): Promise<Map<string, VoteRow[]>> {
  const changes = ballots.map((ballot) => ballot.changes());
  const [takenBack, given] = [changes.flatMap((one) => one.takenBack), changes.flatMap((one) => one.given)];
  const changed = new Set([...takenBack, ...given].map(({ msgId }) => msgId));
  const polls = ballots.map(({ poll }) => poll);
  const tallied = polls.filter(({ msgId }) => changed.has(msgId));
  const named = polls.filter(({ asked }) => !asked.isAnonymous);
  // They are sent at once and run in this order; everybody who votes on these polls waits for them.
  const [, , , stored] = await Promise.all([
    deleteVotes(tx, takenBack),
    insertVotes(tx, given),
    updateTallies(tx, tallied),
    selectVotes(tx, named),
  ]);
  return Map.groupBy(stored, ({ msgId }) => msgId);
}
