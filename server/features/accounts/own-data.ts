import type { Tx } from '#platform/database.ts';
import { invalidArgument, notFound } from '#platform/errors.ts';
import type { AccountDeps } from './deps.ts';
import { freeIdentity, selectIdentities } from './identities/proven.ts';
import { deleteInviteLinkOf } from './profile/invite-link.ts';
import { freeUsername } from './profile/profile.ts';
import { selectProfile } from './profile/queries.ts';
import { deleteUniqueName, lockLogin, selectLogin, updatePersonDeleted } from './queries.ts';
import { nameOfStored, readEmail } from './rules.ts';
import { deletePasskeysOf, deleteRecoveryCodes, deleteSecret } from './second-factor/two-factor-queries.ts';
import { deleteSessionsOf } from './sessions/queries.ts';
import { announceEnd, type Person, sessionEnded } from './sessions/session.ts';

/**
 * A person deletes their account for good.
 *
 * @param email typed by the person, as a confirmation
 * @throws ApiError 400 if it is not the account's
 */
export async function deleteAccount(deps: AccountDeps, { accountId }: Person, email: string): Promise<void> {
  const login = await selectLogin(deps.db, accountId);
  if (!login) throw sessionEnded();
  if (!readEmail(email).storedNames.includes(nameOfStored(login.email))) {
    throw invalidArgument('email', 'other-email');
  }
  if (!(await endAccount(deps, accountId))) throw sessionEnded();
}

/** The operator deletes a person's account for good. @throws ApiError 404 */
export async function deletePerson(
  deps: AccountDeps,
  accountId: string,
  extraWrites: (tx: Tx) => Promise<void>,
): Promise<void> {
  if (!(await selectLogin(deps.db, accountId)) || !(await endAccount(deps, accountId, extraWrites)))
    throw notFound('account.unknown');
}

/**
 * The row stays, so that its id is never reused and stays the author of its messages, but no longer
 * identifies the person. The e-mail address is free.
 *
 * @returns false when the account was deleted meanwhile
 */
async function endAccount(
  { db, clock, keyring, live, media, hooks }: AccountDeps,
  accountId: string,
  extraWrites?: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  for (const hook of hooks) await hook.beforeDeletion?.(accountId);
  const at = clock.now();
  const ended = await db.begin(async (tx) => {
    const login = await lockLogin(tx, accountId);
    if (!login) return undefined;
    for (const hook of hooks) await hook.deleted?.(tx, { accountId, at });
    await deleteInviteLinkOf(tx, keyring, accountId);
    await deletePasskeysOf(tx, accountId);
    await deleteSecret(tx, accountId);
    await deleteRecoveryCodes(tx, accountId);
    await tx`delete from used_tickets where account_id = ${accountId}`;
    for (const identity of await selectIdentities(tx, accountId)) await freeIdentity(tx, identity);
    const { pictureUrl: picture = null, username = null } = (await selectProfile(tx, accountId)) ?? {};
    await freeUsername(tx, accountId, username);
    if (picture) await media.release(tx, [{ url: picture, usedBy: accountId, ownerId: accountId }], at);
    await deleteUniqueName(tx, { value: nameOfStored(login.email), kind: 'email', ownerId: accountId });
    await updatePersonDeleted(tx, accountId, at);
    await extraWrites?.(tx);
    return deleteSessionsOf(tx, accountId);
  });
  if (!ended) return false;
  announceEnd(live, ended);
  for (const hook of hooks) await hook.afterDeletion?.(accountId);
  return true;
}
