import type { Db, Tx } from '#platform/database.ts';

export interface PasskeyKey {
  accountId: string;
  credentialId: string;
}

export interface PasskeyRow extends PasskeyKey {
  publicKey: Buffer;
  counter: number;
  transports: string[];
  isSynced: boolean;
  name: string;
  createdAt: number;
  lastUsedAt: number | null;
}

/** In the order in which they were added. */
export async function selectPasskeys(db: Db, accountId: string): Promise<PasskeyRow[]> {
  return db<PasskeyRow[]>`
    select account_id, credential_id, public_key, counter, transports, is_synced, name, created_at, last_used_at
    from passkeys where account_id = ${accountId}
    order by created_at, credential_id`;
}

export async function selectPasskey(
  db: Db,
  { accountId, credentialId }: PasskeyKey,
): Promise<PasskeyRow | undefined> {
  const [row] = await db<PasskeyRow[]>`
    select account_id, credential_id, public_key, counter, transports, is_synced, name, created_at, last_used_at
    from passkeys where account_id = ${accountId} and credential_id = ${credentialId}`;
  return row;
}

/** False when the person has it already. */
export async function insertPasskey(tx: Tx, row: PasskeyRow): Promise<boolean> {
  const rows = await tx`
    insert into passkeys (account_id, credential_id, public_key, counter, transports, is_synced, name, created_at)
    values (${row.accountId}, ${row.credentialId}, ${row.publicKey}, ${row.counter}, ${row.transports},
      ${row.isSynced}, ${row.name}, ${row.createdAt})
    on conflict (account_id, credential_id) do nothing returning credential_id`;
  return rows.length === 1;
}

export async function updatePasskeyName(
  tx: Tx,
  { accountId, credentialId }: PasskeyKey,
  name: string,
): Promise<boolean> {
  const rows = await tx`
    update passkeys set name = ${name} where account_id = ${accountId} and credential_id = ${credentialId}
    returning credential_id`;
  return rows.length === 1;
}

/**
 * False if the passkey was removed, or its counter is already past this use, so that it must have been copied.
 */
export async function updatePasskeyUse(
  tx: Tx,
  { accountId, credentialId }: PasskeyKey,
  { counter, isSynced, at }: { counter: number; isSynced: boolean; at: number },
): Promise<boolean> {
  const rows = await tx`
    update passkeys set counter = ${counter}, is_synced = ${isSynced}, last_used_at = ${at}
    where account_id = ${accountId} and credential_id = ${credentialId}
      and (counter < ${counter} or (counter = 0 and ${counter} = 0))
    returning credential_id`;
  return rows.length === 1;
}

export async function deletePasskey(tx: Tx, { accountId, credentialId }: PasskeyKey): Promise<boolean> {
  const rows = await tx`
    delete from passkeys where account_id = ${accountId} and credential_id = ${credentialId}
    returning credential_id`;
  return rows.length === 1;
}

export async function deletePasskeysOf(tx: Tx, accountId: string): Promise<void> {
  await tx`delete from passkeys where account_id = ${accountId}`;
}
