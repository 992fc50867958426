import type { Db, Tx } from '#platform/database.ts';
import { notFound, unauthenticated } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import {
  type Account,
  findEmailOwner,
  insertAccount,
  insertUniqueName,
  type Login,
  lockAccountShared,
  type NewAccount,
  selectAccount,
  selectAccounts,
  selectLogin,
} from './queries.ts';
import { readEmail } from './rules.ts';

/** The account of a bot, which nobody signs in to. False when the username was ever taken. */
export async function createBotAccount(
  tx: Tx,
  bot: Pick<NewAccount, 'accountId' | 'name' | 'createdAt'> & { appId: string; username: string },
): Promise<boolean> {
  const isFree = await insertUniqueName(tx, {
    value: bot.username,
    kind: 'username',
    ownerId: bot.accountId,
  });
  if (!isFree) return false;
  await insertAccount(tx, { ...bot, isBot: true, email: null, passwordHash: null });
  return true;
}

/** Any account, including deleted ones, which stay the authors of their messages. */
export async function findAccount(db: Db, accountId: string): Promise<Account | undefined> {
  return isId('usr', accountId) ? selectAccount(db, accountId) : undefined;
}

/** Those of the given accounts that exist, deleted ones included. */
export async function findAccounts(db: Db, accountIds: Iterable<string>): Promise<Account[]> {
  const possible = [...new Set(accountIds)].filter((accountId) => isId('usr', accountId));
  return possible.length === 0 ? [] : selectAccounts(db, possible);
}

/** A person's account with the address that the person signs in with, and whether it is proven. */
export async function findOwnAccount(db: Db, accountId: string): Promise<Omit<Login, 'passwordHash'>> {
  const login = await selectLogin(db, accountId);
  if (!login) throw notFound('account.deleted');
  const { passwordHash: _, ...account } = login;
  return account;
}

/**
 * Those of the given accounts that exist, deleted ones included; none of them can be deleted before the
 * transaction ends. Call it before taking any other lock: deleting an account locks it first, then the
 * objects it belongs to.
 */
export async function lockAccountsShared(tx: Tx, accountIds: readonly string[]): Promise<Account[]> {
  const possible = accountIds.filter((accountId) => isId('usr', accountId)).sort();
  // One statement each: a lock over several shards does not exist on Citus (storage design). They are sent at once.
  const held = await Promise.all(possible.map((accountId) => lockAccountShared(tx, accountId)));
  return held.flatMap((account) => account ?? []);
}

/**
 * The same for the acting account, so that work begun while it is deleted does not outlive it.
 *
 * @throws ApiError 401
 */
export async function lockActor(tx: Tx, accountId: string): Promise<void> {
  const [account] = await lockAccountsShared(tx, [accountId]);
  if (account?.deletedAt !== null) throw actorDeleted();
}

export function actorDeleted(): Error {
  return unauthenticated('credential.account-deleted');
}

/** The confirmed address of a person. */
export async function findConfirmedEmail(db: Db, accountId: string): Promise<string | undefined> {
  const login = await selectLogin(db, accountId);
  return login?.emailConfirmedAt == null ? undefined : login.email;
}

/** The account with this address, ignoring case. @throws ApiError 400 for an invalid address */
export async function findAccountIdByEmail(db: Db, email: string): Promise<string | undefined> {
  return findEmailOwner(db, readEmail(email));
}

/** @throws ApiError 404; 400 for an invalid address */
export async function requireAccountIdByEmail(db: Db, email: string): Promise<string> {
  const accountId = await findAccountIdByEmail(db, email);
  if (accountId === undefined) throw notFound('account.email-unknown');
  return accountId;
}
