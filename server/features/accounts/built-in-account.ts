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
  const { username, accountId, name, createdAt } = account;
  if (username !== null) {
    const taken = { value: username, kind: 'username' as const, ownerId: accountId };
    const isNew = await insertUniqueName(tx, taken);
    if (!isNew && (await findNameOwner(tx, taken)) !== accountId) return false;
  }
  await tx`
    insert into accounts ${tx({ accountId, isBot: true, name, username, whoMayAddMe: 'nobody', createdAt })}
    on conflict (account_id) do update set name = excluded.name, username = excluded.username`;
  return true;
}

/** Creates the account of the service, at the first start. */
export async function installServiceAccount({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  const name = textsIn('en')('ui.common.service');
  const account = { accountId: SERVICE_ACCOUNT_ID, name, username: null };
  if (await isBuiltInAccountKept(db, account)) return;
  await db.begin((tx) => keepBuiltInAccount(tx, { ...account, createdAt: clock.now() }));
}
