import type { Db, Tx } from '#platform/database.ts';
import type { MessageKey, MessageRow } from '../queries.ts';

/** Keeps a message as it is for everybody else until the transaction ends; others may quote it meanwhile. */
export async function lockMessage(
  tx: Tx,
  { bucket, conversationId, msgId }: MessageKey,
): Promise<MessageRow | undefined> {
  const [row] = await tx<MessageRow[]>`
    select bucket, conversation_id, msg_id, sender_id, type, body, body_key_id, reply_to_msg_id, sent_at
    from messages
    where bucket = ${bucket} and conversation_id = ${conversationId} and msg_id = ${msgId}
    for no key update`;
  return row;
}

export async function insertHidden(tx: Tx, accountId: string, msgId: string): Promise<void> {
  await tx`
    insert into hidden_messages (account_id, msg_id) values (${accountId}, ${msgId}) on conflict do nothing`;
}

/** Which of the given messages a person deleted for themselves. */
export async function selectHidden(
  db: Db,
  accountId: string,
  msgIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (msgIds.length === 0) return new Set();
  const rows = await db<{ msgId: string }[]>`
    select msg_id from hidden_messages where account_id = ${accountId} and msg_id = any(${[...msgIds]})`;
  return new Set(rows.map(({ msgId }) => msgId));
}

export async function deleteHidden(tx: Tx, accountId: string): Promise<void> {
  await tx`delete from hidden_messages where account_id = ${accountId}`;
}
