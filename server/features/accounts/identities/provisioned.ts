import type { ActDetails } from '#contract/operate/acts.ts';
import type { Db, Tx } from '#platform/database.ts';
import { alreadyExists, notFound } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import type { AccountDeps } from '../deps.ts';
import { replaceEmail } from '../email.ts';
import { hasNoMeans } from '../means.ts';
import { deletePerson } from '../own-data.ts';
import { findEmailOwner, lockAccount, updateAccountName } from '../queries.ts';
import { nameOfStored, readEmail } from '../rules.ts';
import { announceEnd, endSessions } from '../sessions/session.ts';
import { findHold, updateDeactivated } from '../suspension.ts';
import { insertIdentity, insertManagedAccount } from './proven.ts';

/** A person as their provider manages them. */
export interface Provisioned {
  accountId: string;
  userName: string;
  externalId: string | null;
  name: string;
  email: string;
  isActive: boolean;
  /** Whether the provider made the account; else it only lets the person in, or not. */
  isManaged: boolean;
  createdAt: number;
}

export type ProvisionedChange = Partial<
  Pick<Provisioned, 'userName' | 'externalId' | 'name' | 'email' | 'isActive'>
>;

/** An act of a provider on one of its people. */
export type ProvisioningAct =
  | 'person.provisioned'
  | 'person.provision-changed'
  | 'person.deactivated'
  | 'person.reactivated'
  | 'person.deprovisioned';

/** The provider that acts. */
export interface ProvisioningBy {
  issuer: string;
  /** Whether accounts are found by their addresses. */
  findsByEmail: boolean;
  /** Until the transaction ends, no other act of the provider begins: of two, one finds a user name taken. */
  lock(tx: Tx): Promise<unknown>;
  /** Records an act in its transaction. */
  record(tx: Tx, accountId: string, act: ProvisioningAct, details: ActDetails): Promise<void>;
}

interface Wanted {
  accountId?: string;
  /** Compared without regard to case (RFC 7643 §4.1.1). */
  userName?: string;
  externalId?: string;
  email?: string;
}

/** With the account whose address is the wanted one, or the wanted user name. */
type Condition = Wanted & { ownerId?: string | undefined };

/** Providers look for a person before each change, so that every condition finds its rows by an index. */
async function readWanted(db: Db, wanted: Wanted): Promise<Condition> {
  const address = wanted.email ?? wanted.userName;
  if (address === undefined) return wanted;
  return { ...wanted, ownerId: await findEmailOwner(db, { storedNames: [nameOfStored(address)] }) };
}

function conditionOf(
  db: Db,
  issuer: string,
  { accountId, userName, externalId, email, ownerId = '' }: Condition,
) {
  return db`identities.issuer = ${issuer} and accounts.deleted_at is null
    ${accountId === undefined ? db`` : db`and identities.account_id = ${accountId}`}
    ${
      userName === undefined
        ? db``
        : db`and (lower(identities.user_name) = lower(${userName})
          or identities.user_name is null and identities.account_id = ${ownerId})`
    }
    ${externalId === undefined ? db`` : db`and identities.external_id = ${externalId}`}
    ${email === undefined ? db`` : db`and identities.account_id = ${ownerId}`}`;
}

/** The people of a provider, in the order of their ids. A read over all shards, unless an account is wanted. */
async function selectProvisioned(
  db: Db,
  issuer: string,
  wanted: Condition,
  { offset, limit }: { offset: number; limit: number },
): Promise<Provisioned[]> {
  return db<Provisioned[]>`
    select identities.account_id, coalesce(identities.user_name, accounts.email) as user_name,
      identities.external_id, accounts.name, accounts.email, accounts.deactivated_at is null as is_active,
      identities.is_managed, accounts.created_at
    from identities join accounts on accounts.account_id = identities.account_id
    where ${conditionOf(db, issuer, wanted)}
    order by identities.account_id offset ${offset} limit ${limit}`;
}

/** @throws ApiError 404 */
export async function findProvisioned(
  { db }: { db: Db },
  issuer: string,
  accountId: string,
): Promise<Provisioned> {
  const wanted = { accountId };
  const [person] = isId('usr', accountId)
    ? await selectProvisioned(db, issuer, wanted, { offset: 0, limit: 1 })
    : [];
  if (!person) throw notFound('account.unknown');
  return person;
}

export async function listProvisioned(
  { db }: Pick<AccountDeps, 'db'>,
  issuer: string,
  wanted: Wanted,
  page: { offset: number; limit: number },
): Promise<{ people: Provisioned[]; total: number }> {
  const condition = await readWanted(db, wanted);
  const [people, [row]] = await Promise.all([
    selectProvisioned(db, issuer, condition, page),
    db<{ total: number }[]>`
      select count(*)::integer as total
      from identities join accounts on accounts.account_id = identities.account_id
      where ${conditionOf(db, issuer, condition)}`,
  ]);
  return { people, total: row?.total ?? 0 };
}

/**
 * An account for somebody who has not signed in yet: a new one, or one with this address to which nobody can sign in, such as an
 * imported one. That one stays its own: the provider can deactivate it, but not change or delete it.
 *
 * @throws ApiError 400, 409
 */
export async function provision(
  deps: AccountDeps,
  by: ProvisioningBy,
  given: Pick<Provisioned, 'userName' | 'externalId' | 'name' | 'email' | 'isActive'>,
): Promise<Provisioned> {
  const { db, clock, newId } = deps;
  const email = readEmail(given.email, 'emails');
  const { issuer } = by;
  const { userName, externalId, name, isActive } = given;
  const accountId = await db.begin(async (tx) => {
    await by.lock(tx);
    await refuseUserName(tx, issuer, userName);
    const owner = by.findsByEmail ? await findEmailOwner(tx, email) : undefined;
    const isFree = owner !== undefined && (await lockAccount(tx, owner)) && (await hasNoMeans(tx, owner));
    const accountId = isFree ? owner : newId('usr');
    const identity = { accountId, issuer, subject: null, userName, externalId };
    const isMade = isFree
      ? await insertIdentity(tx, { ...identity, connectedAt: clock.now() })
      : await insertManagedAccount(tx, deps, {
          ...{ ...identity, email, isConfirmed: false, name },
          externalId: externalId ?? undefined,
        });
    if (!isMade) throw alreadyExists('account.email-taken');
    if (!isActive) await updateDeactivated(tx, accountId, clock.now());
    await by.record(tx, accountId, 'person.provisioned', { userName });
    return accountId;
  });
  return findProvisioned(deps, issuer, accountId);
}

async function refuseUserName(tx: Tx, issuer: string, userName: string, ownId?: string): Promise<void> {
  const condition = await readWanted(tx, { userName });
  const [other] = await selectProvisioned(tx, issuer, condition, { offset: 0, limit: 1 });
  if (other && other.accountId !== ownId) throw alreadyExists('provider.user-name-taken');
}

/**
 * Changes a person. Name and address belong to the provider only if it made the account. Deactivating ends sessions and
 * streams, and holds the grants, in this transaction; reactivating lifts that.
 *
 * @param changeOf what changes, for the person as they are
 * @throws ApiError 400, 404, 409
 */
export async function changeProvisioned(
  deps: AccountDeps,
  by: ProvisioningBy,
  accountId: string,
  changeOf: (before: Provisioned) => ProvisionedChange,
): Promise<Provisioned> {
  const { db, clock, live, hooks } = deps;
  const { issuer } = by;
  const now = clock.now();
  const { before, change, ended } = await db.begin(async (tx) => {
    await by.lock(tx);
    if (!(await lockAccount(tx, accountId))) throw notFound('account.unknown');
    const before = await findProvisioned({ db: tx }, issuer, accountId);
    const change = changeOf(before);
    const changed = changedIn(before, change);
    const { userName = before.userName, externalId = before.externalId } = change;
    if (userName !== before.userName) await refuseUserName(tx, issuer, userName, accountId);
    await tx`
      update identities set user_name = ${userName}, external_id = ${externalId}
      where account_id = ${accountId} and issuer = ${issuer}`;
    if (before.isManaged && change.name !== undefined) await updateAccountName(tx, accountId, change.name);
    if (before.isManaged && change.email !== undefined && change.email !== before.email)
      await replaceEmail(tx, {
        accountId,
        from: before.email,
        to: readEmail(change.email, 'emails').address,
        confirmedAt: null,
      });
    if (changed.length > 0)
      await by.record(tx, accountId, 'person.provision-changed', { changed: changed.join(', ') });
    if (change.isActive === undefined || change.isActive === before.isActive)
      return { before, change, ended: [] };
    await by.record(tx, accountId, change.isActive ? 'person.reactivated' : 'person.deactivated', {});
    await updateDeactivated(tx, accountId, change.isActive ? null : now);
    const until = await findHold(tx, accountId, now);
    for (const hook of hooks) await hook.suspensionChanged?.(tx, { accountId, until });
    return { before, change, ended: change.isActive ? [] : await endSessions(tx, accountId) };
  });
  announceEnd(live, ended);
  live.publish(accountId, { type: 'profile.changed', data: {} });
  if (before.isManaged && change.name !== undefined && change.name !== before.name)
    await Promise.all(hooks.map((hook) => hook.profileChanged?.(accountId)));
  return findProvisioned(deps, issuer, accountId);
}

/** The attributes that a change gives another value, without `active`. */
function changedIn(before: Provisioned, change: ProvisionedChange): string[] {
  const own = before.isManaged ? (['name', 'email'] as const) : [];
  return (['userName', 'externalId', ...own] as const).filter(
    (name) => change[name] !== undefined && change[name] !== before[name],
  );
}

/** Deletes an account that the provider made, for good; another one is deactivated. @throws ApiError 404 */
export async function deprovision(deps: AccountDeps, by: ProvisioningBy, accountId: string): Promise<void> {
  const { isManaged } = await findProvisioned(deps, by.issuer, accountId);
  if (!isManaged) await changeProvisioned(deps, by, accountId, () => ({ isActive: false }));
  else await deletePerson(deps, accountId, (tx) => by.record(tx, accountId, 'person.deprovisioned', {}));
}
