import { LIMITS } from '#contract/limits.ts';
import type { OperatorAccounts } from '#features/accounts/index.ts';
import {
  findApplication,
  findOwnedIds,
  insertKey,
  insertOwned,
  insertRedirectUri,
} from '#features/applications/queries.ts';
import { sealWebhookSecret } from '#features/applications/secrets.ts';
import { insertBot } from '#features/bots/queries.ts';
import { findServiceName } from '#features/bots/rules.ts';
import { isUniqueViolation, type Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { judgeUrl, URL_FAULTS } from '#platform/safe-fetch/url.ts';
import type { Portable } from './bundle.ts';

type Deps = Pick<Platform, 'db' | 'clock' | 'keyring' | 'config' | 'guard'> & { accounts: OperatorAccounts };

/**
 * Brings an application and its bot to this server, with the ids and credentials that it had: its code only needs the
 * new address. All of it or nothing.
 */
export async function writePortable(deps: Deps, ownerEmail: string, portable: Portable): Promise<void> {
  const { db, config, guard, accounts } = deps;
  const { appId, webhookUrl, bot } = portable.shown;
  const judged = webhookUrl === null ? undefined : judgeUrl(webhookUrl, guard);
  if (judged && 'fault' in judged) throw new Error(`its webhookUrl ${URL_FAULTS[judged.fault]}`);
  const serviceName = bot && findServiceName(bot.username, config);
  if (serviceName !== undefined) throw new Error(`its username must not contain "${serviceName}"`);
  const ownerId = await accounts.findIdByEmail(ownerEmail);
  if (ownerId === undefined) throw new Error(`${ownerEmail} has no account here`);
  if (await findApplication(db, appId)) throw new Error(`${appId} is here already`);
  try {
    await db.begin((tx) => writeAll(tx, deps, ownerId, portable));
  } catch (error) {
    if (isUniqueViolation(error)) throw new Error(`${appId} or its bot is here already`);
    throw error;
  }
}

async function writeAll(tx: Tx, deps: Deps, ownerId: string, { shown, secrets }: Portable): Promise<void> {
  const { keyring, config, clock, accounts } = deps;
  const { appId, name, webhookUrl, redirectUris, bot } = shown;
  const createdAt = clock.now();
  await accounts.lock(tx, ownerId);
  if ((await findOwnedIds(tx, ownerId)).length >= LIMITS.applicationsPerAccount)
    throw new Error(`the owner has ${LIMITS.applicationsPerAccount} applications, which is the limit`);
  const { ciphertext, keyId } = sealWebhookSecret(keyring, appId, secrets.webhookSecret);
  const clientSecretHash =
    secrets.clientSecretHash === null ? null : Buffer.from(secrets.clientSecretHash, 'hex');
  await tx`
    insert into applications (app_id, owner_id, name, state, client_secret_hash, webhook_url, webhook_secret,
      webhook_secret_key_id, requests_per_minute, created_at)
    values (${appId}, ${ownerId}, ${name}, 'active', ${clientSecretHash}, ${webhookUrl}, ${ciphertext}, ${keyId},
      ${config.requestsPerMinute}, ${createdAt})`;
  await insertOwned(tx, { accountId: ownerId, appId, createdAt });
  for (const { hash, scopes } of secrets.apiKeys)
    await insertKey(tx, appId, { keyHash: Buffer.from(hash, 'hex'), scopes, createdAt });
  for (const uri of redirectUris) await insertRedirectUri(tx, { appId, uri, createdAt });
  if (!bot) return;
  const { userId: accountId, username } = bot;
  const row = { appId, accountId, username, createdAt };
  const description = bot.description ?? '';
  if (!(await insertBot(tx, { ...row, description, commands: bot.commands ?? [] })))
    throw new Error(`${appId} has a bot here already`);
  if (!(await accounts.createForBot(tx, { ...row, name })))
    throw new Error(`the username ${username} is taken here`);
}
