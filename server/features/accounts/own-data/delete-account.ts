import type { Media } from '#features/media/index.ts';
import { invalidArgument } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import type { AccountHook } from '../hook.ts';
import { deleteInviteLinkOf } from '../profile/invite-link.ts';
import { selectProfile } from '../profile/queries.ts';
import { deleteUniqueName, lockAccount, selectLogin, updatePersonDeleted } from '../queries.ts';
import { readEmail } from '../rules.ts';
import { deletePasskeysOf } from '../second-factor/passkey-queries.ts';
import { deleteTicketsOf } from '../second-factor/ticket-queries.ts';
import { deleteRecoveryCodes, deleteSecret } from '../second-factor/two-factor-queries.ts';
import { deleteSessionsOf } from '../sessions/queries.ts';
import { announceEnd, type Person, sessionEnded } from '../sessions/session.ts';

/**
 * Ends an account for good. The row stays, so that its id is never given again and stays the author of what it wrote;
 * nothing in it says any more who that was. The e-mail address is free.
 *
 * @param email typed by the person, to show that it is meant
 * @throws ApiError 400 when it is another one
 */
export async function deleteAccount(
  { db, clock, keyring, live, media }: Pick<Platform, 'db' | 'clock' | 'keyring' | 'live'> & { media: Media },
  { accountId }: Person,
  { email, hooks }: { email: string; hooks: readonly AccountHook[] },
): Promise<void> {
  const login = await selectLogin(db, accountId);
  if (!login) throw sessionEnded();
  const { uniqueName } = readEmail(login.email);
  if (readEmail(email).uniqueName !== uniqueName) {
    throw invalidArgument('email', 'other-email');
  }
  for (const hook of hooks) await hook.beforeDeletion?.(accountId);
  const at = clock.now();
  const ended = await db.begin(async (tx) => {
    if (!(await lockAccount(tx, accountId))) throw sessionEnded();
    for (const hook of hooks) await hook.deleted?.(tx, { accountId, at });
    await deleteInviteLinkOf(tx, keyring, accountId);
    await deletePasskeysOf(tx, accountId);
    await deleteSecret(tx, accountId);
    await deleteRecoveryCodes(tx, accountId);
    await deleteTicketsOf(tx, accountId);
    const picture = (await selectProfile(tx, accountId))?.pictureUrl;
    if (picture) await media.release(tx, { url: picture, usedBy: accountId, ownerId: accountId, at });
    await deleteUniqueName(tx, { value: uniqueName, kind: 'email', ownerId: accountId });
    await updatePersonDeleted(tx, accountId, at);
    return deleteSessionsOf(tx, accountId);
  });
  announceEnd(live, ended);
  for (const hook of hooks) await hook.afterDeletion?.(accountId);
}
