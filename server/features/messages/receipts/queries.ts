import type { Db, Tx } from '#platform/database.ts';

/** Somebody's read and delivery markers in a conversation. */
export interface ReceiptRow {
  accountId: string;
  deliveredMsgId: string | null;
  readMsgId: string | null;
}

/** Only of accounts that show them; a read over their shards. */
export async function selectReceipts(
  db: Db,
  accountIds: string[],
  conversationId: string,
): Promise<ReceiptRow[]> {
  return db<ReceiptRow[]>`
    select listed.account_id, listed.delivered_msg_id, listed.read_msg_id
    from account_conversations listed
    join accounts on accounts.account_id = listed.account_id
    where listed.account_id = any(${accountIds}) and listed.conversation_id = ${conversationId}
      and accounts.read_receipts and not accounts.is_bot and accounts.deleted_at is null`;
}

/** The other person of a private chat if the marker moves; nothing if it is already there or beyond. */
export async function updateDelivered(
  tx: Tx,
  { accountId, conversationId, msgId }: { accountId: string; conversationId: string; msgId: string },
): Promise<string | undefined> {
  const [row] = await tx<{ peerId: string }[]>`
    update account_conversations as listed set delivered_msg_id = ${msgId}
    from accounts
    where listed.account_id = ${accountId} and listed.conversation_id = ${conversationId}
      and accounts.account_id = listed.account_id and accounts.read_receipts
      and listed.kind = 'private'
      and (listed.delivered_msg_id is null or listed.delivered_msg_id < ${msgId})
      and (listed.read_msg_id is null or listed.read_msg_id < ${msgId})
    returning listed.peer_id`;
  return row?.peerId;
}
