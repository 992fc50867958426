import type { WhoMayAdd } from '#contract/accounts/profiles.ts';
import type { Db, Tx } from '#platform/database.ts';
import type { Email } from './rules.ts';

/** An account as other features see it: a person or a bot, deleted ones included. */
export interface Account {
  accountId: string;
  isBot: boolean;
  appId: string | null;
  name: string;
  username: string | null;
  pictureUrl: string | null;
  whoMayAddMe: WhoMayAdd;
  /** Of a bot: its texts are shown without formatting. */
  plainText: boolean;
  deletedAt: number | null;
  /** With whom somebody writes to their own bots: the only undeleted people without an address to sign in with. */
  isTestPerson: boolean;
}

export interface NewAccount extends Pick<Account, 'accountId' | 'isBot' | 'appId' | 'name' | 'username'> {
  email: string | null;
  passwordHash: string | null;
  createdAt: number;
}

export interface UniqueName {
  value: string;
  kind: 'email' | 'username' | 'invite' | 'identity' | 'import';
  ownerId: string;
}

/**
 * Reserves a name forever; false if it is taken. Of two concurrent calls, the primary key lets one succeed.
 */
export async function insertUniqueName(tx: Tx, { value, kind, ownerId }: UniqueName): Promise<boolean> {
  const rows = await tx`
    insert into unique_names (value, kind, owner_id) values (${value}, ${kind}, ${ownerId})
    on conflict do nothing returning owner_id`;
  return rows.length === 1;
}

export async function findNameOwner(
  db: Db,
  { value, kind }: Pick<UniqueName, 'value' | 'kind'>,
): Promise<string | undefined> {
  const [row] = await db<{ ownerId: string }[]>`
    select owner_id from unique_names where value = ${value} and kind = ${kind}`;
  return row?.ownerId;
}

/** The account with this address, however it is stored. Of two accounts of version 0.2, the one spelt as typed. */
export async function findEmailOwner(
  db: Db,
  { storedNames }: Pick<Email, 'storedNames'>,
): Promise<string | undefined> {
  const rows = await db<{ value: string; ownerId: string }[]>`
    select value, owner_id from unique_names where value = any(${storedNames}) and kind = 'email'`;
  const ownerOf = new Map(rows.map(({ value, ownerId }) => [value, ownerId]));
  return ownerOf.get(storedNames.find((name) => ownerOf.has(name)) ?? '');
}

/** Reserves an address for an account; false if another account has it, however it is stored. */
export async function insertEmail(tx: Tx, email: Email, accountId: string): Promise<boolean> {
  const ownerId = await findEmailOwner(tx, email);
  if (ownerId !== undefined && ownerId !== accountId) return false;
  return insertUniqueName(tx, { value: email.uniqueName, kind: 'email', ownerId: accountId });
}

/** The account of a person with an address; false if another account has it. */
export async function insertPerson(
  tx: Tx,
  {
    email,
    ...person
  }: Pick<NewAccount, 'accountId' | 'name' | 'passwordHash' | 'createdAt'> & { email: Email },
): Promise<boolean> {
  if (!(await insertEmail(tx, email, person.accountId))) return false;
  await insertAccount(tx, { ...person, email: email.address, isBot: false, appId: null, username: null });
  return true;
}

export async function insertAccount(tx: Tx, account: NewAccount): Promise<void> {
  await tx`
    insert into accounts
    ${tx(account, 'accountId', 'isBot', 'appId', 'name', 'email', 'username', 'passwordHash', 'createdAt')}`;
}

/** Frees a name. It must no longer belong to an account. */
export async function deleteUniqueName(tx: Tx, { value, kind, ownerId }: UniqueName): Promise<void> {
  await tx`delete from unique_names where value = ${value} and kind = ${kind} and owner_id = ${ownerId}`;
}

function accountColumns(db: Db) {
  return db`account_id, is_bot, app_id, name, username, picture_url, who_may_add_me, plain_text, deleted_at,
      not is_bot and email is null and deleted_at is null as is_test_person`;
}

export async function selectAccount(db: Db, accountId: string): Promise<Account | undefined> {
  const [account] = await db<Account[]>`
    select ${accountColumns(db)}
    from accounts where account_id = ${accountId}`;
  return account;
}

export async function selectAccounts(db: Db, accountIds: string[]): Promise<Account[]> {
  return db<Account[]>`
    select ${accountColumns(db)}
    from accounts where account_id = any(${accountIds})`;
}

/** Reads an account and keeps it from being deleted until the transaction ends (a shared lock). */
export async function lockAccountShared(tx: Tx, accountId: string): Promise<Account | undefined> {
  const [account] = await tx<Account[]>`
    select ${accountColumns(tx)}
    from accounts where account_id = ${accountId} for share`;
  return account;
}

/** The same for many, except those that somebody else has locked: not on Citus, where a statement locks rows of one shard. */
export async function lockFreeShared(
  tx: Tx,
  accountIds: readonly string[],
): Promise<Pick<Account, 'accountId' | 'deletedAt'>[]> {
  return tx<Pick<Account, 'accountId' | 'deletedAt'>[]>`
    select account_id, deleted_at from accounts where account_id = any(${[...accountIds]})
    order by account_id for share skip locked`;
}

/** Locks an account exclusively until the transaction ends; false if it is deleted. */
export async function lockAccount(tx: Tx, accountId: string): Promise<boolean> {
  const [account] = await tx<{ deletedAt: number | null }[]>`
    select deleted_at from accounts where account_id = ${accountId} for no key update`;
  return account?.deletedAt === null;
}

export async function updateAccountName(tx: Tx, accountId: string, name: string): Promise<void> {
  await tx`update accounts set name = ${name} where account_id = ${accountId}`;
}

export async function updatePlainText(tx: Tx, accountId: string, plainText: boolean): Promise<void> {
  await tx`update accounts set plain_text = ${plainText} where account_id = ${accountId}`;
}

export async function updateAccountPicture(tx: Tx, accountId: string, url: string | null): Promise<void> {
  await tx`update accounts set picture_url = ${url} where account_id = ${accountId}`;
}

export async function updateAccountDeleted(tx: Tx, accountId: string, deletedAt: number): Promise<void> {
  await tx`update accounts set deleted_at = ${deletedAt} where account_id = ${accountId} and deleted_at is null`;
}

/** Removes everything about the person except the id. */
export async function updatePersonDeleted(tx: Tx, accountId: string, deletedAt: number): Promise<void> {
  await tx`
    update accounts
    set name = '', email = null, email_confirmed_at = null, username = null, picture_url = null, password_hash = null,
      deleted_at = ${deletedAt}
    where account_id = ${accountId} and deleted_at is null`;
}

/** Address and password of a person. Bots and deleted accounts have none. */
export interface Login {
  accountId: string;
  name: string;
  email: string;
  /** When the person proved the address to be theirs; null for one that nobody has proven. */
  emailConfirmedAt: number | null;
  /** The terms that the person accepted last. */
  termsUrl: string | null;
  /** Null for a person who signs in by other means. */
  passwordHash: string | null;
}

export async function selectLogin(db: Db, accountId: string): Promise<Login | undefined> {
  const [login] = await db<Login[]>`
    select account_id, name, email, email_confirmed_at, terms_url, password_hash from accounts
    where account_id = ${accountId} and not is_bot and deleted_at is null and email is not null`;
  return login;
}

/** The same under the lock of the account, which is held until the transaction ends. */
export async function lockLogin(tx: Tx, accountId: string): Promise<Login | undefined> {
  return (await lockAccount(tx, accountId)) ? selectLogin(tx, accountId) : undefined;
}

/** Locks the password until the transaction ends; false if it has changed. */
export async function lockPassword(tx: Tx, accountId: string, passwordHash: string): Promise<boolean> {
  const rows = await tx`
    select account_id from accounts
    where account_id = ${accountId} and password_hash = ${passwordHash} and deleted_at is null for share`;
  return rows.length === 1;
}

/** False when the password is no longer the one that was proven. */
export async function replacePassword(
  tx: Tx,
  accountId: string,
  { from, to }: { from: string | null; to: string },
): Promise<boolean> {
  const rows = await tx`
    update accounts set password_hash = ${to}
    where account_id = ${accountId} and password_hash is not distinct from ${from} and deleted_at is null
    returning account_id`;
  return rows.length === 1;
}

/** The epoch of the account's device cookies; irrelevant for a deleted account. */
export async function selectDeviceEpoch(db: Db, accountId: string): Promise<number> {
  const [row] = await db<{ deviceEpoch: number }[]>`
    select device_epoch from accounts where account_id = ${accountId}`;
  return row?.deviceEpoch ?? 0;
}

/** Invalidates the device cookies of the account. */
export async function updateDeviceEpoch(tx: Tx, accountId: string): Promise<void> {
  await tx`update accounts set device_epoch = device_epoch + 1 where account_id = ${accountId}`;
}
