import { DEFAULT_KEY_SCOPES, type Scope } from '#contract/scopes.ts';
import type { Database } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { hashApiKey, makeApiKey } from './api-key.ts';
import {
  insertKey,
  revokeKeys,
  updateClientSecret,
  updateKeyScopes,
  updateWebhookSecret,
} from './queries.ts';
import { hashClientSecret, makeClientSecret, makeWebhookSecret, sealWebhookSecret } from './secrets.ts';
import { lockOwnApplication, type Owned } from './service.ts';

type Deps = Pick<Platform, 'db' | 'clock' | 'random' | 'keyring'>;

/** A new key with the scopes of the old one, which is dead when this returns (contract §2). */
export async function regenerateApiKey({ db, clock, random }: Deps, own: Owned): Promise<string> {
  const createdAt = clock.now();
  return db.begin(async (tx) => {
    const { appId } = await lockOwnApplication(tx, own);
    const apiKey = makeApiKey(appId, random);
    const scopes = (await revokeKeys(tx, appId, createdAt)) ?? [...DEFAULT_KEY_SCOPES];
    await insertKey(tx, appId, { keyHash: hashApiKey(apiKey), scopes, createdAt });
    return apiKey;
  });
}

/** The default scopes, and this one or not (decisions: Identity). Returns what the key may do now. */
export async function grantKeyScope(
  db: Database,
  own: Owned,
  { scope, isGranted }: { scope: Scope; isGranted: boolean },
): Promise<Scope[]> {
  const scopes = isGranted ? [...DEFAULT_KEY_SCOPES, scope] : [...DEFAULT_KEY_SCOPES];
  await db.begin(async (tx) => {
    const { appId } = await lockOwnApplication(tx, own);
    await updateKeyScopes(tx, appId, scopes);
  });
  return scopes;
}

export async function regenerateClientSecret({ db, random }: Deps, own: Owned): Promise<string> {
  const clientSecret = makeClientSecret(random);
  await db.begin(async (tx) => {
    const { appId } = await lockOwnApplication(tx, own);
    await updateClientSecret(tx, appId, hashClientSecret(clientSecret));
  });
  return clientSecret;
}

/** Signs from the next attempt on; the old one signs nothing more. */
export async function regenerateWebhookSecret({ db, random, keyring }: Deps, own: Owned): Promise<string> {
  const webhookSecret = makeWebhookSecret(random);
  await db.begin(async (tx) => {
    const { appId } = await lockOwnApplication(tx, own);
    await updateWebhookSecret(tx, appId, sealWebhookSecret(keyring, appId, webhookSecret));
  });
  return webhookSecret;
}
