import type { Database, Tx } from '#platform/database.ts';
import type { Shards } from '#platform/partitioning/shards.ts';
import { deleteMentionsUpTo } from './mention-queries.ts';
import type { OwnMessage } from './own-conversation.ts';
import { latestInOrder } from './queries.ts';

/**
 * Moves one marker forward, in a transaction of the caller. What was read no longer mentions the reader.
 *
 * @returns whether the others may see the moved marker; undefined if it is already there or beyond
 */
export async function moveReadMarker(
  tx: Tx,
  { accountId, conversationId, msgId }: OwnMessage,
): Promise<{ isShown: boolean } | undefined> {
  await deleteMentionsUpTo(tx, { accountId, conversationId, msgId });
  const [moved] = await tx<{ isShown: boolean }[]>`
    update account_conversations as listed set read_msg_id = ${msgId}
    from accounts
    where listed.account_id = ${accountId} and listed.conversation_id = ${conversationId}
      and accounts.account_id = listed.account_id
      and (listed.read_msg_id is null or listed.read_msg_id < ${msgId})
    returning accounts.read_receipts as is_shown`;
  return moved;
}

/** A marker that moved, and whether the others may see it. */
interface MovedMarker extends Pick<OwnMessage, 'accountId' | 'conversationId'> {
  isShown: boolean;
}

/** Moves markers forward, never back. What was read no longer mentions the reader. Returns those that moved. */
export async function moveReadMarkers(
  db: Database,
  { isDistributed }: Pick<Shards, 'isDistributed'>,
  read: readonly OwnMessage[],
): Promise<MovedMarker[]> {
  if (!isDistributed) return db.write((tx) => updateReadMarkers(tx, read));
  return db.begin(async (tx) => {
    const moved: MovedMarker[] = [];
    for (const one of read) {
      const marker = await moveReadMarker(tx, one);
      if (marker) moved.push({ ...one, ...marker });
    }
    return moved;
  });
}

/** In one statement: not on Citus. */
async function updateReadMarkers(tx: Tx, markers: readonly OwnMessage[]): Promise<MovedMarker[]> {
  const read = latestInOrder(markers, ({ msgId }) => msgId);
  // The mentions are deleted before any marker is locked, as everywhere.
  return tx<MovedMarker[]>`
    with read as (
      select * from unnest(
        ${read.map(({ accountId }) => accountId)}::text[],
        ${read.map(({ conversationId }) => conversationId)}::text[], ${read.map(({ msgId }) => msgId)}::text[])
        as read (account_id, conversation_id, msg_id)
    ), seen as (
      delete from mentions using read
      where mentions.account_id = read.account_id and mentions.conversation_id = read.conversation_id
        and mentions.msg_id <= read.msg_id collate "C"
      returning 1
    )
    update account_conversations as listed set read_msg_id = read.msg_id
    from read join accounts on accounts.account_id = read.account_id
    where (select count(*) from seen) >= 0
      and listed.account_id = read.account_id and listed.conversation_id = read.conversation_id
      and (listed.read_msg_id is null or listed.read_msg_id < read.msg_id collate "C")
    returning listed.account_id, listed.conversation_id, accounts.read_receipts as is_shown`;
}

/** A person's message to another, which counts as having read everything before it. */
export interface WrittenMarker extends OwnMessage {
  bucket: number;
}

/**
 * Moves the markers of people who have written to others, if the message before theirs is one that they had not read: after their
 * own there is nothing to read, but before a notice of theirs there may be. So a row does not change with every message. Not on
 * Citus, where messages are in other shards.
 */
export async function updateWrittenMarkers(tx: Tx, written: readonly WrittenMarker[]): Promise<void> {
  const last = latestInOrder(written, ({ msgId }) => msgId);
  const first = new Map<string, string>();
  for (const { accountId, conversationId, msgId } of written) {
    const known = first.get(accountId + conversationId);
    if (known === undefined || msgId < known) first.set(accountId + conversationId, msgId);
  }
  await tx`
    update account_conversations as listed set read_msg_id = read.msg_id
    from unnest(
        ${last.map(({ accountId }) => accountId)}::text[], ${last.map(({ bucket }) => bucket)}::integer[],
        ${last.map(({ conversationId }) => conversationId)}::text[], ${last.map(({ msgId }) => msgId)}::text[],
        ${last.map(({ accountId, conversationId }) => first.get(accountId + conversationId) as string)}::text[])
      as read (account_id, bucket, conversation_id, msg_id, first_msg_id)
    cross join lateral (
      select sender_id, type, msg_id from messages
      where bucket = read.bucket and conversation_id = read.conversation_id
        and msg_id < read.first_msg_id collate "C"
      order by msg_id desc
      limit 1
    ) before
    where listed.account_id = read.account_id and listed.conversation_id = read.conversation_id
      and (before.sender_id <> read.account_id collate "C" or before.type = 'notice')
      and (listed.read_msg_id is null or listed.read_msg_id < before.msg_id)`;
}
