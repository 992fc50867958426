import type { AccountHook } from '#features/accounts/index.ts';
import { findBot } from './queries.ts';
import type { BotDeps } from './service.ts';

/** The bots of a person's applications, for the data export; they are deleted with the applications. */
export function createBotAccountHook({
  db,
  accounts,
  applications,
}: Pick<BotDeps, 'db' | 'accounts' | 'applications'>): AccountHook {
  return {
    sections: {
      async *bots(ownerId) {
        for (const { appId, name } of await applications.listOwn(ownerId)) {
          const bot = await findBot(db, appId);
          if (!bot) continue;
          const { accountId: userId, username, description, commands } = bot;
          const pictureUrl = (await accounts.find(userId))?.pictureUrl ?? undefined;
          yield { appId, userId, name, username, description, commands, pictureUrl };
        }
      },
    },
  };
}
