import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileTypeFromFile } from 'file-type';
import { LIMITS } from '#contract/limits.ts';
import { MEDIA_BYTES, type Media, type MediaKind, type MediaLimits, UPLOAD_BYTES } from '#contract/media.ts';
import { kindOfType, servedType } from '#contract/media-types.ts';
import type { PersonLimits } from '#contract/operate/people.ts';
import { say, sayOfField } from '#contract/reasons.ts';
import { ApiError, invalidArgument, resourceExhausted } from '#platform/errors.ts';
import { makeDirectory } from '#platform/files/whole-file.ts';
import type { Platform } from '#platform/platform.ts';
import type { RateLimit } from '#platform/rate-limits.ts';
import { addUsage, insertMedia, type MediaRow, selectUsage, subtractUsage } from './queries.ts';
import { nameInPath, safeFileName } from './rules.ts';
import type { MediaStore, StagedFile } from './store.ts';

export type MediaDeps = Platform & {
  store: MediaStore;
  findOwnLimits: FindOwnLimits;
  /** Begun uploads of one person, per minute. */
  starts: RateLimit;
  turns: UploadTurns;
};

type KeepDeps = Pick<MediaDeps, 'db' | 'random' | 'keyring' | 'config' | 'store'>;
type Deps = KeepDeps & Pick<MediaDeps, 'clock' | 'findOwnLimits'>;

const ID_BYTES = 20;
/** A form may be this much longer than its file. */
const FORM_BYTES = 16 * 1024;

export interface IncomingFile {
  /** Of a file that has been on another server; it must be free here. */
  mediaId?: string;
  ownerId: string;
  /** Undefined for the kind that its content has. */
  kind: MediaKind | undefined;
  /** The names that errors have for the file and its kind. */
  fields: { file: 'body'; kind: 'kind' } | { file: 'file'; kind: 'type' };
  /** Of the body: in a form, there is more than the file. */
  contentLength: number | undefined;
  content: AsyncIterable<Buffer>;
  /** Called once the content has ended. */
  fileName(): string;
}

/**
 * Receives an upload: through the disk, so that memory stays small, then into the store. Its type is detected
 * from its content.
 *
 * @throws ApiError 400 for a file of another kind, 411 without a length, 413 too large, 429 for too much in a day
 */
export async function receiveUpload(deps: Deps, incoming: IncomingFile): Promise<Media> {
  const { ownerId } = incoming;
  const bytes = requireLength(incoming);
  const now = deps.clock.now();
  const limit = await findBytesPerDay(deps, ownerId);
  const charge = { accountId: ownerId, day: dayOf(now), bytes, limit };
  if (bytes > limit || !(await deps.db.write((tx) => addUsage(tx, charge)))) {
    throw new ApiError(429, 'resource-exhausted', say('media.day-is-full'), {
      'retry-after': String(secondsOfDayLeft(now)),
    });
  }
  try {
    return await keepIncoming(deps, incoming, now);
  } catch (error) {
    // Charged before the bytes arrive, so that concurrent uploads cannot exceed the daily limit; failed
    // uploads are refunded.
    await deps.db.write((tx) => subtractUsage(tx, charge));
    throw error;
  }
}

/** The same for a file that counts for nobody's limit. @throws ApiError 400, 413 */
export async function keepIncoming(deps: KeepDeps, incoming: IncomingFile, now: number): Promise<Media> {
  const { ownerId, fields } = incoming;
  const mediaId = incoming.mediaId ?? deps.random.bytes(ID_BYTES).toString('base64url');
  const file = await stage(deps.config, mediaId, incoming);
  try {
    const { size } = file;
    const sniffed = await sniff(file.path);
    const kind = incoming.kind ?? kindOfType(sniffed);
    const contentType = servedType(kind, sniffed);
    if (contentType === undefined) throw invalidArgument(fields.kind, 'not-displayable', { kind });
    if (size > MEDIA_BYTES[kind]) throw tooLarge(fields.file, MEDIA_BYTES[kind]);
    const fileName = safeFileName(incoming.fileName());
    await keep(deps, { mediaId, ownerId, kind, contentType, fileName, createdAt: now }, file);
    return { url: `/media/${mediaId}/${nameInPath(fileName)}`, kind, contentType, fileName, size };
  } finally {
    await rm(file.path, { force: true });
  }
}

function requireLength({ kind, fields, contentLength }: IncomingFile): number {
  if (contentLength === undefined)
    throw new ApiError(411, 'invalid-argument', say('http.content-length-missing'));
  if (contentLength === 0) throw invalidArgument(fields.file, 'missing');
  const count = kind ? MEDIA_BYTES[kind] : UPLOAD_BYTES;
  if (contentLength > count + (fields.file === 'file' ? FORM_BYTES : 0)) throw tooLarge(fields.file, count);
  return contentLength;
}

function tooLarge(field: string, count: number): ApiError {
  return new ApiError(413, 'invalid-argument', sayOfField(field, 'too-large', { count }));
}

/** Files that a crash left here are removed with those that nobody sent. */
export function stagingDirectory({ dataDir }: Pick<Platform['config'], 'dataDir'>): string {
  return join(dataDir, 'media', 'staging');
}

async function stage(
  config: Platform['config'],
  mediaId: string,
  { content, contentLength, fields }: IncomingFile,
): Promise<StagedFile> {
  const directory = stagingDirectory(config);
  await makeDirectory(directory);
  const path = join(directory, mediaId);
  const hash = createHash('sha256');
  let size = 0;
  async function* arriving() {
    try {
      for await (const chunk of content) {
        size += chunk.length;
        hash.update(chunk);
        yield chunk;
      }
    } catch (error) {
      // The uploader has disconnected: not an error, and nobody reads the answer.
      throw error instanceof ApiError ? error : invalidArgument('body', 'ended-early');
    }
  }
  try {
    await pipeline(arriving, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
    if (fields.file === 'body' && size !== contentLength)
      throw invalidArgument('body', 'not-of-content-length');
    if (fields.file === 'file' && size === 0) throw invalidArgument('file', 'empty');
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return { path, size, digest: hash.digest('hex') };
}

/** Hostile bytes may make type detection fail; then the type is unknown. */
async function sniff(path: string): Promise<string | undefined> {
  const type = await fileTypeFromFile(path).catch(() => undefined);
  return type?.mime;
}

/**
 * Writes the row first, so that the expiry worker can find and remove the file if anything fails afterwards.
 */
async function keep(
  { db, keyring, store }: KeepDeps,
  media: Omit<MediaRow, 'fileName' | 'fileNameKeyId' | 'size'> & { fileName: string },
  file: StagedFile,
): Promise<void> {
  const { mediaId } = media;
  const sealed = keyring.seal({ table: 'media', rowId: mediaId }, Buffer.from(media.fileName));
  const name = { fileName: sealed.ciphertext, fileNameKeyId: sealed.keyId };
  await db.write((tx) => insertMedia(tx, { ...media, ...name, size: file.size }));
  await store.put(mediaId, file);
}

/** @throws ApiError 429 */
export class UploadTurns {
  readonly #running = new Map<string, number>();

  /** Runs an upload of a person unless too many of theirs run already. */
  async take<T>(accountId: string, upload: () => Promise<T>): Promise<T> {
    const running = this.#running.get(accountId) ?? 0;
    if (running >= LIMITS.uploadsAtOnce)
      throw resourceExhausted('media.too-many', { count: LIMITS.uploadsAtOnce });
    this.#running.set(accountId, running + 1);
    try {
      return await upload();
    } finally {
      const left = (this.#running.get(accountId) ?? 1) - 1;
      if (left === 0) this.#running.delete(accountId);
      else this.#running.set(accountId, left);
    }
  }
}

const DAY_MS = 24 * 3_600_000;

/** Days since 1970, UTC. */
export function dayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}

export function secondsOfDayLeft(now: number): number {
  return Math.ceil(((dayOf(now) + 1) * DAY_MS - now) / 1000);
}

/** The limits that operators chose for a person; undefined if the person has only the server's limits. */
export type FindOwnLimits = (accountId: string) => Promise<PersonLimits | undefined>;

export async function findBytesPerDay(
  {
    config,
    findOwnLimits,
  }: { config: Pick<Platform['config'], 'uploadMegabytesPerDay'>; findOwnLimits: FindOwnLimits },
  accountId: string,
): Promise<number> {
  const own = await findOwnLimits(accountId);
  return (own?.uploadMegabytesPerDay ?? config.uploadMegabytesPerDay) * 1024 * 1024;
}

/** How much a person may upload, and how much is left today. */
export async function findMediaLimits(
  deps: Platform & { findOwnLimits: FindOwnLimits },
  accountId: string,
): Promise<MediaLimits> {
  const { db, clock, config } = deps;
  const perDay = await findBytesPerDay(deps, accountId);
  const used = await selectUsage(db, accountId, dayOf(clock.now()));
  return {
    maxBytes: MEDIA_BYTES,
    bytesPerDay: perDay,
    bytesLeftToday: Math.max(0, perDay - used),
    isPublic: config.publicUrl !== undefined,
  };
}
