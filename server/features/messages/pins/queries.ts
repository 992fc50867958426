import type { Db, Tx } from '#platform/database.ts';
import type { MessageKey, MessageRow } from '../queries.ts';

/** Pinning a pinned message again keeps its position. */
export async function insertPin(
  tx: Tx,
  { bucket, conversationId, msgId, by, at }: MessageKey & { by: string; at: number },
): Promise<void> {
  await tx`
    insert into pinned_messages (bucket, conversation_id, msg_id, pinned_by, pinned_at)
    values (${bucket}, ${conversationId}, ${msgId}, ${by}, ${at})
    on conflict (bucket, conversation_id, msg_id) do nothing`;
}

/** False when it was not pinned. */
export async function deletePin(tx: Tx, { bucket, conversationId, msgId }: MessageKey): Promise<boolean> {
  const rows = await tx`
    delete from pinned_messages
    where bucket = ${bucket} and conversation_id = ${conversationId} and msg_id = ${msgId}
    returning msg_id`;
  return rows.length === 1;
}

/** The pinned messages after one, the one pinned last first. */
export async function selectPinned(
  db: Db,
  { bucket, conversationId, hiddenMsgId }: Omit<MessageKey, 'msgId'> & { hiddenMsgId: string },
): Promise<MessageRow[]> {
  return db<MessageRow[]>`
    select messages.bucket, messages.conversation_id, messages.msg_id, sender_id, type, body, body_key_id,
      reply_to_msg_id, sent_at
    from pinned_messages
    join messages on messages.bucket = pinned_messages.bucket
      and messages.conversation_id = pinned_messages.conversation_id and messages.msg_id = pinned_messages.msg_id
    where pinned_messages.bucket = ${bucket} and pinned_messages.conversation_id = ${conversationId}
      and pinned_messages.msg_id > ${hiddenMsgId}
    order by pinned_at desc, messages.msg_id desc`;
}

/** How many messages of a conversation are pinned, without counting one of them. */
export async function countOtherPins(db: Db, { bucket, conversationId, msgId }: MessageKey): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from pinned_messages
    where bucket = ${bucket} and conversation_id = ${conversationId} and msg_id <> ${msgId}`;
  return row?.count ?? 0;
}
