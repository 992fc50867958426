import { type FileHandle, link, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
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

/**
 * The same for a new file: whoever looks finds none, or all of it.
 *
 * @throws EEXIST if there is one
 */
export async function createWhole(path: string, text: string): Promise<void> {
  // Of this process: a concurrent one may be about to create the same file.
  const unfinished = `${path}.${process.pid}.part`;
  await rm(unfinished, { force: true });
  try {
    await writeFile(unfinished, text, { mode: 0o600, flag: 'wx', flush: true });
    await link(unfinished, path);
  } catch (error) {
    // Nobody knows of the other name.
    throw Object.assign(error as Error, { path });
  } finally {
    await rm(unfinished, { force: true });
  }
  await flushDirectory(dirname(path));
}

/** Makes a directory and those above it that are missing, readable by their owner only, which survive a power cut. */
export async function makeDirectory(directory: string): Promise<void> {
  // Not `recursive`: that never ends where nothing can be made, as below /proc.
  const make = () => mkdir(directory, { mode: 0o700 });
  try {
    await make().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      await makeDirectory(dirname(directory));
      await make();
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && (await stat(directory)).isDirectory()) return;
    throw error;
  }
  await flushDirectory(dirname(directory));
}

/** Flushes a directory's entries to disk: a file survives a power cut only once its name does. */
export async function flushDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(directory);
  await handle.sync();
}
