import type { OperatorAccounts } from '#features/accounts/index.ts';
import type { LockedApplication } from '#features/applications/index.ts';
import type { Db, Tx } from '#platform/database.ts';
import { type BotRow, findBots, insertBot } from './queries.ts';

/** A bot to be moved to another server with its application. */
export type PortableBot = Pick<BotRow, 'accountId' | 'username' | 'description' | 'commands'>;

export async function findPortableBot(db: Db, appId: string): Promise<PortableBot | undefined> {
  const [bot] = await findBots(db, [appId]);
  return bot;
}

/** @throws Error if the application already has a bot, or the username is taken */
export async function insertPortableBot(
  tx: Tx,
  accounts: OperatorAccounts,
  application: LockedApplication,
  { name, createdAt, ...bot }: PortableBot & { name: string; createdAt: number },
): Promise<void> {
  const { appId } = application;
  if (!(await insertBot(tx, application, { ...bot, createdAt })))
    throw new Error(`${appId} already has a bot here`);
  const { accountId, username } = bot;
  if (!(await accounts.createForBot(tx, { accountId, username, appId, name, createdAt })))
    throw new Error(`the username ${username} is taken here`);
}
