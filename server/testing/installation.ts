import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Config } from '#platform/config.ts';
import { formatKey, KEY_BYTES } from '#platform/crypto/keyring.ts';
import { proveKeyring } from '#platform/crypto/master-keys.ts';
import { systemRandom } from '#platform/random.ts';
import type { Outcome } from '../../sdk/cli/kit.ts';
import type { Command, CommandDeps } from '../cli/command.ts';
import type { TestPlatform } from './platform.ts';
import { scratchFolder } from './scratch-folder.ts';
import { createWorldFor } from './world.ts';

export type Installation = Awaited<ReturnType<typeof installation>>;

interface TypedForTest {
  options?: Record<string, string>;
  flags?: readonly string[];
  /** Beside the environment of the server. */
  settings?: Record<string, string | undefined>;
}

/** A server whose keys are in a file, as it is running while an operator types these commands. */
export async function installation(
  t: TestContext,
  commands: readonly Command[] = [],
  config: Partial<Config> = {},
) {
  /** Has the keys and the uploads. */
  const directory = await scratchFolder(t);
  const keys = join(directory, 'my.keys');
  await writeFile(keys, formatKey(1, systemRandom.bytes(KEY_BYTES)), { mode: 0o600 });
  const world = await createWorldFor(t, { masterKeysFile: keys, dataDir: directory, ...config });
  await proveKeyring(world);
  const { databaseUrl = '' } = world.config;
  const environment = { DATABASE_URL: databaseUrl, MASTER_KEYS_FILE: keys, DATA_DIR: directory };
  return {
    ...{ world, directory, keys, environment },
    /** Runs one of the commands. */
    async run(
      name: string,
      args: string[] = [],
      { options = {}, flags = [], settings }: TypedForTest = {},
    ): Promise<Outcome> {
      const deps = commandDeps(world, { ...environment, ...settings });
      const command = commands.find((one) => one.name === name);
      return command?.run(deps, { args, options, flags: new Set(flags) }) as Promise<Outcome>;
    },
  };
}

/** The dependencies of a `parley` command, on the database of a test. */
export function commandDeps(
  platform: Pick<TestPlatform, 'db' | 'clock' | 'random' | 'newId' | 'live'>,
  environment: Record<string, string | undefined>,
): CommandDeps & { printed: string[] } {
  const printed: string[] = [];
  return {
    ...platform,
    openDatabase: async () => platform.db,
    environment,
    print: (line) => void printed.push(line),
    printError: (line) => void printed.push(line),
    signal: new AbortController().signal,
    printed,
  };
}
