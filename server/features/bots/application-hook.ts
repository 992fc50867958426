import type { Accounts } from '#features/accounts/index.ts';
import type { ApplicationHook } from '#features/applications/index.ts';
import { findBot, updateBotDeleted } from './queries.ts';

/** The bot goes with its application's name, and ends with it. */
export function createBotApplicationHook({ accounts }: { accounts: Accounts }): ApplicationHook {
  return {
    async renamed(tx, { appId, name }) {
      const bot = await findBot(tx, appId);
      if (bot) await accounts.rename(tx, bot.accountId, name);
    },
    async deleted(tx, application) {
      const accountId = await updateBotDeleted(tx, application, application.at);
      if (accountId !== undefined) await accounts.markDeleted(tx, accountId, application.at);
    },
  };
}
