import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LIMITS } from '#contract/limits.ts';
import type { Tx } from '#platform/database.ts';
import { ApiError, invalidArgument, NotDone } from '#platform/errors.ts';
import { pathOfUploadLink, uploadIdOf } from '#platform/files/upload-links.ts';
import type { Platform } from '#platform/platform.ts';
import {
  deleteUnused,
  deleteUse,
  insertUse,
  lockUpload,
  type MediaRow,
  releaseUnused,
  selectMedia,
  selectUnused,
  takeBackClaim,
  updateReleased,
  updateUnused,
  updateUsed,
  updateWithdrawn,
  upsertHeldUse,
} from './queries.ts';
import { stagingDirectory } from './receive.ts';
import type { MediaStore } from './store.ts';

const UNUSED_MS = LIMITS.unusedUploadHours * 3_600_000;
const MEDIA_ID = /^[A-Za-z0-9_-]{27}$/;

/** The fields of people's requests that may name an upload. */
const FILE_FIELDS = ['fileUrl', 'thumbnailUrl', 'photoUrl', 'imageUrl', 'videoUrl', 'pictureUrl'] as const;

export type UploadFields = { [field in (typeof FILE_FIELDS)[number]]?: string | null };

export async function findMedia({ db, keyring }: Platform, mediaId: string) {
  const row = MEDIA_ID.test(mediaId) ? await selectMedia(db, mediaId) : undefined;
  if (!row) return undefined;
  const { contentType, size } = row;
  return { contentType, size, fileName: openFileName(keyring, row) };
}

/** The id of the upload if the name cannot be read. */
export function openFileName(
  keyring: Platform['keyring'],
  {
    mediaId,
    fileName: ciphertext,
    fileNameKeyId: keyId,
  }: Pick<MediaRow, 'mediaId' | 'fileName' | 'fileNameKeyId'>,
): string {
  const name = keyring.openIfReadable({ table: 'media', rowId: mediaId }, { keyId, ciphertext });
  return name?.toString() ?? mediaId;
}

/**
 * Keeps the uploads to which a request refers from being removed as unused while `store` stores what refers to them, and from
 * then on. If it is refused, the claim is taken back: a superfluous upload is harmless, a missing one leaves a gap in a conversation.
 *
 * @param usedBy the ids of what refers to them
 * @throws ApiError 400 for the field that refers to no upload
 */
export async function withClaim<T>(
  deps: Platform,
  body: UploadFields,
  usedBy: readonly string[],
  store: () => Promise<T>,
): Promise<T> {
  const claimed: string[] = [];
  try {
    for (const field of FILE_FIELDS) {
      const url = body[field];
      if (!url?.startsWith('/media/')) continue;
      const mediaId = uploadIdOf(url);
      const isThere = mediaId !== undefined && (await claimUpload(deps, mediaId, usedBy));
      if (!isThere) throw invalidArgument(field, 'unknown-upload');
      claimed.push(mediaId);
    }
    return await store();
  } catch (error) {
    // After any other error, it may have been stored.
    const isRefused = error instanceof NotDone || (error instanceof ApiError && error.status < 500);
    if (isRefused) for (const mediaId of claimed) await takeBack(deps, mediaId, usedBy);
    throw error;
  }
}

/**
 * The same for links of the public API to uploads of this server, which are named by their paths from here on.
 *
 * @throws ApiError 400 for the field whose link names no upload
 */
export async function withClaimedLinks<B extends UploadFields, T>(
  deps: Platform,
  body: B,
  usedBy: string,
  store: (body: B) => Promise<T>,
): Promise<T> {
  const paths: UploadFields = {};
  for (const field of FILE_FIELDS) {
    const path = pathOfUploadLink(deps.config, body[field] ?? '');
    if (path !== undefined) paths[field] = path;
  }
  if (Object.keys(paths).length === 0) return store(body);
  return withClaim(deps, paths, [usedBy], () => store({ ...body, ...paths }));
}

function claimUpload({ db, clock }: Platform, mediaId: string, usedBy: readonly string[]): Promise<boolean> {
  return db.begin(async (tx) => {
    const isThere = await updateUsed(tx, mediaId, clock.now());
    if (isThere) for (const one of usedBy) await insertUse(tx, { mediaId, usedBy: one });
    return isThere;
  });
}

/** A failure here is not the request's error: the upload then stays. */
async function takeBack({ db, log }: Platform, mediaId: string, usedBy: readonly string[]): Promise<void> {
  const done = db.begin(async (tx) => {
    await lockUpload(tx, mediaId);
    for (const one of usedBy) await takeBackClaim(tx, { mediaId, usedBy: one });
    await updateUnused(tx, mediaId);
  });
  await done.catch((err) => log.warn({ err, mediaId }, 'an upload stays claimed by a refused request'));
}

/** The end of a use of a file, which was `ownerId`'s. A file elsewhere is not ours. */
interface EndedUse {
  url: string;
  usedBy: string;
  ownerId: string;
}

/**
 * Removes uses of uploads. An upload without another use is no longer served, and the worker removes its bytes.
 */
export async function releaseUploads(tx: Tx, uses: readonly EndedUse[], at: number): Promise<void> {
  await withEachUpload(tx, uses, async ({ mediaId, usedBy, mayEnd }) => {
    await deleteUse(tx, { mediaId, usedBy });
    if (!mayEnd) return;
    await updateReleased(tx, mediaId, at);
    await updateWithdrawn(tx, mediaId, at);
  });
}

/** The same for a picture that was replaced or removed. */
export async function releaseReplaced(
  tx: Tx,
  { before, after, ...use }: Omit<EndedUse, 'url'> & Record<'before' | 'after', string | null>,
  at: number,
): Promise<void> {
  if (before === null || uploadIdOf(before) === uploadIdOf(after ?? '')) return;
  await releaseUploads(tx, [{ url: before, ...use }], at);
}

/**
 * The same where a legal hold keeps what referred to them: the uploads stay, but one without another use is no longer
 * served.
 */
export async function keepForHold(tx: Tx, uses: readonly EndedUse[], at: number): Promise<void> {
  await withEachUpload(tx, uses, async ({ mediaId, usedBy, mayEnd }) => {
    await upsertHeldUse(tx, { mediaId, usedBy });
    if (mayEnd) await updateWithdrawn(tx, mediaId, at);
  });
}

async function withEachUpload(
  tx: Tx,
  uses: readonly EndedUse[],
  end: (use: { mediaId: string; usedBy: string; mayEnd: boolean }) => Promise<void>,
): Promise<void> {
  // In the order of the ids, so that two transactions that end uses of the same uploads do not deadlock.
  const inOrder = uses.toSorted((a, b) => (a.url < b.url ? -1 : 1));
  for (const { url, usedBy, ownerId } of inOrder) {
    const mediaId = uploadIdOf(url);
    const upload = mediaId && (await lockUpload(tx, mediaId));
    // Whether others use an upload without counted uses is unknown: only its owner can delete it.
    if (upload) await end({ mediaId, usedBy, mayEnd: upload.isCounted || upload.ownerId === ownerId });
  }
}

/**
 * One step of the worker: removes up to `limit` unused uploads. Returns how many.
 *
 * @throws if a file cannot be removed: its row stays, and with it the next attempt
 */
export async function removeUnusedMedia(
  { db, clock, config, store }: Platform & { store: MediaStore },
  { limit }: { limit: number },
): Promise<number> {
  const now = clock.now();
  const createdBy = now - UNUSED_MS;
  await removeStaged(stagingDirectory(config), createdBy);
  const mediaIds = await selectUnused(db, { createdBy, limit });
  let removed = 0;
  for (const mediaId of mediaIds) {
    if (!(await db.begin((tx) => releaseUnused(tx, mediaId, now)))) continue;
    await store.remove(mediaId);
    await db.begin((tx) => deleteUnused(tx, mediaId));
    removed++;
  }
  return removed;
}

/** Removes the remains of uploads that a crash interrupted. */
async function removeStaged(directory: string, writtenBy: number): Promise<void> {
  for (const name of await readdir(directory).catch(() => [])) {
    const path = join(directory, name);
    const file = await stat(path).catch(() => undefined);
    if (file && file.mtimeMs <= writtenBy) await rm(path, { force: true });
  }
}
