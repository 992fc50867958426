import type { ChangeProfile, OwnProfile } from '#contract/accounts/profiles.ts';
import type { Db } from '#platform/database.ts';
import { invalidArgument } from '#platform/errors.ts';
import { requireFileUrl } from '#platform/files/upload-links.ts';
import type { AccountDeps } from '../deps.ts';
import type { AccountHook } from '../hook.ts';
import { sessionEnded } from '../sessions/session.ts';
import { type ProfileRow, selectLastSeen, selectProfile, updateProfile } from './queries.ts';
import { changeUsername } from './username.ts';

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
  { db, config, live, media }: AccountDeps,
  accountId: string,
  { hooks = [], ...change }: ChangeProfile & { hooks?: readonly AccountHook[] },
): Promise<OwnProfile> {
  const { name, pictureUrl, username, readReceipts } = change;
  if (Object.values({ ...change, name: name ?? undefined }).every((value) => value === undefined)) {
    throw invalidArgument('body', 'needs-profile-details');
  }
  await media.claim({ pictureUrl: pictureUrl ?? null }, accountId);
  const row = await db.begin(async (tx) => {
    if (username !== undefined) await changeUsername(tx, { config }, accountId, username);
    return updateProfile(tx, accountId, {
      name: name ?? null,
      picture: pictureUrl === undefined ? undefined : readPicture(pictureUrl),
      whoMayAddMe: change.whoMayAddMe ?? null,
      remoteMedia: change.remoteMedia ?? null,
      readReceipts: readReceipts ?? null,
      typingIndicators: change.typingIndicators ?? null,
      lastSeen: change.lastSeen ?? null,
    });
  });
  if (!row) throw sessionEnded();
  live.publish(accountId, { type: 'profile.changed', data: {} });
  if (name != null || pictureUrl !== undefined || username !== undefined)
    await Promise.all(hooks.map((hook) => hook.profileChanged?.(accountId)));
  if (readReceipts !== undefined) await Promise.all(hooks.map((hook) => hook.receiptsChanged?.(accountId)));
  return viewProfile(row);
}

/** An upload of this server, by its path, or a picture on the public internet. */
function readPicture(url: string | null): string | null {
  return url === null ? null : requireFileUrl('pictureUrl', url);
}

function viewProfile({ username, pictureUrl, emailConfirmedAt, ...profile }: ProfileRow): OwnProfile {
  return {
    ...profile,
    ...(emailConfirmedAt !== null && { emailConfirmedAt }),
    ...(username !== null && { username }),
    ...(pictureUrl !== null && { pictureUrl }),
  };
}
