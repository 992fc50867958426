import { IMPORTED_AT_ONCE, inChunks } from '#platform/database/chunks.ts';
import type { Db, Tx } from '#platform/database.ts';
import { type Email, readEmail } from './rules.ts';
import { lockAccountsShared } from './service.ts';
import { NO_END } from './suspension.ts';

/** A person of another product (docs/decisions/0110). */
export interface ImportedPerson {
  /** Where the person comes from, and the id there. */
  key: string;
  accountId: string;
  name: string;
  email: string;
  /** Why nobody signs in to the account until an operator permits it. */
  suspensionReason: string | undefined;
}

/** The account that stands for an imported person, or is going to. */
type Match =
  | { state: 'imported' | 'matched'; accountId: string; isDeleted: boolean; isUnused: boolean }
  | { state: 'unconfirmed'; accountId: string; isDeleted: false; isUnused: false }
  | { state: 'new' };

/** Finds accounts for people: those of an earlier import, then those with the address. In the order of the people. */
export async function findForImport(
  db: Db,
  people: readonly { key: string; email: string | undefined }[],
): Promise<Match[]> {
  const emails = people.map(({ email }) => (email === undefined ? undefined : readEmail(email)));
  const names = await selectOwners(db, [
    ...people.map(({ key }) => ({ value: key, kind: 'import' })),
    ...emails.flatMap((email) => email?.storedNames.map((value) => ({ value, kind: 'email' })) ?? []),
  ]);
  const accounts = await findAccountsHere(db, [...new Set(names.values())]);
  return people.map(({ key }, i) => {
    const imported = names.get(`import ${key}`);
    const accountId = imported ?? ownerOf(emails[i], names);
    const account = accounts.get(accountId ?? '');
    if (accountId === undefined || !account) return { state: 'new' };
    const { isDeleted, isConfirmed, hasMeans } = account;
    const isUnused = !isConfirmed && !hasMeans;
    if (imported !== undefined) return { state: 'imported', accountId, isDeleted, isUnused };
    if (hasMeans && !isConfirmed)
      return { state: 'unconfirmed', accountId, isDeleted: false, isUnused: false };
    return { state: 'matched', accountId, isDeleted: false, isUnused };
  });
}

function ownerOf(email: Email | undefined, names: ReadonlyMap<string, string>): string | undefined {
  return email?.storedNames.map((value) => names.get(`email ${value}`)).find((found) => found !== undefined);
}

async function selectOwners(
  db: Db,
  names: readonly { value: string; kind: string }[],
): Promise<Map<string, string>> {
  const rows = await db<{ value: string; kind: string; ownerId: string }[]>`
    select value, kind, owner_id from unique_names
    where value = any(${names.map(({ value }) => value)}) and kind in ('import', 'email')`;
  return new Map(rows.map(({ value, kind, ownerId }) => [`${kind} ${value}`, ownerId]));
}

/**
 * Which of the accounts are here. An account is its address's owner's if it has confirmed that, and if nobody can sign in to it
 * yet, as to one of another import.
 */
export async function findAccountsHere(db: Db, accountIds: string[]) {
  const rows = await db<(AccountHere & { accountId: string; isConfirmed: boolean; hasMeans: boolean })[]>`
    select accounts.account_id, accounts.email, accounts.created_at, deleted_at is not null as is_deleted,
      email_confirmed_at is not null as is_confirmed,
      coalesce(password_hash, passkeys.account_id, identities.account_id) is not null as has_means
    from accounts
    left join passkeys on passkeys.account_id = accounts.account_id
    left join identities on identities.account_id = accounts.account_id
    where accounts.account_id = any(${accountIds})`;
  return new Map(rows.map((row) => [row.accountId, row]));
}

/**
 * Records who stands for whom, and creates the accounts that are new: without a password, so that their owners come in by a
 * link for a new one, which the operator passes on or a mail to the address has.
 *
 * @returns the addresses that somebody else has taken meanwhile; then the transaction has to be undone
 */
export async function importPeople(
  tx: Tx,
  { created, matched, at }: { created: readonly ImportedPerson[]; matched: readonly Owned[]; at: number },
): Promise<string[]> {
  const emails = created.map(({ accountId, email }) => ({
    value: readEmail(email).uniqueName,
    ownerId: accountId,
  }));
  const taken = new Set(emails.map(({ value }) => value));
  for (const part of inChunks(emails, IMPORTED_AT_ONCE))
    for (const { value } of await insertNames(tx, part, 'email')) taken.delete(value);
  const rows = created.map(({ accountId, name, email, suspensionReason }) => ({
    accountId,
    isBot: false,
    name,
    email,
    createdAt: at,
    suspendedUntil: suspensionReason === undefined ? null : NO_END,
    suspensionReason: suspensionReason ?? null,
  }));
  for (const part of inChunks(rows, IMPORTED_AT_ONCE)) await tx`insert into accounts ${tx(part)}`;
  const keys = [...created, ...matched].map(({ key, accountId }) => ({ value: key, ownerId: accountId }));
  for (const part of inChunks(keys, IMPORTED_AT_ONCE)) await insertNames(tx, part, 'import');
  return [...taken];
}

/** An account of another server of Parley, which keeps its id. */
export interface ImportedAccount {
  accountId: string;
  isBot: boolean;
  email: string | null;
  username: string | null;
  createdAt: number;
  [column: string]: string | number | boolean | null;
}

export interface AccountHere {
  email: string | null;
  createdAt: number;
  isDeleted: boolean;
}

/**
 * Without what is of deleted accounts: these are in no group, have no list, and wrote to nobody. An account may be deleted while
 * an import runs; those that are left cannot be before the transaction ends.
 */
export async function withoutDeleted<T extends { accountId: string }>(
  tx: Tx,
  rows: readonly T[],
): Promise<T[]> {
  const accounts = await lockAccountsShared(tx, [...new Set(rows.map(({ accountId }) => accountId))]);
  const deleted = new Set(
    accounts.flatMap(({ accountId, deletedAt }) => (deletedAt === null ? [] : accountId)),
  );
  return rows.filter(({ accountId }) => !deleted.has(accountId));
}

/** Whose the usernames are that somebody has. */
export async function findUsernameOwners(db: Db, usernames: string[]): Promise<Map<string, string>> {
  const rows = await db<{ value: string; ownerId: string }[]>`
    select value, owner_id from unique_names where value = any(${usernames}) and kind = 'username'`;
  return new Map(rows.map(({ value, ownerId }) => [value, ownerId]));
}

/**
 * Stores accounts with their ids and all their columns, without means of signing in.
 *
 * @returns names that somebody else has taken meanwhile; then the transaction has to be undone
 */
export async function importAccounts(tx: Tx, accounts: readonly ImportedAccount[]): Promise<string[]> {
  const taken = new Set<string>();
  for (const kind of ['email', 'username'] as const) {
    const names = accounts.flatMap(({ accountId: ownerId, [kind]: name }) =>
      name === null ? [] : { value: kind === 'email' ? readEmail(name).uniqueName : name, ownerId },
    );
    for (const { value } of names) taken.add(value);
    for (const part of inChunks(names, IMPORTED_AT_ONCE))
      for (const { value } of await insertNames(tx, part, kind)) taken.delete(value);
  }
  for (const part of inChunks(accounts, IMPORTED_AT_ONCE)) await tx`insert into accounts ${tx(part)}`;
  return [...taken];
}

export async function importTestPeople(
  tx: Tx,
  rows: readonly { accountId: string; testPersonId: string; createdAt: number }[],
): Promise<void> {
  for (const part of inChunks(rows, IMPORTED_AT_ONCE))
    await tx`
      insert into test_people ${tx(part, 'accountId', 'testPersonId', 'createdAt')}
      on conflict (account_id) do nothing`;
}

type Owned = Pick<ImportedPerson, 'key' | 'accountId'>;

async function insertNames(
  tx: Tx,
  names: readonly { value: string; ownerId: string }[],
  kind: 'email' | 'username' | 'import',
): Promise<{ value: string }[]> {
  return tx<{ value: string }[]>`
    insert into unique_names ${tx(names.map((name) => ({ ...name, kind })))}
    on conflict (value, kind) do nothing returning value`;
}
