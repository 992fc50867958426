import { lstat, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { formatKey } from '#platform/crypto/keyring.ts';
import { proveKeyring } from '#platform/crypto/master-keys.ts';
import { systemRandom } from '#platform/random.ts';
import type { Outcome } from '../../sdk/cli/kit.ts';
import { backupCommands } from '../cli/backup.ts';
import { commandDeps } from './command-deps.ts';
import { createWorld } from './world.ts';

export const PASSPHRASE = 'correct horse battery';

/** A server with its key file in a folder, and the backup commands for it. */
export async function backupScene(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'parley-backup-'));
  t.after(() => rm(directory, { recursive: true }));
  const keys = join(directory, 'my.keys');
  await writeFile(keys, formatKey(1, systemRandom.bytes(32)), { mode: 0o600 });
  const world = await createWorld({ masterKeysFile: keys, dataDir: directory });
  t.after(() => world[Symbol.asyncDispose]());
  await proveKeyring(world);
  const environment = {
    DATABASE_URL: world.config.databaseUrl,
    MASTER_KEYS_FILE: keys,
    DATA_DIR: directory,
    PARLEY_BACKUP_PASSPHRASE: PASSPHRASE,
  };
  const file = join(directory, 'parley.backup');
  const run = (
    name: string,
    {
      flags = [],
      options = {},
      settings = {},
      on = file,
    }: { flags?: string[]; options?: Record<string, string>; settings?: object; on?: string } = {},
  ) => {
    const deps = commandDeps(world, { ...environment, ...settings });
    const command = backupCommands.find((one) => one.name === name);
    return command?.run(deps, { args: [on], options, flags: new Set(flags) }) as Promise<Outcome>;
  };
  return { world, directory, environment, file, run };
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
