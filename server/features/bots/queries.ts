import type { BotCommand } from '#contract/bots.ts';
import type { Db, Tx } from '#platform/database.ts';

export interface BotRow {
  appId: string;
  accountId: string;
  username: string;
  description: string;
  commands: BotCommand[];
  createdAt: number;
  deletedAt: number | null;
}

/** False when the application has a bot already: of several at once the primary key lets one through. */
export async function insertBot(tx: Tx, bot: Omit<BotRow, 'deletedAt'>): Promise<boolean> {
  const rows = await tx`
    insert into bots (app_id, account_id, username, description, commands, created_at)
    values (${bot.appId}, ${bot.accountId}, ${bot.username}, ${bot.description}, ${tx.json(bot.commands)},
      ${bot.createdAt})
    on conflict do nothing returning app_id`;
  return rows.length === 1;
}

/** The bot of an application, deleted or not. */
export async function findBot(db: Db, appId: string): Promise<BotRow | undefined> {
  const [bot] = await db<BotRow[]>`
    select app_id, account_id, username, description, commands, created_at, deleted_at
    from bots where app_id = ${appId}`;
  return bot;
}

export async function updateBot(
  tx: Tx,
  appId: string,
  { description, commands }: Pick<BotRow, 'description' | 'commands'>,
): Promise<void> {
  await tx`
    update bots set description = ${description}, commands = ${tx.json(commands)} where app_id = ${appId}`;
}

/** Returns the bot's account, if there was a bot to delete. */
export async function updateBotDeleted(
  tx: Tx,
  appId: string,
  deletedAt: number,
): Promise<string | undefined> {
  const [bot] = await tx<{ accountId: string }[]>`
    update bots set deleted_at = ${deletedAt} where app_id = ${appId} and deleted_at is null returning account_id`;
  return bot?.accountId;
}
