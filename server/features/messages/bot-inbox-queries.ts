import type { Db, Tx } from '#platform/database.ts';
import { type ShardScope, withinShard } from '#platform/partitioning/shards.ts';
import type { MessageKey } from './queries.ts';

/** A message to a built-in bot that has not been answered. */
export interface WaitingMessage extends MessageKey {
  personId: string;
  /** When the sender's session was authenticated; null without a session. */
  authenticatedAt: number | null;
  attempts: number;
}

/** In the transaction that stores the message. */
export async function insertWaiting(
  tx: Tx,
  row: Omit<WaitingMessage, 'attempts'> & { botId: string; at: number },
): Promise<void> {
  await tx`
    insert into bot_inbox (bucket, conversation_id, msg_id, bot_id, person_id, authenticated_at, attempts,
      next_attempt_at)
    values (${row.bucket}, ${row.conversationId}, ${row.msgId}, ${row.botId}, ${row.personId},
      ${row.authenticatedAt}, 0, ${row.at})`;
}

export interface Waiters {
  botId: string;
  now: number;
  limit: number;
}

/** The oldest message of each conversation if it is due; on Citus, of one shard. */
export async function findWaiting(
  db: Db,
  { botId, now, limit }: Waiters,
  { shards, part }: ShardScope,
): Promise<WaitingMessage[]> {
  const within = (table: string) => withinShard(db, shards, part, table);
  return db<WaitingMessage[]>`
    select bucket, conversation_id, msg_id, person_id, authenticated_at, attempts
    from bot_inbox as waiting
    where bot_id = ${botId} and next_attempt_at <= ${now} ${within('waiting')} and not exists (
      select 1 from bot_inbox as earlier
      where earlier.bucket = waiting.bucket and earlier.conversation_id = waiting.conversation_id
        and earlier.msg_id < waiting.msg_id ${within('earlier')}
    )
    order by next_attempt_at
    limit ${limit}`;
}

/** Locks a message for this transaction; false if another one has locked or answered it. */
export async function lockWaiting(tx: Tx, { bucket, conversationId, msgId }: MessageKey): Promise<boolean> {
  const rows = await tx`
    select msg_id from bot_inbox
    where bucket = ${bucket} and conversation_id = ${conversationId} and msg_id = ${msgId}
    for update skip locked`;
  return rows.length === 1;
}

/** In the transaction that answers. */
export async function deleteWaiting(tx: Tx, { bucket, conversationId, msgId }: MessageKey): Promise<void> {
  await tx`
    delete from bot_inbox
    where bucket = ${bucket} and conversation_id = ${conversationId} and msg_id = ${msgId}`;
}

export async function postponeWaiting(
  tx: Tx,
  { bucket, conversationId, msgId }: MessageKey,
  nextAttemptAt: number,
): Promise<void> {
  await tx`
    update bot_inbox set attempts = attempts + 1, next_attempt_at = ${nextAttemptAt}
    where bucket = ${bucket} and conversation_id = ${conversationId} and msg_id = ${msgId}`;
}
