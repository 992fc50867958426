import type { SealedBody } from '#platform/crypto/sealed-body.ts';
import type { Db, Tx } from '#platform/database.ts';
import { isOneOf } from '#platform/partitioning/keys.ts';

/** The key of a poll, which is that of its message. */
export interface PollKey {
  bucket: number;
  msgId: string;
}

/** The state that votes and closing change, and the message that holds the poll. */
export interface PollRow extends PollKey, SealedBody {
  conversationId: string;
  senderId: string;
  sentAt: number;
  receiverId: string | null;
  /** Whether it is in a broadcast list, where only its creator writes. */
  isBroadcast: boolean;
  voterSecret: Buffer | null;
  voterSecretKeyId: number | null;
  /** In the order of the options in the message. */
  optionVotes: number[];
  totalVoters: number;
  closedAt: number | null;
}

export interface VoteRow {
  msgId: string;
  voter: string;
  optionId: string;
}

/** The conversations of polls, by their messages' ids alone. */
export async function selectConversationsOfPolls(
  db: Db,
  msgIds: string[],
): Promise<{ msgId: string; conversationId: string }[]> {
  if (msgIds.length === 0) return [];
  return db`
    select value as msg_id, owner_id as conversation_id
    from unique_names where value = any(${msgIds}) and kind = 'poll'`;
}

export async function insertPollName(
  tx: Tx,
  { msgId, conversationId }: { msgId: string; conversationId: string },
): Promise<void> {
  await tx`
    insert into unique_names (value, kind, owner_id) values (${msgId}, 'poll', ${conversationId})`;
}

export async function deletePollName(tx: Tx, msgId: string): Promise<void> {
  await tx`delete from unique_names where value = ${msgId} and kind = 'poll'`;
}

export type NewPoll = PollKey &
  Pick<PollRow, 'conversationId' | 'receiverId' | 'voterSecret' | 'voterSecretKeyId' | 'optionVotes'>;

export async function insertPoll(tx: Tx, poll: NewPoll): Promise<void> {
  await tx`
    insert into polls (bucket, msg_id, conversation_id, receiver_id, voter_secret, voter_secret_key_id, option_votes,
      total_voters)
    values (${poll.bucket}, ${poll.msgId}, ${poll.conversationId}, ${poll.receiverId}, ${poll.voterSecret},
      ${poll.voterSecretKeyId}, ${poll.optionVotes}, 0)`;
}

/** The beginning of each read of polls. On Citus, a statement that locks rows needs the buckets of each table. */
function pollsWithMessages(db: Db, keys: PollKey[]) {
  return db`
    select polls.bucket, polls.msg_id, polls.conversation_id, polls.receiver_id, polls.voter_secret,
      polls.voter_secret_key_id, polls.option_votes, polls.total_voters, polls.closed_at, messages.sender_id,
      messages.sent_at, messages.body, messages.body_key_id, coalesce(groups.is_broadcast, false) as is_broadcast
    from polls
    join messages on messages.bucket = polls.bucket and messages.conversation_id = polls.conversation_id
      and messages.msg_id = polls.msg_id
    left join groups on groups.bucket = any(${bucketsOf(keys)}) and groups.bucket = polls.bucket
      and groups.group_id = polls.conversation_id`;
}

/** The given polls; several at once, for a page of a conversation. */
export async function selectPolls(db: Db, keys: PollKey[]): Promise<PollRow[]> {
  if (keys.length === 0) return [];
  return db<PollRow[]>`
    ${pollsWithMessages(db, keys)}
    where ${isOneOf(db, keys, ['msgId'], { table: 'polls' })}`;
}

/** The polls of one conversation, the oldest first, without deleted ones. */
export async function selectPollIds(
  db: Db,
  { bucket, conversationId }: { bucket: number; conversationId: string },
): Promise<string[]> {
  const rows = await db<{ msgId: string }[]>`
    select msg_id from messages
    where bucket = ${bucket} and conversation_id = ${conversationId} and type = 'poll'
    order by msg_id`;
  return rows.map(({ msgId }) => msgId);
}

/**
 * Votes and closing of one poll are serialised: each locks its row until the transaction ends. Several rows
 * are locked in the order of their keys, to avoid deadlocks.
 */
export async function lockPolls(tx: Tx, keys: PollKey[]): Promise<PollRow[]> {
  return tx<PollRow[]>`
    ${pollsWithMessages(tx, keys)}
    where ${isOneOf(tx, keys, ['msgId'], { table: 'polls' })} and messages.bucket = any(${bucketsOf(keys)})
    order by polls.bucket, polls.msg_id
    for no key update of polls`;
}

/** Every vote of the given polls, in an order that reveals nothing. */
export async function selectVotes(db: Db, keys: PollKey[]): Promise<VoteRow[]> {
  if (keys.length === 0) return [];
  return db<VoteRow[]>`
    select msg_id, voter, option_id
    from poll_votes
    where ${isOneOf(db, keys, ['msgId'])}
    order by msg_id, voter, option_id`;
}

/** The votes of the given voters. */
export async function selectVotesOf(db: Db, keys: (PollKey & { voter: string })[]): Promise<VoteRow[]> {
  if (keys.length === 0) return [];
  return db<VoteRow[]>`
    select msg_id, voter, option_id
    from poll_votes
    where ${isOneOf(db, keys, ['msgId', 'voter'])}`;
}

/** A vote with the bucket of its poll. */
export type VoteKey = VoteRow & PollKey;

export async function deleteVotes(tx: Tx, votes: VoteKey[]): Promise<void> {
  if (votes.length === 0) return;
  await tx`
    delete from poll_votes as taken_back
    using ${asTable(tx, votes)}
    where taken_back.bucket = any(${bucketsOf(votes)})
      and taken_back.bucket = vote.bucket and taken_back.msg_id = vote.msg_id
      and taken_back.voter = vote.voter and taken_back.option_id = vote.option_id`;
}

export async function insertVotes(tx: Tx, votes: VoteKey[]): Promise<void> {
  if (votes.length === 0) return;
  await tx`insert into poll_votes ${tx(votes, 'bucket', 'msgId', 'voter', 'optionId')}`;
}

/** Votes as the table `vote` of a statement, whose text is the same for any number of them. */
function asTable(tx: Tx, votes: VoteKey[]) {
  return tx`
    unnest(
        ${votes.map((vote) => vote.bucket)}::integer[], ${votes.map((vote) => vote.msgId)}::text[],
        ${votes.map((vote) => vote.voter)}::text[], ${votes.map((vote) => vote.optionId)}::text[])
      as vote (bucket, msg_id, voter, option_id)`;
}

function bucketsOf(keys: PollKey[]): number[] {
  return [...new Set(keys.map(({ bucket }) => bucket))];
}

export async function deleteAllVotes(tx: Tx, { bucket, msgId }: PollKey): Promise<void> {
  await tx`delete from poll_votes where bucket = ${bucket} and msg_id = ${msgId}`;
}

export async function updateTallies(
  tx: Tx,
  polls: (PollKey & Pick<PollRow, 'optionVotes' | 'totalVoters'>)[],
): Promise<void> {
  if (polls.length === 0) return;
  await tx`
    update polls as counted set option_votes = string_to_array(tally.option_votes, ',')::integer[], total_voters = tally.total_voters
    from unnest(
        ${polls.map((poll) => poll.bucket)}::integer[], ${polls.map((poll) => poll.msgId)}::text[],
        ${polls.map((poll) => poll.optionVotes.join())}::text[],
        ${polls.map((poll) => poll.totalVoters)}::integer[])
      as tally (bucket, msg_id, option_votes, total_voters)
    where counted.bucket = any(${bucketsOf(polls)})
      and counted.bucket = tally.bucket and counted.msg_id = tally.msg_id and counted.closed_at is null`;
}

/** Closes the poll and deletes the secret that links votes to voters. */
export async function updateClosed(tx: Tx, { bucket, msgId }: PollKey, closedAt: number): Promise<void> {
  await tx`
    update polls set closed_at = ${closedAt}, voter_secret = null, voter_secret_key_id = null
    where bucket = ${bucket} and msg_id = ${msgId} and closed_at is null`;
}
