import type { ApplicationHook } from '#features/applications/index.ts';
import { findBot, updateBotDeleted } from './queries.ts';
import type { BotDeps } from './service.ts';

/** The bot takes its application's name, and is deleted with it. */
export function createBotApplicationHook({
  db,
  accounts,
  accountHooks,
}: Pick<BotDeps, 'db' | 'accounts' | 'accountHooks'>): ApplicationHook {
  const tellOfBot = async (appId: string) => {
    const bot = await findBot(db, appId);
    if (bot) await Promise.all(accountHooks.map((hook) => hook.profileChanged?.(bot.accountId)));
  };
  return {
    async renamed(tx, { appId, name }) {
      const bot = await findBot(tx, appId);
      if (bot) await accounts.rename(tx, bot.accountId, name);
    },
    afterRenaming: tellOfBot,
    async deleted(tx, application) {
      const accountId = await updateBotDeleted(tx, application, application.at);
      if (accountId !== undefined) await accounts.markDeleted(tx, accountId, application.at);
    },
    afterDeletion: tellOfBot,
  };
}
