import type { Db, Tx } from '#platform/database.ts';
import type { OwnMessage } from './own-conversation.ts';

/** A message that mentions somebody who has not read it. */
export type Mention = OwnMessage;

export async function insertMentions(tx: Tx, mentions: Mention[]): Promise<void> {
  if (mentions.length === 0) return;
  await tx`
    insert into mentions ${tx(mentions, 'accountId', 'conversationId', 'msgId')} on conflict do nothing`;
}

/** The newest unread mention of a person in each conversation. */
export async function selectNewestMentions(
  db: Db,
  accountId: string,
): Promise<{ conversationId: string; msgId: string }[]> {
  return db`
    select conversation_id, max(msg_id) as msg_id from mentions where account_id = ${accountId}
    group by conversation_id`;
}

/** The person has read up to a message. */
export async function deleteMentionsUpTo(
  tx: Tx,
  { accountId, conversationId, msgId }: Mention,
): Promise<void> {
  await tx`
    delete from mentions
    where account_id = ${accountId} and conversation_id = ${conversationId} and msg_id <= ${msgId}`;
}

/** Their messages are deleted. */
export async function deleteMentions(tx: Tx, mentions: readonly Mention[]): Promise<void> {
  // In the order of the key, as when several people read: otherwise the two deadlock.
  const keyOf = ({ accountId, conversationId, msgId }: Mention) => accountId + conversationId + msgId;
  const inOrder = mentions.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  for (const { accountId, conversationId, msgId } of inOrder)
    await tx`
      delete from mentions
      where account_id = ${accountId} and conversation_id = ${conversationId} and msg_id = ${msgId}`;
}

export async function deleteMentionsOf(tx: Tx, accountId: string): Promise<void> {
  await tx`delete from mentions where account_id = ${accountId}`;
}
