import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { sayOfField } from '#contract/reasons.ts';
import { findServiceName, type OperatorAccounts, openOperatorAccounts } from '#features/accounts/index.ts';
import { insertPortable, openPortableApplications } from '#features/applications/index.ts';
import { findPortableBot, insertPortableBot } from '#features/bots/index.ts';
import { isUniqueViolation, type Tx } from '#platform/database.ts';
import { writeWhole } from '#platform/files/whole-file.ts';
import type { Platform } from '#platform/platform.ts';
import { createGuard } from '#platform/safe-fetch/guard.ts';
import { checkUrl } from '#platform/safe-fetch/url.ts';
import { UsageError } from '../../sdk/cli/kit.ts';
import type { Command } from './command.ts';
import { openInstallation } from './installation.ts';
import { openBundle, type Portable, signBundle } from './move/bundle.ts';
import { PASSPHRASE_OPTION, readPassphrase } from './passphrase.ts';

/** Commands that move an application to another server. */
export const moveCommands: readonly Command[] = [
  {
    name: 'export',
    parameters: ['<appId>', '<file>'],
    about: 'write an application and its bot to a signed file, to move them to another server',
    details: [
      'Contains name, bot, redirect URIs and, sealed with the passphrase, webhook URL, webhook secret and the',
      'fingerprints of its keys, so the same keys work on the other server. People, messages, grants and events stay here.',
    ].join('\n'),
    options: PASSPHRASE_OPTION,
    async run(deps, { args: [appId = '', file = ''], options }) {
      const passphrase = await readPassphrase(deps, options);
      if (existsSync(file)) throw new Error(`${file} already exists`);
      await using opened = await openInstallation(deps);
      const { keyring } = opened;
      const portable = await readPortable(opened, appId);
      const { random, clock } = deps;
      const exportedAt = clock.now();
      const { text, signer } = await signBundle(portable, { passphrase, keyring, random, exportedAt });
      await writeWhole(file, (handle) => handle.writeFile(text));
      return {
        text: `${appId} is in ${file}\nsigned by ${signer}: send this to the importer over another channel`,
        data: { appId, file, signer },
      };
    },
  },
  {
    name: 'import',
    parameters: ['<file>'],
    about: 'import an exported application for a person who has an account here',
    options: {
      ...PASSPHRASE_OPTION,
      owner: 'e-mail address of its owner on this server',
      signer: 'what the export printed after "signed by"',
    },
    async run(deps, { args: [file = ''], options }) {
      const { owner, signer } = options;
      if (owner === undefined || signer === undefined)
        throw new UsageError('import needs --owner and --signer');
      const passphrase = await readPassphrase(deps, options);
      const portable = await openBundle(await readFile(file, 'utf8'), { signer, passphrase });
      await using opened = await openInstallation(deps);
      const accounts = openOperatorAccounts({ ...deps, ...opened, hooks: [] });
      const guard = createGuard({ trustedHosts: opened.config.webhookTrustedHosts });
      await writePortable({ ...opened, accounts, guard, clock: deps.clock }, owner, portable);
      const { appId, bot } = portable.shown;
      return {
        text: `${appId}${bot ? ` with ${bot.username}` : ''} now belongs to ${owner}; its keys work here`,
        data: { appId, botUsername: bot?.username ?? null, owner },
      };
    },
  },
];

/** An application with its bot and credentials; not its people, messages, grants or events. */
async function readPortable(deps: Pick<Platform, 'db' | 'keyring'>, appId: string): Promise<Portable> {
  const application = await openPortableApplications(deps).read(appId);
  const bot = await findPortableBot(deps.db, appId);
  const { name, redirectUris, webhookUrl, webhookSecret, clientSecretHash, apiKeys } = application;
  const shownBot = bot && {
    userId: bot.accountId,
    username: bot.username,
    description: bot.description,
    commands: bot.commands,
  };
  return {
    shown: { appId, name, redirectUris, bot: shownBot ?? null },
    secrets: {
      webhookUrl,
      webhookSecret,
      clientSecretHash: clientSecretHash?.toString('hex') ?? null,
      apiKeys: apiKeys.map(({ keyHash, name, scopes }) => ({ hash: keyHash.toString('hex'), name, scopes })),
    },
  };
}

type Deps = Pick<Platform, 'db' | 'clock' | 'keyring' | 'config' | 'guard'> & {
  accounts: OperatorAccounts;
};

/**
 * Brings an application and its bot to this server, with the ids and credentials that it had: its code only needs the
 * new address. All of it or nothing.
 */
async function writePortable(deps: Deps, ownerEmail: string, portable: Portable): Promise<void> {
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
    await db.begin(async (tx) => {
      // It may have been deleted meanwhile.
      if (!(await accounts.lock(tx, ownerId))) throw new Error(`${ownerEmail} has no account here`);
      await writeAll(tx, deps, ownerId, portable);
    });
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
  await insertPortableBot(tx, deps.accounts, application, row);
}
