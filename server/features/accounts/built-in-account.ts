import type { Db, Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { textsIn } from '#platform/texts.ts';
import { findNameOwner, insertUniqueName } from './queries.ts';

/** The account that tells people what operators decided and announce: the same on every installation (docs/decisions/0105). */
export const SERVICE_ACCOUNT_ID = 'usr_00000000000000000000000z';

/** The account of a bot that belongs to the server itself instead of an application. It is in no group. */
export interface BuiltInAccount {
  accountId: string;
  name: string;
  /** Null if nobody is to find it by name. */
  username: string | null;
  createdAt: number;
}

/** Whether the account is there with this name and username. */
export async function isBuiltInAccountKept(
  db: Db,
  { accountId, name, username }: Omit<BuiltInAccount, 'createdAt'>,
): Promise<boolean> {
  const found = await db`
    select from accounts where account_id = ${accountId} and name = ${name} and username is not distinct from ${username}`;
  return found.length > 0;
}

/**
 * Creates the account, or updates its name and username. Its former usernames stay reserved.
 *
 * @returns false when the username is somebody else's
 */
export async function keepBuiltInAccount(tx: Tx, account: BuiltInAccount): Promise<boolean> {
  const { username, accountId } = account;
  if (username !== null) {
    const name = { value: username, kind: 'username' as const, ownerId: accountId };
    const isNew = await insertUniqueName(tx, name);
    if (!isNew && (await findNameOwner(tx, name)) !== accountId) return false;
  }
  await upsertAccount(tx, account);
  return true;
}

/** Creates the account of the service, at the first start. */
export async function installServiceAccount({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  const account = {
    accountId: SERVICE_ACCOUNT_ID,
    name: textsIn('en')('ui.common.service'),
    username: null,
  };
  if (await isBuiltInAccountKept(db, account)) return;
  await db.begin((tx) => keepBuiltInAccount(tx, { ...account, createdAt: clock.now() }));
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
