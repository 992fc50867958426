import { LIMITS } from '#contract/limits.ts';
import type { OperatorAccounts } from '#features/accounts/index.ts';
import {
  findApplication,
  findOwnedIds,
  insertApplication,
  insertKey,
  insertOwned,
  insertRedirectUri,
  updateWebhookUrl,
} from '#features/applications/queries.ts';
import { sealWebhookSecret } from '#features/applications/secrets.ts';
import { storeWebhookUrl } from '#features/applications/webhook-url.ts';
import { insertBot } from '#features/bots/queries.ts';
import { findServiceName } from '#features/bots/rules.ts';
import { isUniqueViolation, type Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { judgeUrl, URL_FAULTS } from '#platform/safe-fetch/url.ts';
import type { Portable } from './bundle.ts';

type Deps = Pick<Platform, 'db' | 'clock' | 'keyring' | 'config' | 'guard' | 'upgradeEndsAt'> & {
  accounts: OperatorAccounts;
};

/**
 * Brings an application and its bot to this server, with the ids and credentials that it had: its code only needs the
 * new address. All of it or nothing.
 */
export async function writePortable(deps: Deps, ownerEmail: string, portable: Portable): Promise<void> {
  const { db, config, guard, accounts } = deps;
  const { appId, bot } = portable.shown;
  const webhookUrl = webhookUrlOf(portable);
  const judged = webhookUrl === null ? undefined : judgeUrl(webhookUrl, guard);
  if (judged && 'fault' in judged) throw new Error(`its webhookUrl ${URL_FAULTS[judged.fault]}`);
  const serviceName = bot && findServiceName(bot.username, config);
  if (serviceName !== undefined) throw new Error(`its username must not contain "${serviceName}"`);
  const ownerId = await accounts.findIdByEmail(ownerEmail);
  if (ownerId === undefined) throw new Error(`${ownerEmail} has no account here`);
  if (await findApplication(db, appId)) throw new Error(`${appId} is already here`);
  try {
    await db.begin((tx) => writeAll(tx, deps, ownerId, portable));
  } catch (error) {
    if (isUniqueViolation(error)) throw new Error(`${appId} or its bot is already here`);
    throw error;
  }
}

function webhookUrlOf({ shown, secrets }: Portable): string | null {
  return secrets.webhookUrl ?? shown.webhookUrl ?? null;
}

async function writeAll(tx: Tx, deps: Deps, ownerId: string, portable: Portable): Promise<void> {
  const { shown, secrets } = portable;
  const { keyring, config, clock, accounts } = deps;
  const { appId, name, redirectUris, bot } = shown;
  const createdAt = clock.now();
  await accounts.lock(tx, ownerId);
  if ((await findOwnedIds(tx, ownerId)).length >= LIMITS.applicationsPerAccount)
    throw new Error(`the owner has ${LIMITS.applicationsPerAccount} applications, which is the limit`);
  const { ciphertext, keyId } = sealWebhookSecret(keyring, appId, secrets.webhookSecret);
  const clientSecretHash =
    secrets.clientSecretHash === null ? null : Buffer.from(secrets.clientSecretHash, 'hex');
  const application = await insertApplication(tx, {
    appId,
    ownerId,
    name,
    clientSecretHash,
    webhookSecret: ciphertext,
    webhookSecretKeyId: keyId,
    requestsPerMinute: config.requestsPerMinute,
    createdAt,
  });
  await updateWebhookUrl(tx, application, storeWebhookUrl(deps, appId, webhookUrlOf(portable)));
  await insertOwned(tx, { accountId: ownerId, appId, createdAt });
  for (const { hash, scopes } of secrets.apiKeys)
    await insertKey(tx, application, { keyHash: Buffer.from(hash, 'hex'), scopes, createdAt });
  for (const uri of redirectUris) await insertRedirectUri(tx, { appId, uri, createdAt });
  if (!bot) return;
  const { userId: accountId, username } = bot;
  const row = { accountId, username, createdAt };
  const description = bot.description ?? '';
  if (!(await insertBot(tx, application, { ...row, description, commands: bot.commands ?? [] })))
    throw new Error(`${appId} already has a bot here`);
  if (!(await accounts.createForBot(tx, { ...row, appId, name })))
    throw new Error(`the username ${username} is taken here`);
}
