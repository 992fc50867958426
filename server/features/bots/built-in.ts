import { isDeepStrictEqual } from 'node:util';
import type { BotCommand } from '#contract/bots.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { Platform } from '#platform/platform.ts';
import { findBuiltInBot, upsertBuiltInBot } from './queries.ts';

/** A bot of the server itself: an account like any bot's, but without an application, keys or a webhook. */
export interface BuiltInBot {
  accountId: string;
  name: string;
  username: string;
  description: string;
  commands: BotCommand[];
}

export type BuiltInBotDeps = Pick<Platform, 'db' | 'clock'> & {
  accounts: Pick<Accounts, 'keepBuiltIn' | 'isBuiltInKept'>;
};

/**
 * Creates or updates the bot, at every start of every process. Writes nothing if it is as it should be.
 *
 * @returns false if the username is taken; nothing was changed then
 */
export async function installBuiltInBot(
  { db, clock, accounts }: BuiltInBotDeps,
  bot: BuiltInBot,
): Promise<boolean> {
  const known = await findBuiltInBot(db, bot.accountId);
  const isSame = known?.description === bot.description && isDeepStrictEqual(known.commands, bot.commands);
  if (isSame && (await accounts.isBuiltInKept(db, bot))) return true;
  return db.begin(async (tx) => {
    if (!(await accounts.keepBuiltIn(tx, { ...bot, createdAt: clock.now() }))) return false;
    await upsertBuiltInBot(tx, bot);
    return true;
  });
}
