import type { ApiKeyInfo } from '#contract/applications.ts';
import type { RowOf } from '#platform/absent.ts';
import type { Db, Tx } from '#platform/database.ts';
import type { LockedApplication } from '../queries.ts';

export interface KeyRow extends RowOf<Omit<ApiKeyInfo, 'fingerprint'>> {
  keyHash: Buffer;
}

export async function insertKey(
  tx: Tx,
  { appId }: LockedApplication,
  key: Omit<KeyRow, 'lastUsedAt'>,
): Promise<void> {
  await tx`
    insert into api_keys (app_id, key_hash, name, scopes, created_at)
    values (${appId}, ${key.keyHash}, ${key.name}, ${key.scopes}, ${key.createdAt})`;
}

/** The unrevoked keys of an application, oldest first. */
export async function findLiveKeys(db: Db, appId: string): Promise<KeyRow[]> {
  return db<KeyRow[]>`
    select key_hash, name, scopes, created_at, last_used_at from api_keys
    where app_id = ${appId} and revoked_at is null order by created_at, key_hash`;
}

export async function revokeKeys(tx: Tx, { appId }: LockedApplication, revokedAt: number): Promise<void> {
  await tx`update api_keys set revoked_at = ${revokedAt} where app_id = ${appId} and revoked_at is null`;
}

export async function revokeKey(
  tx: Tx,
  { appId }: LockedApplication,
  { keyHash, revokedAt }: { keyHash: Buffer; revokedAt: number },
): Promise<void> {
  await tx`
    update api_keys set revoked_at = ${revokedAt}
    where app_id = ${appId} and key_hash = ${keyHash} and revoked_at is null`;
}

export async function updateKey(
  tx: Tx,
  { appId }: LockedApplication,
  { keyHash, name, scopes }: Pick<KeyRow, 'keyHash' | 'name' | 'scopes'>,
): Promise<void> {
  await tx`
    update api_keys set name = ${name}, scopes = ${scopes}
    where app_id = ${appId} and key_hash = ${keyHash} and revoked_at is null`;
}
