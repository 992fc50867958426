import type { Db, Tx } from '#platform/database.ts';
import { findNameOwner, insertUniqueName } from './queries.ts';

/** The account of a bot that belongs to the server itself instead of an application. It is in no group. */
export interface BuiltInAccount {
  accountId: string;
  name: string;
  username: string;
  createdAt: number;
}

/** Whether the account is there with this name and username. */
export async function isBuiltInAccountKept(
  db: Db,
  { accountId, name, username }: Omit<BuiltInAccount, 'createdAt'>,
): Promise<boolean> {
  const found = await db`
    select from accounts where account_id = ${accountId} and name = ${name} and username = ${username}`;
  return found.length > 0;
}

/**
 * Creates the account, or updates its name and username. Its former usernames stay reserved.
 *
 * @returns false when the username is somebody else's
 */
export async function keepBuiltInAccount(tx: Tx, account: BuiltInAccount): Promise<boolean> {
  const name = { value: account.username, kind: 'username' as const, ownerId: account.accountId };
  const isNew = await insertUniqueName(tx, name);
  if (!isNew && (await findNameOwner(tx, name)) !== account.accountId) return false;
  await upsertAccount(tx, account);
  return true;
}

async function upsertAccount(
  tx: Tx,
  { accountId, name, username, createdAt }: BuiltInAccount,
): Promise<void> {
  await tx`
    insert into accounts (account_id, is_bot, name, username, who_may_add_me, created_at)
    values (${accountId}, true, ${name}, ${username}, 'nobody', ${createdAt})
    on conflict (account_id) do update set name = excluded.name, username = excluded.username`;
}
