import { openPortableApplications } from '#features/applications/index.ts';
import { findPortableBot } from '#features/bots/index.ts';
import type { Platform } from '#platform/platform.ts';
import type { Portable } from './bundle.ts';

/** An application with its bot and credentials; not its people, messages, grants or events. */
export async function readPortable(deps: Pick<Platform, 'db' | 'keyring'>, appId: string): Promise<Portable> {
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
