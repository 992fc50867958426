import { sayOfField } from '#contract/reasons.ts';
import { findServiceName, type OperatorAccounts } from '#features/accounts/index.ts';
import { insertPortable, openPortableApplications } from '#features/applications/index.ts';
import { insertPortableBot } from '#features/bots/index.ts';
import { isUniqueViolation, type Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { checkUrl } from '#platform/safe-fetch/url.ts';
import type { Portable } from './bundle.ts';

type Deps = Pick<Platform, 'db' | 'clock' | 'keyring' | 'config' | 'guard'> & {
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
  const checked = webhookUrl === null ? undefined : checkUrl(webhookUrl, guard);
  if (checked && 'fault' in checked)
    throw new Error(sayOfField('its webhookUrl', `url-${checked.fault}`).message);
  const serviceName = bot && findServiceName(bot.username, config);
  if (serviceName !== undefined) throw new Error(`the username of its bot must not contain "${serviceName}"`);
  const ownerId = await accounts.findIdByEmail(ownerEmail);
  if (ownerId === undefined) throw new Error(`${ownerEmail} has no account here`);
  if (await openPortableApplications(deps).exists(appId)) throw new Error(`${appId} already exists here`);
  try {
    await db.begin((tx) => writeAll(tx, deps, ownerId, portable));
  } catch (error) {
    if (isUniqueViolation(error)) throw new Error(`${appId} or its bot already exists here`);
    throw error;
  }
}

function webhookUrlOf({ shown, secrets }: Portable): string | null {
  return secrets.webhookUrl ?? shown.webhookUrl ?? null;
}

async function writeAll(tx: Tx, deps: Deps, ownerId: string, portable: Portable): Promise<void> {
  const { shown, secrets } = portable;
  const { appId, name, redirectUris, bot } = shown;
  const { accounts } = deps;
  await accounts.lock(tx, ownerId);
  const application = await insertPortable(tx, deps, {
    appId,
    ownerId,
    portable: {
      name,
      redirectUris,
      webhookUrl: webhookUrlOf(portable),
      webhookSecret: secrets.webhookSecret,
      clientSecretHash:
        secrets.clientSecretHash === null ? null : Buffer.from(secrets.clientSecretHash, 'hex'),
      apiKeys: secrets.apiKeys.map(({ hash, name = 'default', scopes }) => ({
        keyHash: Buffer.from(hash, 'hex'),
        name,
        scopes,
      })),
    },
  });
  if (!bot) return;
  const { userId: accountId, username } = bot;
  const [description, commands] = [bot.description ?? '', bot.commands ?? []];
  const createdAt = deps.clock.now();
  const row = { accountId, username, description, commands, name, createdAt };
  await insertPortableBot(tx, accounts, application, row);
}
