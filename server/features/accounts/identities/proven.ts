import { hash } from 'node:crypto';
import type { Db, Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import {
  deleteUniqueName,
  findNameOwner,
  insertPerson,
  insertUniqueName,
  lockAccountShared,
  updateAccountPicture,
} from '../queries.ts';
import type { Email } from '../rules.ts';

/** The session of a person at a provider, as far as the provider names it. */
export interface ProviderSession {
  providerId: string;
  sessionId: string | undefined;
}

/** A person at a provider: the issuer and its subject. */
export interface IdentityKey {
  issuer: string;
  subject: string;
}

/** A person as a provider has just proven and described them. */
export interface ProvenIdentity extends IdentityKey {
  provider: ProviderSession;
  /** Ids under which the provider may have announced the person before they first signed in. */
  externalIds: string[];
  email: string | undefined;
  isEmailVerified: boolean;
  name: string | undefined;
  pictureUrl: string | undefined;
  /** When the person proved it to the provider, if it says so. */
  authenticatedAt: number | undefined;
  /** Whether the provider verified two factors. */
  isTwoFactor: boolean;
}

export interface IdentityRow {
  accountId: string;
  issuer: string;
  subject: string | null;
  userName: string | null;
  externalId: string | null;
  isManaged: boolean;
  connectedAt: number;
  lastUsedAt: number | null;
}

function nameOf({ issuer, subject }: IdentityKey) {
  return { value: hash('sha256', `${issuer}\0${subject}`, 'base64url'), kind: 'identity' as const };
}

/** The account that a person at a provider is connected with. */
export function findIdentityOwner(db: Db, identity: IdentityKey): Promise<string | undefined> {
  return findNameOwner(db, nameOf(identity));
}

/** Reserves the identity for an account; false if it is connected already. Of concurrent calls, one succeeds. */
export function takeIdentity(tx: Tx, identity: IdentityKey, accountId: string): Promise<boolean> {
  return insertUniqueName(tx, { ...nameOf(identity), ownerId: accountId });
}

/** Frees it; the row goes as well. */
export async function freeIdentity(tx: Tx, { accountId, issuer, subject }: IdentityRow): Promise<void> {
  if (subject !== null) await deleteUniqueName(tx, { ...nameOf({ issuer, subject }), ownerId: accountId });
  await tx`delete from identities where account_id = ${accountId} and issuer = ${issuer}`;
}

/** Whether the identity is still the account's, and the account still there; neither ends before the transaction. */
export async function lockIdentity(tx: Tx, identity: IdentityKey, accountId: string): Promise<boolean> {
  const account = await lockAccountShared(tx, accountId);
  return account?.deletedAt === null && (await findIdentityOwner(tx, identity)) === accountId;
}

type NewIdentity = Pick<IdentityRow, 'accountId' | 'issuer' | 'subject' | 'connectedAt'> &
  Partial<IdentityRow>;

/** False if the account is connected with the provider already. */
export async function insertIdentity(tx: Tx, given: NewIdentity): Promise<boolean> {
  const row = { userName: null, externalId: null, isManaged: false, lastUsedAt: null, ...given };
  const rows = await tx`
    insert into identities ${tx(row)} on conflict (account_id, issuer) do nothing returning account_id`;
  return rows.length === 1;
}

export async function selectIdentities(db: Db, accountId: string): Promise<IdentityRow[]> {
  return db<IdentityRow[]>`
    select account_id, issuer, subject, user_name, external_id, is_managed, connected_at, last_used_at
    from identities where account_id = ${accountId} order by connected_at, issuer`;
}

/** The account that a provider announced under one of these ids, and to which nobody has signed in yet. Over all shards. */
export async function findAnnounced(
  db: Db,
  { issuer, externalIds }: Pick<ProvenIdentity, 'issuer' | 'externalIds'>,
): Promise<string | undefined> {
  const [row] = await db<{ accountId: string }[]>`
    select account_id from identities
    where issuer = ${issuer} and external_id = any(${externalIds}) and subject is null limit 1`;
  return row?.accountId;
}

/** The first sign-in of an announced person; false if there was one before. */
export async function updateSubject(
  tx: Tx,
  { issuer, subject }: IdentityKey,
  accountId: string,
): Promise<boolean> {
  const rows = await tx`
    update identities set subject = ${subject}
    where account_id = ${accountId} and issuer = ${issuer} and subject is null returning account_id`;
  return rows.length === 1;
}

interface ManagedAccount extends Pick<IdentityRow, 'accountId' | 'issuer' | 'subject'> {
  email: Email;
  /** Whether the provider has confirmed the address. */
  isConfirmed: boolean;
  name: string;
  pictureUrl?: string | undefined;
  /** As the provider announces the person; else the address. */
  userName?: string;
  externalId?: string | undefined;
}

/** An account without a password, which a provider makes. False if somebody has the address. */
export async function insertManagedAccount(
  tx: Tx,
  { clock }: Pick<Platform, 'clock'>,
  { accountId, issuer, subject, email, isConfirmed, name, pictureUrl, ...announced }: ManagedAccount,
): Promise<boolean> {
  const at = clock.now();
  if (!(await insertPerson(tx, { accountId, name, email, passwordHash: null, createdAt: at }))) return false;
  if (isConfirmed) await tx`update accounts set email_confirmed_at = ${at} where account_id = ${accountId}`;
  if (pictureUrl !== undefined) await updateAccountPicture(tx, accountId, pictureUrl);
  return insertIdentity(tx, {
    ...{ accountId, issuer, subject, isManaged: true, connectedAt: at },
    userName: announced.userName ?? email.address,
    externalId: announced.externalId ?? null,
    lastUsedAt: subject === null ? null : at,
  });
}
