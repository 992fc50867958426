import type { Db, Tx } from '#platform/database.ts';

export interface InviteRow {
  accountId: string;
  token: Buffer;
  tokenKeyId: number;
  createdAt: number;
}

export async function selectInviteLink(db: Db, accountId: string): Promise<InviteRow | undefined> {
  const [row] = await db<InviteRow[]>`
    select account_id, token, token_key_id, created_at from invite_links where account_id = ${accountId}`;
  return row;
}

export async function upsertInviteLink(tx: Tx, row: InviteRow): Promise<void> {
  await tx`
    insert into invite_links (account_id, token, token_key_id, created_at)
    values (${row.accountId}, ${row.token}, ${row.tokenKeyId}, ${row.createdAt})
    on conflict (account_id) do update
    set token = excluded.token, token_key_id = excluded.token_key_id, created_at = excluded.created_at`;
}

export async function deleteInviteLink(tx: Tx, accountId: string): Promise<InviteRow | undefined> {
  const [row] = await tx<InviteRow[]>`
    delete from invite_links where account_id = ${accountId}
    returning account_id, token, token_key_id, created_at`;
  return row;
}
