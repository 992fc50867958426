import type { ChatMessage } from '#contract/chat.ts';
import type { Poll, PollResults } from '#contract/polls.ts';
import type { EventPoll } from '#contract/webhooks/events.ts';
import { type MessageBody, openBody, openBodyIfReadable, unansweredPoll } from '#features/messages/index.ts';
import { type Keyring, type Sealed, type SealingContext, UnreadableError } from '#platform/crypto/keyring.ts';
import type { Db } from '#platform/database.ts';
import { failedPrecondition } from '#platform/errors.ts';
import { bucketOf } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import {
  type PollKey,
  type PollRow,
  selectPolls,
  selectVotes,
  selectVotesOf,
  type VoteRow,
} from './queries.ts';
import { voterInStore, voterSecretContext } from './rules.ts';

/** A stored poll in plain text. */
export interface OpenedPoll extends Omit<PollRow, 'body' | 'bodyKeyId' | 'voterSecret' | 'voterSecretKeyId'> {
  asked: EventPoll;
  /** Of an anonymous poll that is open. */
  voterSecret: Buffer | undefined;
}

/** For votes, which need the complete poll. @throws ApiError 400 when it cannot be read */
export function openPoll(keyring: Keyring, row: PollRow): OpenedPoll {
  try {
    return toOpened(row, openBody(keyring, row), (context, sealed) => keyring.open(context, sealed));
  } catch (error) {
    throw error instanceof UnreadableError ? failedPrecondition('poll.unreadable') : error;
  }
}

/**
 * For display: undefined if the question cannot be read, or is deleted. If only the voter secret cannot be
 * read, own choices are unknown.
 */
export function openPollIfReadable(keyring: Keyring, row: PollRow): OpenedPoll | undefined {
  const body = openBodyIfReadable(keyring, row);
  return body?.poll && toOpened(row, body, (context, sealed) => keyring.openIfReadable(context, sealed));
}

function toOpened(
  { body: _, bodyKeyId: __, voterSecret, voterSecretKeyId, ...row }: PollRow,
  { poll }: MessageBody,
  open: (context: SealingContext, sealed: Sealed) => Buffer | undefined,
): OpenedPoll {
  const secret =
    voterSecret === null || voterSecretKeyId === null
      ? undefined
      : open(voterSecretContext(row.msgId), { keyId: voterSecretKeyId, ciphertext: voterSecret });
  return { ...row, asked: poll as EventPoll, voterSecret: secret };
}

/**
 * A poll with all of its votes. `votes` are those of the poll, and are what is counted: they may be newer than its
 * stored tally. An anonymous one shows none of them.
 */
export function viewResults(poll: OpenedPoll, votes: VoteRow[]): PollResults {
  const { asked, optionVotes, closedAt } = poll;
  const { myOptionIds, ...unanswered } = unansweredPoll(poll, asked);
  const options = asked.options.map(({ id, text }, i) => {
    if (asked.isAnonymous) return { id, text, votes: optionVotes[i] as number };
    const voters = votes.flatMap((vote) => (vote.optionId === id ? vote.voter : []));
    return { id, text, votes: voters.length, voters };
  });
  return {
    ...unanswered,
    options,
    closed: closedAt !== null,
    totalVotes: options.reduce((sum, { votes }) => sum + votes, 0),
    totalVoters: asked.isAnonymous ? poll.totalVoters : new Set(votes.map(({ voter }) => voter)).size,
    ...(closedAt !== null && { closedAt }),
  };
}

/** The results for a reader of a broadcast list: readers do not learn of each other. */
export function withoutOthers(results: PollResults, accountId?: string): PollResults {
  const options = results.options.map(({ voters, ...option }) => ({
    ...option,
    ...(voters && { voters: voters.filter((voter) => voter === accountId) }),
  }));
  return { ...results, options };
}

/** The poll as one account sees it; its own choice in the order of the options. */
export function viewPoll(
  poll: Pick<OpenedPoll, 'isBroadcast' | 'senderId'>,
  results: PollResults,
  { accountId, chosen }: { accountId: string; chosen: readonly string[] },
): Poll {
  const seesAll = !poll.isBroadcast || accountId === poll.senderId;
  const seen = seesAll ? results : withoutOthers(results, accountId);
  return { ...seen, myOptionIds: seen.options.flatMap(({ id }) => (chosen.includes(id) ? id : [])) };
}

/** Stored polls as one account sees them, by msgId, without those that cannot be read. */
export async function findPollViews(
  { db, keyring }: Pick<Platform, 'db' | 'keyring'>,
  keys: PollKey[],
  accountId: string,
): Promise<Map<string, Poll>> {
  const rows = await selectPolls(db, keys);
  const polls = rows.flatMap((row) => openPollIfReadable(keyring, row) ?? []);
  return viewPolls(db, polls, accountId);
}

/** Polls as one account sees them, by msgId. */
export async function viewPolls(db: Db, polls: OpenedPoll[], accountId: string): Promise<Map<string, Poll>> {
  const named = polls.filter((poll) => !poll.asked.isAnonymous);
  const anonymous = polls.filter((poll) => poll.voterSecret !== undefined);
  const ownKeys = anonymous.map((poll) => ({ ...poll, voter: voterInStore(accountId, poll.voterSecret) }));
  const [votes, ownVotes] = await Promise.all([selectVotes(db, named), selectVotesOf(db, ownKeys)]);
  const own = [...votes.filter(({ voter }) => voter === accountId), ...ownVotes];
  const ofPoll = (rows: VoteRow[], msgId: string) => rows.filter((row) => row.msgId === msgId);
  return new Map(
    polls.map((poll) => [
      poll.msgId,
      viewPoll(poll, viewResults(poll, ofPoll(votes, poll.msgId)), {
        accountId,
        chosen: ofPoll(own, poll.msgId).map(({ optionId }) => optionId),
      }),
    ]),
  );
}

/** Adds the current results to messages that are polls, as the given account sees them. */
export async function withPollResults(
  deps: Platform,
  accountId: string,
  messages: ChatMessage[],
): Promise<ChatMessage[]> {
  const keys = messages.flatMap(({ type, conversationId, msgId }) =>
    type === 'poll' ? { bucket: bucketOf(conversationId), msgId } : [],
  );
  const viewOf = await findPollViews(deps, keys, accountId);
  return messages.map((message) => {
    const poll = viewOf.get(message.msgId);
    return poll ? { ...message, poll } : message;
  });
}
