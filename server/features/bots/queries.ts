import type { BotCommand } from '#contract/bots.ts';
import type { LockedApplication } from '#features/applications/index.ts';
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

/** False if the application already has a bot; of concurrent inserts the primary key admits one. */
export async function insertBot(
  tx: Tx,
  { appId }: LockedApplication,
  { accountId, username, description, commands, createdAt }: Omit<BotRow, 'appId' | 'deletedAt'>,
): Promise<boolean> {
  const row = { appId, accountId, username, description, commands: tx.json(commands), createdAt };
  const rows = await tx`insert into bots ${tx(row)} on conflict do nothing returning app_id`;
  return rows.length === 1;
}

function columns(db: Db) {
  return db`app_id, account_id, username, description, commands, created_at, deleted_at`;
}

/** The bot of an application, deleted or not. */
export async function findBot(db: Db, appId: string): Promise<BotRow | undefined> {
  const [bot] = await db<BotRow[]>`
    select ${columns(db)} from bots where app_id = ${appId}`;
  return bot;
}

export async function updateBot(
  tx: Tx,
  { appId }: LockedApplication,
  { description, commands }: Pick<BotRow, 'description' | 'commands'>,
): Promise<void> {
  await tx`
    update bots set description = ${description}, commands = ${tx.json(commands)} where app_id = ${appId}`;
}

/** Returns the bot's account, if there was a bot to delete. */
export async function updateBotDeleted(
  tx: Tx,
  { appId }: LockedApplication,
  deletedAt: number,
): Promise<string | undefined> {
  const [bot] = await tx<{ accountId: string }[]>`
    update bots set deleted_at = ${deletedAt} where app_id = ${appId} and deleted_at is null returning account_id`;
  return bot?.accountId;
}

/** The profile of a bot that belongs to no application. */
export type BuiltInProfile = Pick<BotRow, 'accountId' | 'description' | 'commands'>;

export async function upsertBuiltInBot(
  tx: Tx,
  { accountId, description, commands }: BuiltInProfile,
): Promise<void> {
  await tx`
    insert into built_in_bots (account_id, description, commands)
    values (${accountId}, ${description}, ${tx.json(commands)})
    on conflict (account_id) do update set description = excluded.description, commands = excluded.commands`;
}

export async function findBuiltInBot(db: Db, accountId: string): Promise<BuiltInProfile | undefined> {
  const [bot] = await db<BuiltInProfile[]>`
    select account_id, description, commands from built_in_bots where account_id = ${accountId}`;
  return bot;
}

/** The undeleted bots of the given applications. A read over many shards, for the list of a person. */
export async function findBots(db: Db, appIds: string[]): Promise<BotRow[]> {
  return db<BotRow[]>`
    select ${columns(db)}
    from bots where app_id = any(${appIds}) and deleted_at is null order by app_id`;
}
