import type { ChangeProfile, OwnProfile } from '#contract/profiles.ts';
import { claimUploads } from '#features/media/service.ts';
import type { Db } from '#platform/database.ts';
import { invalidArgument } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { requireFileUrl } from '#platform/upload-links.ts';
import { type ProfileRow, selectProfile, updateProfile } from './profile-queries.ts';
import { sessionEnded } from './session.ts';

/** What a person sees of the own account. */
export async function showProfile(db: Db, accountId: string): Promise<OwnProfile> {
  const row = await selectProfile(db, accountId);
  if (!row) throw sessionEnded();
  return viewProfile(row);
}

/** What is left out stays; a `pictureUrl` of null takes the picture away. */
export async function changeProfile(
  deps: Pick<Platform, 'db' | 'clock'>,
  accountId: string,
  { name, pictureUrl, whoMayAddMe }: ChangeProfile,
): Promise<OwnProfile> {
  if (name == null && pictureUrl === undefined && whoMayAddMe === undefined) {
    throw invalidArgument('body', 'needs name, pictureUrl or whoMayAddMe');
  }
  await claimUploads(deps, { pictureUrl: pictureUrl ?? null });
  const row = await deps.db.begin((tx) =>
    updateProfile(tx, accountId, {
      name: name ?? null,
      picture: pictureUrl === undefined ? undefined : readPicture(pictureUrl),
      whoMayAddMe: whoMayAddMe ?? null,
    }),
  );
  if (!row) throw sessionEnded();
  return viewProfile(row);
}

/** An upload of this server, by its path, or a picture on the public internet. */
function readPicture(url: string | null): string | null {
  return url === null ? null : requireFileUrl('pictureUrl', url);
}

function viewProfile({ accountId, name, email, pictureUrl, whoMayAddMe, createdAt }: ProfileRow): OwnProfile {
  return {
    accountId,
    name,
    email,
    ...(pictureUrl !== null && { pictureUrl }),
    whoMayAddMe,
    createdAt,
  };
}
