import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a file that is there whole or not at all, for its owner alone: it is written as `<path>.part`, flushed to the
 * disk, and named `path` once `write` has ended. When that fails, nothing is left behind.
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

/** Writes what a directory lists to the disk: a file is not safe from a power cut before its name is. */
export async function flushDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(directory);
  await handle.sync();
}
