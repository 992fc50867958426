import { existsSync } from 'node:fs';
import { chmod, chown, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '#platform/config.ts';
import { listUploads } from './uploads.ts';

/**
 * Looks whether a backup may be restored here, before anything is changed. Disposing the stack brings the data directory
 * back to how it was found; whoever keeps what was restored moves the stack away.
 *
 * @throws when a database or uploads are there already
 */
export async function prepareTarget({
  dataDir,
  databaseUrl,
}: Pick<Config, 'dataDir' | 'databaseUrl'>): Promise<AsyncDisposableStack> {
  const mediaDir = join(dataDir, 'media');
  if (databaseUrl === undefined && existsSync(join(dataDir, 'postgres')))
    throw new Error(`${dataDir} already contains a database: restore into a new folder`);
  if ((await listUploads(mediaDir)).length > 0)
    throw new Error(`${mediaDir} already contains uploads: restore into a new folder`);
  const undo = new AsyncDisposableStack();
  const missing = firstMissing(resolve(dataDir));
  if (missing !== undefined) {
    undo.defer(() => rm(missing, { recursive: true, force: true }));
    return undo;
  }
  const { uid, gid, mode } = await stat(dataDir);
  undo.defer(async () => {
    // A root that runs PostgreSQL as another user has opened the folder for it.
    if (process.geteuid?.() === 0) await chown(dataDir, uid, gid);
    await chmod(dataDir, mode & 0o7777);
  });
  for (const directory of [dataDir, mediaDir]) await forgetNewcomers(undo, directory);
  return undo;
}

/** The uppermost folder on the way to this one that is not there yet. */
function firstMissing(directory: string): string | undefined {
  if (existsSync(directory)) return undefined;
  return firstMissing(dirname(directory)) ?? directory;
}

async function forgetNewcomers(undo: AsyncDisposableStack, directory: string): Promise<void> {
  const list = () => readdir(directory).catch(() => []);
  const before = new Set(await list());
  undo.defer(async () => {
    const newcomers = (await list()).filter((name) => !before.has(name));
    for (const name of newcomers) await rm(join(directory, name), { recursive: true, force: true });
  });
}
