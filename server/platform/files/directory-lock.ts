import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Config } from '../config.ts';
import { publicUrlOf } from '../public-url.ts';
import { requirePublicUrl } from '../safe-fetch/public-url.ts';

/** The path of an upload exactly as the upload's response gave it: no dot segments, no query. */
const UPLOAD_PATH = /^\/media\/([A-Za-z0-9_-]{27})\/[A-Za-z0-9%_~-][A-Za-z0-9%._~-]*$/;

/** The ID of the upload at this path, if it is one. */
export function uploadIdOf(url: string): string | undefined {
  return UPLOAD_PATH.exec(url)?.[1];
}

/**
 * Validates the URL of a file: an upload of this server, which only people's clients may send (the schemas of the public API
 * require https), or a file on the public internet.
 *
 * @throws ApiError 400 naming the field
 */
export function requireFileUrl(field: string, url: string): string {
  return uploadIdOf(url) === undefined ? requirePublicUrl(field, url) : url;
}

/**
 * The URL at which bots and applications reach a file. For an upload it is on this server, which other machines reach once
 * `PUBLIC_URL` is set (docs/decisions/0017-uploads.md).
 */
export function publicFileUrl(config: Pick<Config, 'publicUrl' | 'port'>, url: string): string {
  return url.startsWith('/media/') ? publicUrlOf(config) + url : url;
}

const SQLITE_BUSY = 5;
const TWO_STARTS_AT_ONCE_MS = 250;

/**
 * Makes this process the only Parley on a directory, until it releases the lock or exits. It is a kernel lock, which SQLite
 * takes for us on every platform: unlike a process ID in a file it cannot be stale, and it also works between containers
 * that share the directory. `parley.pid` only tells people who holds it.
 *
 * @throws when another process holds it; the message names the directory and that process
 */
export function lockDirectory(directory: string): Disposable {
  const pidFile = join(directory, 'parley.pid');
  const lockFile = join(directory, 'parley.lock');
  const lock = new DatabaseSync(lockFile, { timeout: TWO_STARTS_AT_ONCE_MS });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw new Error(`the data directory ${directory} cannot be locked`, { cause: error });
    throw new Error(`the data directory ${directory} is in use by another Parley${holder(pidFile)}`);
  }
  chmodSync(lockFile, 0o600);
  writeFileSync(pidFile, `${process.pid}\n`);
  return {
    [Symbol.dispose]() {
      if (!lock.isOpen) return;
      rmSync(pidFile, { force: true });
      lock.close();
    },
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

function holder(pidFile: string): string {
  try {
    return ` (process ${readFileSync(pidFile, 'utf8').trim()})`;
  } catch {
    return '';
  }
}

/**
 * Writes a file atomically, readable by its owner only: as `<path>.part`, flushed to disk, and renamed to `path` once
 * `write` has finished. If it fails, nothing is left behind.
 */
export async function writeWhole<T>(
  path: string,
  write: (file: FileHandle, unfinished: string) => Promise<T>,
): Promise<T> {
  const unfinished = `${path}.part`;
  const file = await open(unfinished, 'w', 0o600);
  try {
    const written = await write(file, unfinished);
    await file.sync();
    await rename(unfinished, path);
    await flushDirectory(dirname(path));
    return written;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** Flushes a directory's entries to disk: a file survives a power cut only once its name does. */
export async function flushDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(directory);
  await handle.sync();
}
