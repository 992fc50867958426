import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Database, openDatabase } from '#platform/database.ts';
import { backupCommands } from '../cli/backup.ts';
import { installation } from './installation.ts';
import { PATIENT } from './waits.ts';

export const PASSPHRASE = 'correct horse battery';

/** A server with its key file in a folder, and the backup commands for it. */
export async function backupScene(t: TestContext) {
  const { run, environment, ...own } = await installation(t, backupCommands);
  const file = join(own.directory, 'parley.backup');
  const kept = { PARLEY_BACKUP_PASSPHRASE: PASSPHRASE };
  return {
    ...own,
    environment: { ...environment, ...kept },
    file,
    run: (
      name: string,
      {
        on = file,
        settings,
        ...typed
      }: {
        flags?: string[];
        options?: Record<string, string>;
        settings?: Record<string, string | undefined>;
        on?: string;
      } = {},
    ) => run(name, [on], { ...typed, settings: { ...kept, ...settings } }),
  };
}

/** A database, until the test has ended. */
export function opened(t: TestContext, { url }: { url: string }): Database {
  const db = openDatabase({ url, poolSize: 1, ...PATIENT });
  t.after(() => db.end({ timeout: 1 }));
  return db;
}

/** Every file and folder below, with size and permissions. */
export async function listing(directory: string): Promise<string[]> {
  const paths = [
    directory,
    ...(await readdir(directory, { recursive: true })).map((path) => join(directory, path)),
  ];
  const lines = paths.sort().map(async (path) => {
    const { mode, uid, gid, size } = await lstat(path);
    return `${path} ${mode.toString(8)} ${uid}:${gid} ${size}`;
  });
  return Promise.all(lines);
}
