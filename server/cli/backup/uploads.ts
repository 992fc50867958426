import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, normalize, relative, sep } from 'node:path';

/** Every upload below the directory, as paths with `/`; those that are in progress are left out. */
export async function listUploads(mediaDir: string): Promise<string[]> {
  if (!existsSync(mediaDir)) return [];
  const entries = await readdir(mediaDir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(mediaDir, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.startsWith('staging/'))
    .sort();
}

/** Where an upload of that path lies. */
export function uploadIn(mediaDir: string, path: string): string {
  const target = normalize(join(mediaDir, ...path.split('/')));
  if (!target.startsWith(normalize(mediaDir + sep)))
    throw new Error('the backup contains a file outside of the uploads folder');
  return target;
}
