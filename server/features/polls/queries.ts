import type { MessageRow } from '#features/messages/service.ts';
import type { Db, Tx } from '#platform/database.ts';

/** The address of one poll: that of its message. */
export interface PollKey {
  bucket: number;
  msgId: string;
}

/** What votes and closing change, and the message in which the poll stands. */
export interface PollRow
  extends PollKey,
    Pick<MessageRow, 'conversationId' | 'senderId' | 'sentAt' | 'body' | 'bodyKeyId'> {
  receiverId: string | null;
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

/** The conversation of a poll, by its message's id alone. */
export async function selectConversationOfPoll(db: Db, msgId: string): Promise<string | undefined> {
  const [row] = await db<{ ownerId: string }[]>`
    select owner_id from unique_names where value = ${msgId} and kind = 'poll'`;
  return row?.ownerId;
}

export async function insertPollName(
  tx: Tx,
  { msgId, conversationId }: { msgId: string; conversationId: string },
): Promise<void> {
  await tx`
    insert into unique_names (value, kind, owner_id) values (${msgId}, 'poll', ${conversationId})`;
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

/** The given polls; several at once, for a page of a conversation. */
export async function selectPolls(db: Db, keys: PollKey[]): Promise<PollRow[]> {
  return db<PollRow[]>`
    select polls.bucket, polls.msg_id, polls.conversation_id, polls.receiver_id, polls.voter_secret,
      polls.voter_secret_key_id, polls.option_votes, polls.total_voters, polls.closed_at, messages.sender_id,
      messages.sent_at, messages.body, messages.body_key_id
    from polls
    join messages on messages.bucket = polls.bucket and messages.conversation_id = polls.conversation_id
      and messages.msg_id = polls.msg_id
    where polls.bucket = any(${keys.map((key) => key.bucket)})
      and polls.msg_id = any(${keys.map((key) => key.msgId)})`;
}

/** The polls of one conversation, the oldest first. */
export async function selectPollIds(
  db: Db,
  { bucket, conversationId }: { bucket: number; conversationId: string },
): Promise<string[]> {
  const rows = await db<{ msgId: string }[]>`
    select msg_id from polls where bucket = ${bucket} and conversation_id = ${conversationId} order by msg_id`;
  return rows.map(({ msgId }) => msgId);
}

/** Votes and closing of one poll go one after the other: each holds its row until the transaction ends. */
export async function lockPoll(tx: Tx, { bucket, msgId }: PollKey): Promise<PollRow | undefined> {
  const [poll] = await tx<PollRow[]>`
    select polls.bucket, polls.msg_id, polls.conversation_id, polls.receiver_id, polls.voter_secret,
      polls.voter_secret_key_id, polls.option_votes, polls.total_voters, polls.closed_at, messages.sender_id,
      messages.sent_at, messages.body, messages.body_key_id
    from polls
    join messages on messages.bucket = polls.bucket and messages.conversation_id = polls.conversation_id
      and messages.msg_id = polls.msg_id
    where polls.bucket = ${bucket} and polls.msg_id = ${msgId}
    for no key update of polls`;
  return poll;
}

/** Every vote of the given polls, in an order that tells nothing. */
export async function selectVotes(db: Db, keys: PollKey[]): Promise<VoteRow[]> {
  return db<VoteRow[]>`
    select msg_id, voter, option_id
    from poll_votes
    where bucket = any(${keys.map((key) => key.bucket)}) and msg_id = any(${keys.map((key) => key.msgId)})
    order by msg_id, voter, option_id`;
}

/** The votes of the given voters. */
export async function selectVotesOf(db: Db, keys: (PollKey & { voter: string })[]): Promise<VoteRow[]> {
  return db<VoteRow[]>`
    select msg_id, voter, option_id
    from poll_votes
    where bucket = any(${keys.map((key) => key.bucket)}) and msg_id = any(${keys.map((key) => key.msgId)})
      and voter = any(${keys.map((key) => key.voter)})`;
}

export async function deleteVotesOf(tx: Tx, { bucket, msgId }: PollKey, voters: string[]): Promise<void> {
  await tx`delete from poll_votes where bucket = ${bucket} and msg_id = ${msgId} and voter = any(${voters})`;
}

export async function deleteVotes(tx: Tx, { bucket, msgId }: PollKey): Promise<void> {
  await tx`delete from poll_votes where bucket = ${bucket} and msg_id = ${msgId}`;
}

export async function insertVotes(tx: Tx, { bucket }: PollKey, votes: VoteRow[]): Promise<void> {
  const rows = votes.map((vote) => ({ bucket, ...vote }));
  await tx`insert into poll_votes ${tx(rows, 'bucket', 'msgId', 'voter', 'optionId')}`;
}

export async function updateTally(
  tx: Tx,
  { bucket, msgId, optionVotes, totalVoters }: PollKey & Pick<PollRow, 'optionVotes' | 'totalVoters'>,
): Promise<void> {
  await tx`
    update polls set option_votes = ${optionVotes}, total_voters = ${totalVoters}
    where bucket = ${bucket} and msg_id = ${msgId} and closed_at is null`;
}

/** Closes, and forgets the secret that ties votes to voters. */
export async function updateClosed(tx: Tx, { bucket, msgId }: PollKey, closedAt: number): Promise<void> {
  await tx`
    update polls set closed_at = ${closedAt}, voter_secret = null, voter_secret_key_id = null
    where bucket = ${bucket} and msg_id = ${msgId} and closed_at is null`;
}
