import type { Db, Tx } from '#platform/database.ts';

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
