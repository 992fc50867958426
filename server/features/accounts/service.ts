import type { Db, Tx } from '#platform/database.ts';
import { isId } from '#platform/ids.ts';
import {
  type Account,
  findNameOwner,
  insertAccount,
  insertUniqueName,
  selectAccount,
  selectAccounts,
  updateAccountDeleted,
  updateAccountName,
} from './queries.ts';

export type { Account };

export interface NewBotAccount {
  accountId: string;
  appId: string;
  name: string;
  username: string;
  createdAt: number;
}

/** The account of a bot, which nobody signs in to. False when the username was ever taken. */
export async function createBotAccount(tx: Tx, bot: NewBotAccount): Promise<boolean> {
  const isFree = await insertUniqueName(tx, {
    value: bot.username,
    kind: 'username',
    ownerId: bot.accountId,
  });
  if (!isFree) return false;
  await insertAccount(tx, { ...bot, isBot: true, email: null, passwordHash: null });
  return true;
}

/** Any account, deleted ones included: they stay the authors of what they wrote. */
export async function findAccount(db: Db, accountId: string): Promise<Account | undefined> {
  return isId('usr', accountId) ? selectAccount(db, accountId) : undefined;
}

/** Those of the given accounts that exist, deleted ones included. */
export async function findAccounts(db: Db, accountIds: string[]): Promise<Account[]> {
  const possible = accountIds.filter((accountId) => isId('usr', accountId));
  return possible.length === 0 ? [] : selectAccounts(db, possible);
}

/** Whose username this is or was; the account may be deleted. */
export async function findAccountIdByUsername(db: Db, username: string): Promise<string | undefined> {
  return findNameOwner(db, { value: username, kind: 'username' });
}

export async function renameAccount(tx: Tx, accountId: string, name: string): Promise<void> {
  await updateAccountName(tx, accountId, name);
}

/** Marks an account as deleted; the first time counts, and its names stay taken. */
export async function markAccountDeleted(tx: Tx, accountId: string, at: number): Promise<void> {
  await updateAccountDeleted(tx, accountId, at);
}
