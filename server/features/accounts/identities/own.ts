import type { Tx } from '#platform/database.ts';
import { alreadyExists, failedPrecondition, notFound, permissionDenied } from '#platform/errors.ts';
import type { AccountDeps } from '../deps.ts';
import { hasNoMeans } from '../means.ts';
import { lockAccount, selectLogin } from '../queries.ts';
import { deleteSession, updateSessionAuthenticated } from '../sessions/queries.ts';
import { announceEnd, type Person, sessionEnded } from '../sessions/session.ts';
import {
  findIdentityOwner,
  freeIdentity,
  type IdentityRow,
  insertIdentity,
  type ProvenIdentity,
  selectIdentities,
  takeIdentity,
  updateSubject,
} from './proven.ts';
import { findProviderSessions } from './provider-sessions.ts';

/** How far a provider's clock may differ from this server's. */
const SKEW_MS = 60_000;

/** The identities with which a person signs in, and whether they can use a password as well. */
export async function listIdentities(
  { db }: Pick<AccountDeps, 'db'>,
  accountId: string,
): Promise<{ identities: IdentityRow[]; hasPassword: boolean }> {
  const [identities, login] = await Promise.all([
    selectIdentities(db, accountId),
    selectLogin(db, accountId),
  ]);
  return { identities, hasPassword: login?.passwordHash != null };
}

/** Connects the person with who they are at a provider. @throws ApiError 409 */
export async function connectIdentity(
  { db, clock, live }: AccountDeps,
  { accountId }: Pick<Person, 'accountId'>,
  identity: ProvenIdentity,
): Promise<void> {
  const { issuer, subject, email } = identity;
  await db.begin(async (tx) => {
    if (!(await lockAccount(tx, accountId))) throw sessionEnded();
    if ((await findIdentityOwner(tx, identity)) === accountId) return;
    if (!(await takeIdentity(tx, identity, accountId))) throw alreadyExists('identity.taken');
    const connectedAt = clock.now();
    const isConnected =
      (await insertIdentity(tx, { accountId, issuer, subject, connectedAt, userName: email ?? null })) ||
      (await updateSubject(tx, identity, accountId));
    if (!isConnected) throw alreadyExists('identity.other');
  });
  live.publish(accountId, { type: 'profile.changed', data: {} });
}

/**
 * Disconnects it, and ends the sessions that began there, except the one that asks.
 *
 * @throws ApiError 400 for the last means of sign-in, 403 for an account that the provider made, 404
 */
export async function disconnectIdentity(
  deps: AccountDeps,
  person: Person,
  {
    providerId,
    issuer,
    extraWrites,
  }: { providerId: string; issuer: string; extraWrites: (tx: Tx) => Promise<void> },
): Promise<void> {
  const { db, live, takesPasswords } = deps;
  const { accountId } = person;
  const countsPassword = await takesPasswords();
  const ended = await db.begin(async (tx) => {
    if (!(await lockAccount(tx, accountId))) throw sessionEnded();
    const identities = await selectIdentities(tx, accountId);
    const identity = identities.find((one) => one.issuer === issuer);
    if (!identity) throw notFound('identity.unknown');
    if (identity.isManaged) throw permissionDenied('identity.managed');
    await freeIdentity(tx, identity);
    await extraWrites(tx);
    if (await hasNoMeans(tx, accountId, countsPassword)) throw failedPrecondition('identity.last-means');
    const sessions = await findProviderSessions(tx, { providerId, accountId });
    const others = sessions.filter(({ sessionHash }) => !sessionHash.equals(person.sessionHash));
    return (await Promise.all(others.map((session) => deleteSession(tx, session)))).flat();
  });
  announceEnd(live, ended);
}

/**
 * Renews the sign-in time of the session: the person has just proven to the provider who they are.
 *
 * @param since when the person was sent there
 * @throws ApiError 403
 */
export async function confirmByIdentity(
  { db, clock }: AccountDeps,
  person: Person,
  identity: ProvenIdentity,
  since: number,
): Promise<void> {
  const { authenticatedAt = 0 } = identity;
  if ((await findIdentityOwner(db, identity)) !== person.accountId)
    throw permissionDenied('provider.other-identity');
  if (authenticatedAt < since - SKEW_MS) throw permissionDenied('provider.not-fresh');
  const renewed = { now: clock.now(), method: 'fed' } as const;
  if (!(await db.begin((tx) => updateSessionAuthenticated(tx, person, renewed)))) throw sessionEnded();
}
