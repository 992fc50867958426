import type { ApiKeyInfo, ChangeApiKey, CreateApiKey } from '#contract/applications.ts';
import { LIMITS } from '#contract/limits.ts';
import { DEFAULT_KEY_SCOPES, KEY_SCOPES, type Scope } from '#contract/scopes.ts';
import { hashSecret } from '#platform/crypto/random-secrets.ts';
import type { Tx } from '#platform/database.ts';
import { notFound, resourceExhausted } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { recordAudit } from '../audit/record.ts';
import type { ApplicationDeps } from '../deps.ts';
import { lockOwnApplication, type Owned } from '../service.ts';
import { findLiveKeys, insertKey, type KeyRow, revokeKey, revokeKeys, updateKey } from './key-queries.ts';
import { makeApiKey, viewKey } from './secrets.ts';

/** The name of a key created without one. */
export const FIRST_KEY_NAME = 'default';

/**
 * Replaces all keys by one with the name and scopes of the oldest; the others are revoked when this returns (contract §2).
 * To replace a key without downtime, use {@link createApiKey}.
 */
export async function regenerateApiKey(deps: ApplicationDeps, own: Owned): Promise<string> {
  const { db, clock, random } = deps;
  const createdAt = clock.now();
  return db.begin(async (tx) => {
    const application = await lockOwnApplication(tx, own);
    const apiKey = makeApiKey(application.appId, random);
    const [oldest] = await findLiveKeys(tx, application.appId);
    const { name, scopes } = oldest ?? { name: FIRST_KEY_NAME, scopes: [...DEFAULT_KEY_SCOPES] };
    await revokeKeys(tx, application, createdAt);
    await insertKey(tx, application, { keyHash: hashSecret(apiKey), name, scopes, createdAt });
    await recordAudit(tx, deps, own, 'api-key.regenerated');
    return apiKey;
  });
}

/** Adds a key to the existing ones. @throws ApiError 404; 429 when the limit is reached */
export async function createApiKey(
  deps: ApplicationDeps,
  own: Owned,
  { name, scopes }: CreateApiKey,
): Promise<ApiKeyInfo & { apiKey: string }> {
  const { db, clock, random } = deps;
  return db.begin(async (tx) => {
    const application = await lockOwnApplication(tx, own);
    const { length } = await findLiveKeys(tx, application.appId);
    if (length >= LIMITS.apiKeys)
      throw resourceExhausted('application.too-many-keys', { count: LIMITS.apiKeys });
    const apiKey = makeApiKey(application.appId, random);
    const key = {
      keyHash: hashSecret(apiKey),
      name,
      scopes: inOrder(scopes ?? DEFAULT_KEY_SCOPES),
      createdAt: clock.now(),
    };
    await insertKey(tx, application, key);
    await recordAudit(tx, deps, own, 'api-key.created', { name, scopes: key.scopes });
    return { ...viewKey({ ...key, lastUsedAt: null }), apiKey };
  });
}

/** @throws ApiError 404 */
export async function changeApiKey(
  deps: ApplicationDeps,
  own: Owned & { fingerprint: string },
  { name, scopes }: ChangeApiKey,
): Promise<ApiKeyInfo> {
  return deps.db.begin(async (tx) => {
    const application = await lockOwnApplication(tx, own);
    const before = await findKey(tx, own);
    const changed = { ...before, name: name ?? before.name, scopes: inOrder(scopes ?? before.scopes) };
    await updateKey(tx, application, changed);
    await recordAudit(tx, deps, own, 'api-key.changed', { name: changed.name, scopes: changed.scopes });
    return viewKey(changed);
  });
}

/** The key is revoked when this returns; the others stay valid. @throws ApiError 404 */
export async function revokeApiKey(
  deps: ApplicationDeps,
  own: Owned & { fingerprint: string },
): Promise<void> {
  const { db, clock } = deps;
  await db.begin(async (tx) => {
    const application = await lockOwnApplication(tx, own);
    const { keyHash, name } = await findKey(tx, own);
    await revokeKey(tx, application, { keyHash, revokedAt: clock.now() });
    await recordAudit(tx, deps, own, 'api-key.revoked', { name });
  });
}

async function findKey(
  tx: Tx,
  { appId, fingerprint }: { appId: string; fingerprint: string },
): Promise<KeyRow> {
  const keys = await findLiveKeys(tx, appId);
  const key = keys.find(({ keyHash }) => keyHash.toString('hex') === fingerprint);
  if (!key) throw notFound('application.key-unknown');
  return key;
}

function inOrder(scopes: readonly Scope[]): Scope[] {
  return KEY_SCOPES.filter((scope) => scopes.includes(scope));
}

/** Tells open streams of an application to check whether they are still authorized. Call it after the commit. */
export function announceRevocation({ live }: Pick<Platform, 'live'>, appId: string): void {
  live.publish(appId, { type: 'credential.revoked', data: {} });
}
