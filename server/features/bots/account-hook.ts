import type { AccountHook } from '#features/accounts/index.ts';
import { listApplications } from '#features/applications/service.ts';
import type { Platform } from '#platform/platform.ts';
import { findBot } from './queries.ts';

/** The bots of a person's applications; they go with these. */
export function createBotAccountFollower({ db }: Pick<Platform, 'db'>): AccountHook {
  return {
    sections: {
      async *bots(ownerId) {
        for (const { appId, name } of await listApplications(db, ownerId)) {
          const bot = await findBot(db, appId);
          if (!bot) continue;
          const { accountId: userId, username, description, commands } = bot;
          yield { appId, userId, name, username, description, commands };
        }
      },
    },
  };
}
