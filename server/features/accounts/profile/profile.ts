import { ChangeProfile, type OwnProfile } from '#contract/accounts/profiles.ts';
import { withoutAbsent } from '#platform/absent.ts';
import type { Db, Tx } from '#platform/database.ts';
import { alreadyExists, invalidArgument } from '#platform/errors.ts';
import { requireFileUrl } from '#platform/files/upload-links.ts';
import type { Platform } from '#platform/platform.ts';
import type { AccountDeps } from '../deps.ts';
import { deleteUniqueName, insertUniqueName, lockAccount } from '../queries.ts';
import { findServiceName } from '../rules.ts';
import { sessionEnded } from '../sessions/session.ts';
import {
  lockPicture,
  type ProfileRow,
  selectLastSeen,
  selectProfile,
  updateProfile,
  updateUsername,
} from './queries.ts';

/** A person's account as the person sees it. */
export async function showProfile({ db }: { db: Db }, accountId: string): Promise<OwnProfile> {
  const row = await selectProfile(db, accountId);
  if (!row) throw sessionEnded();
  return viewProfile(row);
}

/** When somebody was last seen, if the asking person may know it: only if both show it. */
export async function findLastSeen(
  { db }: { db: Db },
  askingId: string,
  accountId: string,
): Promise<number | undefined> {
  const [own, theirs] = await Promise.all([selectProfile(db, askingId), selectProfile(db, accountId)]);
  return own?.lastSeen && theirs?.lastSeen ? selectLastSeen(db, accountId) : undefined;
}

/**
 * Fields that are left out stay; a `pictureUrl` of null removes the picture. Open pages of the person and of
 * those who share a conversation with them are notified.
 */
export async function changeProfile(
  { db, clock, config, live, media, hooks }: AccountDeps,
  accountId: string,
  change: ChangeProfile,
): Promise<OwnProfile> {
  const { name, pictureUrl, username, readReceipts } = change;
  if (Object.values({ ...change, name: name ?? undefined }).every((value) => value === undefined)) {
    throw invalidArgument('body', 'needs-one-of', {
      fields: Object.keys(ChangeProfile.properties).join(', '),
    });
  }
  const store = async (tx: Tx) => {
    if (username !== undefined) await changeUsername(tx, config, accountId, username);
    const picture = pictureUrl == null ? pictureUrl : requireFileUrl('pictureUrl', pictureUrl);
    if (picture !== undefined) {
      const before = await lockPicture(tx, accountId);
      const use = { before, after: picture, usedBy: accountId, ownerId: accountId };
      await media.releaseReplaced(tx, use, clock.now());
    }
    return updateProfile(tx, accountId, { ...change, picture });
  };
  const row = await media.withClaim({ pictureUrl: pictureUrl ?? null }, [accountId], () => db.begin(store));
  if (!row) throw sessionEnded();
  live.publish(accountId, { type: 'profile.changed', data: {} });
  if (name != null || pictureUrl !== undefined || username !== undefined)
    await Promise.all(hooks.map((hook) => hook.profileChanged?.(accountId)));
  if (readReceipts !== undefined) await Promise.all(hooks.map((hook) => hook.receiptsChanged?.(accountId)));
  return viewProfile(row);
}

function viewProfile({ username, pictureUrl, emailConfirmedAt, ...profile }: ProfileRow): OwnProfile {
  return withoutAbsent({ ...profile, emailConfirmedAt, username, pictureUrl });
}

/**
 * Sets, changes or removes a person's username. The previous one is free from then on; those of bots stay
 * reserved forever.
 *
 * @throws ApiError 400 for the name of the service, 409 when somebody else has it
 */
async function changeUsername(
  tx: Tx,
  config: Platform['config'],
  accountId: string,
  username: string | null,
): Promise<void> {
  const word = username === null ? undefined : findServiceName(username, config);
  if (word !== undefined) throw invalidArgument('username', 'reserved-word', { word });
  if (!(await lockAccount(tx, accountId))) throw sessionEnded();
  const before = (await selectProfile(tx, accountId))?.username ?? null;
  if (before === username) return;
  const name = { value: username ?? '', kind: 'username' as const, ownerId: accountId };
  if (username !== null && !(await insertUniqueName(tx, name))) throw alreadyExists('person.username-taken');
  // Last, since two people who take each other's names would each wait for the end of the other's transaction.
  await freeUsername(tx, accountId, before);
  await updateUsername(tx, accountId, username);
}

/** It can no longer be looked up. */
export async function freeUsername(tx: Tx, accountId: string, username: string | null): Promise<void> {
  if (username !== null)
    await deleteUniqueName(tx, { value: username, kind: 'username', ownerId: accountId });
}
