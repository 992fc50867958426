import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

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
