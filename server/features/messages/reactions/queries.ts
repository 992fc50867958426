import type { Db, Tx } from '#platform/database.ts';
import type { MessageKey } from '../queries.ts';

/** The reactions to one message, sealed. */
export interface ReactionRow extends MessageKey {
  version: number;
  body: Buffer;
  bodyKeyId: number;
}

/** Those to the given messages; several at once, for a page of a conversation. */
export async function selectReactions(db: Db, keys: MessageKey[]): Promise<ReactionRow[]> {
  return db<ReactionRow[]>`
    select bucket, conversation_id, msg_id, version, body, body_key_id
    from reactions
    where bucket = any(${[...new Set(keys.map((key) => key.bucket))]})
      and conversation_id = any(${[...new Set(keys.map((key) => key.conversationId))]})
      and msg_id = any(${keys.map((key) => key.msgId)})`;
}

/** One page of those in a conversation, in the order of the messages. */
export async function selectReactionsAfter(
  db: Db,
  { bucket, conversationId }: Pick<MessageKey, 'bucket' | 'conversationId'>,
  { after, limit }: { after: string; limit: number },
): Promise<ReactionRow[]> {
  return db<ReactionRow[]>`
    select bucket, conversation_id, msg_id, version, body, body_key_id
    from reactions
    where bucket = ${bucket} and conversation_id = ${conversationId} and msg_id > ${after}
    order by msg_id
    limit ${limit}`;
}

/** For callers that have locked the message. */
export async function upsertReactions(tx: Tx, row: ReactionRow): Promise<void> {
  await tx`
    insert into reactions (bucket, conversation_id, msg_id, version, body, body_key_id)
    values (${row.bucket}, ${row.conversationId}, ${row.msgId}, ${row.version}, ${row.body}, ${row.bodyKeyId})
    on conflict (bucket, conversation_id, msg_id) do update
    set version = excluded.version, body = excluded.body, body_key_id = excluded.body_key_id`;
}

export async function deleteReactions(tx: Tx, { bucket, conversationId, msgId }: MessageKey): Promise<void> {
  await tx`
    delete from reactions
    where bucket = ${bucket} and conversation_id = ${conversationId} and msg_id = ${msgId}`;
}
