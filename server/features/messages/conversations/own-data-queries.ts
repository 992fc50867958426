import type { Db, Tx } from '#platform/database.ts';
import type { ListedConversation } from '../access/queries.ts';
import { type MessageRow, messageColumns } from '../queries.ts';

/** A conversation of a person, hidden ones included. */
export type Listing = Pick<ListedConversation, 'conversationId' | 'bucket' | 'kind' | 'peerId' | 'createdAt'>;

/** The oldest first. */
export async function selectListings(db: Db, accountId: string): Promise<Listing[]> {
  return db<Listing[]>`
    select conversation_id, bucket, kind, peer_id, created_at
    from account_conversations where account_id = ${accountId}
    order by created_at, conversation_id`;
}

/** One page of what somebody wrote in a conversation, the oldest first. */
export async function selectOwnMessages(
  db: Db,
  {
    bucket,
    conversationId,
    accountId,
    after,
    limit,
  }: Pick<Listing, 'bucket' | 'conversationId'> & { accountId: string; after: string; limit: number },
): Promise<MessageRow[]> {
  return db<MessageRow[]>`
    select ${messageColumns(db)} from messages
    where bucket = ${bucket} and conversation_id = ${conversationId} and sender_id = ${accountId}
      and msg_id > ${after}
    order by msg_id
    limit ${limit}`;
}

/** Returns the ids of the peers. */
export async function deletePrivateListings(tx: Tx, accountId: string): Promise<string[]> {
  const rows = await tx<{ peerId: string }[]>`
    delete from account_conversations where account_id = ${accountId} and kind = 'private' returning peer_id`;
  return rows.map(({ peerId }) => peerId);
}
