import type { NewApplication } from '#contract/applications.ts';
import { LIMITS } from '#contract/limits.ts';
import { DEFAULT_KEY_SCOPES } from '#contract/scopes.ts';
import { type Accounts, sessionEnded } from '#features/accounts/index.ts';
import { hashSecret } from '#platform/crypto/random-secrets.ts';
import { resourceExhausted } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { type Change, recordAudit } from './audit/record.ts';
import { insertKey } from './credentials/key-queries.ts';
import { FIRST_KEY_NAME } from './credentials/keys.ts';
import { makeApiKey, makeClientSecret, makeWebhookSecret, sealWebhookSecret } from './credentials/secrets.ts';
import { addApplication, findOwnedIds } from './queries.ts';

/**
 * Creates an application with all its credentials, which cannot be shown again (contract §2).
 *
 * @throws ApiError 429 `resource-exhausted` for the 21st
 */
export async function createApplication(
  deps: Pick<Platform, 'db' | 'clock' | 'random' | 'newId' | 'keyring' | 'config'> & {
    accounts: Pick<Accounts, 'lock'>;
  },
  ownerId: string,
  name: string,
  way: Pick<Change, 'channel' | 'sessionId'> = {},
): Promise<NewApplication> {
  const { db, clock, random, keyring, config, accounts } = deps;
  const appId = deps.newId('app');
  const by = { ...way, actorId: ownerId, appId };
  const createdAt = clock.now();
  const apiKey = makeApiKey(appId, random);
  const clientSecret = makeClientSecret(random);
  const webhookSecret = makeWebhookSecret(random);
  await db.begin(async (tx) => {
    // Serialized by the lock on the account, so that no application is added after this count.
    if (!(await accounts.lock(tx, ownerId))) throw sessionEnded();
    const owned = await findOwnedIds(tx, ownerId);
    if (owned.length >= LIMITS.applicationsPerAccount) {
      throw resourceExhausted('application.too-many', { count: LIMITS.applicationsPerAccount });
    }
    const application = await addApplication(tx, {
      appId,
      ownerId,
      name,
      clientSecretHash: hashSecret(clientSecret),
      ...sealWebhookSecret(keyring, appId, webhookSecret),
      requestsPerMinute: config.requestsPerMinute,
      createdAt,
    });
    await recordAudit(tx, deps, by, 'application.created', { name });
    const keyHash = hashSecret(apiKey);
    await insertKey(tx, application, {
      keyHash,
      name: FIRST_KEY_NAME,
      scopes: [...DEFAULT_KEY_SCOPES],
      createdAt,
    });
  });
  return { appId, clientId: appId, clientSecret, apiKey, webhookSecret };
}
