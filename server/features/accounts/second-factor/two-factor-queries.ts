import type { Db, Tx } from '#platform/database.ts';

export interface SecretRow {
  accountId: string;
  secret: Buffer;
  secretKeyId: number;
  lastTimeStep: number;
  /** Null until the first right code. */
  enabledAt: number | null;
}

export async function selectSecret(db: Db, accountId: string): Promise<SecretRow | undefined> {
  const [row] = await db<SecretRow[]>`
    select account_id, secret, secret_key_id, last_time_step, enabled_at
    from two_factor_secrets where account_id = ${accountId}`;
  return row;
}

/** Replaces a secret that was never confirmed; false if two-factor sign-in is already on. */
export async function upsertSecret(
  tx: Tx,
  { accountId, secret, secretKeyId }: Pick<SecretRow, 'accountId' | 'secret' | 'secretKeyId'>,
): Promise<boolean> {
  const rows = await tx`
    insert into two_factor_secrets as held (account_id, secret, secret_key_id, last_time_step)
    values (${accountId}, ${secret}, ${secretKeyId}, 0)
    on conflict (account_id) do update set secret = excluded.secret, secret_key_id = excluded.secret_key_id
    where held.enabled_at is null
    returning account_id`;
  return rows.length === 1;
}

/** Marks the code of a time step as used; false if it, or a later one, was used before. */
export async function updateTimeStep(tx: Tx, accountId: string, timeStep: number): Promise<boolean> {
  const rows = await tx`
    update two_factor_secrets set last_time_step = ${timeStep}
    where account_id = ${accountId} and last_time_step < ${timeStep} returning account_id`;
  return rows.length === 1;
}

export async function updateSecretEnabled(tx: Tx, accountId: string, enabledAt: number): Promise<boolean> {
  const rows = await tx`
    update two_factor_secrets set enabled_at = ${enabledAt}
    where account_id = ${accountId} and enabled_at is null returning account_id`;
  return rows.length === 1;
}

export async function deleteSecret(tx: Tx, accountId: string): Promise<boolean> {
  const rows = await tx`delete from two_factor_secrets where account_id = ${accountId} returning account_id`;
  return rows.length === 1;
}

export async function countRecoveryCodes(db: Db, accountId: string): Promise<number> {
  const [row] = await db<{ codes: number }[]>`
    select count(*)::integer as codes from recovery_codes where account_id = ${accountId}`;
  return row?.codes ?? 0;
}

export async function insertRecoveryCodes(tx: Tx, accountId: string, hashes: Buffer[]): Promise<void> {
  const rows = hashes.map((codeHash) => ({ accountId, codeHash }));
  await tx`insert into recovery_codes ${tx(rows, 'accountId', 'codeHash')}`;
}

/** True for the first use of a code. */
export async function deleteRecoveryCode(tx: Tx, accountId: string, codeHash: Buffer): Promise<boolean> {
  const rows = await tx`
    delete from recovery_codes where account_id = ${accountId} and code_hash = ${codeHash} returning account_id`;
  return rows.length === 1;
}

export async function deleteRecoveryCodes(tx: Tx, accountId: string): Promise<void> {
  await tx`delete from recovery_codes where account_id = ${accountId}`;
}

interface PasskeyKey {
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

function passkeyColumns(db: Db) {
  return db`account_id, credential_id, public_key, counter, transports, is_synced, name, created_at,
    last_used_at`;
}

/** In the order in which they were added. */
export async function selectPasskeys(db: Db, accountId: string): Promise<PasskeyRow[]> {
  return db<PasskeyRow[]>`
    select ${passkeyColumns(db)} from passkeys where account_id = ${accountId}
    order by created_at, credential_id`;
}

export async function selectPasskey(
  db: Db,
  { accountId, credentialId }: PasskeyKey,
): Promise<PasskeyRow | undefined> {
  const [row] = await db<PasskeyRow[]>`
    select ${passkeyColumns(db)}
    from passkeys where account_id = ${accountId} and credential_id = ${credentialId}`;
  return row;
}

/** False when the person has it already. */
export async function insertPasskey(tx: Tx, row: PasskeyRow): Promise<boolean> {
  const rows = await tx`
    insert into passkeys ${tx(row)} on conflict (account_id, credential_id) do nothing returning credential_id`;
  return rows.length === 1;
}

export async function updatePasskeyName(
  tx: Tx,
  { accountId, credentialId }: PasskeyKey,
  name: string,
): Promise<PasskeyRow | undefined> {
  const [row] = await tx<PasskeyRow[]>`
    update passkeys set name = ${name} where account_id = ${accountId} and credential_id = ${credentialId}
    returning ${passkeyColumns(tx)}`;
  return row;
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
      and (counter < ${counter} or counter = 0)
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
