import type { Db, Tx } from '#platform/database.ts';

/** An account as other features see it: a person or a bot, deleted ones included. */
export interface Account {
  accountId: string;
  isBot: boolean;
  appId: string | null;
  name: string;
  username: string | null;
  pictureUrl: string | null;
  deletedAt: number | null;
}

export interface NewAccount {
  accountId: string;
  isBot: boolean;
  appId: string | null;
  name: string;
  email: string | null;
  username: string | null;
  passwordHash: string | null;
  createdAt: number;
}

export interface UniqueName {
  value: string;
  kind: 'email' | 'username';
  ownerId: string;
}

/** Takes a name for ever; false when somebody has it. Of two at once the primary key lets one through. */
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
    select owner_id as "ownerId" from unique_names where value = ${value} and kind = ${kind}`;
  return row?.ownerId;
}

export async function insertAccount(tx: Tx, account: NewAccount): Promise<void> {
  await tx`
    insert into accounts (account_id, is_bot, app_id, name, email, username, password_hash, created_at)
    values (${account.accountId}, ${account.isBot}, ${account.appId}, ${account.name}, ${account.email},
      ${account.username}, ${account.passwordHash}, ${account.createdAt})`;
}

export async function selectAccount(db: Db, accountId: string): Promise<Account | undefined> {
  const [account] = await db<Account[]>`
    select account_id as "accountId", is_bot as "isBot", app_id as "appId", name, username,
      picture_url as "pictureUrl", deleted_at as "deletedAt"
    from accounts where account_id = ${accountId}`;
  return account;
}

export async function selectAccounts(db: Db, accountIds: string[]): Promise<Account[]> {
  return db<Account[]>`
    select account_id, is_bot, app_id, name, username, picture_url, deleted_at
    from accounts where account_id = any(${accountIds})`;
}

export async function updateAccountName(tx: Tx, accountId: string, name: string): Promise<void> {
  await tx`update accounts set name = ${name} where account_id = ${accountId}`;
}

export async function updateAccountDeleted(tx: Tx, accountId: string, deletedAt: number): Promise<void> {
  await tx`update accounts set deleted_at = ${deletedAt} where account_id = ${accountId} and deleted_at is null`;
}
