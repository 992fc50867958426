import { open, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { IDLE_MS } from './idle-deadline.ts';
import { isSealedFile } from './sealed-stream.ts';

/** Whether the name says which of several backups it is, as `2026-11-22.backup` does. */
export function isNumbered(file: string): boolean {
  return /\d/.test(basename(file));
}

const UNVERIFIED = '.unverified';

/** The name that a backup has if it could not be verified. */
export const unverified = (file: string) => file + UNVERIFIED;

/** Removes backups that could not be verified and come before this one, of the same kind of name. */
export async function removeUnverified(file: string): Promise<void> {
  const name = basename(file);
  for (const other of await readdir(dirname(file))) {
    const own = other.slice(0, -UNVERIFIED.length);
    if (other.endsWith(UNVERIFIED) && pattern(own) === pattern(name) && inOrder(own, name) < 0)
      await rm(join(dirname(file), other), { force: true });
  }
}

/**
 * Removes older backups beside a new one: those whose names differ from its own in digits alone and come before it. Others
 * are not touched. What a killed run left of such a file goes, too, and so does one that could not be verified.
 *
 * @param count how many to keep, the new one included
 * @returns the names of the backups that were removed
 */
export async function removeOlder(
  file: string,
  { count, now }: { count: number; now: number },
): Promise<string[]> {
  const folder = dirname(file);
  const newest = basename(file);
  const entries = (await readdir(folder)).filter(
    (name) => pattern(name.replace(/\.part$/, '')) === pattern(newest),
  );
  for (const name of entries.filter((entry) => entry.endsWith('.part'))) {
    const left = await stat(join(folder, name)).catch(() => undefined);
    // One that is being written was written to a moment ago.
    if (left && now - left.mtimeMs > 2 * IDLE_MS) await rm(join(folder, name), { force: true });
  }
  await removeUnverified(file);
  const older: string[] = [];
  for (const name of entries) {
    if (inOrder(name, newest) < 0 && !name.endsWith('.part') && (await isBackup(join(folder, name))))
      older.push(name);
  }
  const removed = older.sort(inOrder).slice(0, Math.max(0, older.length - (count - 1)));
  for (const name of removed) await rm(join(folder, name));
  return removed;
}

function pattern(name: string): string {
  return name.replaceAll(/\d+/g, '0');
}

function inOrder(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

async function isBackup(path: string): Promise<boolean> {
  await using file = await open(path);
  return isSealedFile(file);
}
