import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  access,
  chmod,
  chown,
  constants,
  mkdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { flushDirectory, makeDirectory } from '../files/whole-file.ts';
import { systemRandom } from '../random.ts';
import type { Account } from './account.ts';
import { type LaunchPlan, launchCommand } from './launch.ts';

/** The role created by initdb, used only to create the server's role. */
export const SUPERUSER = 'parley';
const PASSWORD_FILE = 'parley-password';

export interface Login {
  user: string;
  password: string;
}

/** The URL of a cluster's server over TCP. */
export function clusterUrl({ user, password }: Login, port: number): string {
  return `postgres://${user}:${password}@127.0.0.1:${port}/postgres`;
}

/**
 * Creates the data directory, closed to everybody else. Root lets the group traverse it (not list it), so that the user that
 * PostgreSQL runs as reaches its part.
 */
export async function openDataDir(dataDir: string, account: Account | undefined): Promise<void> {
  await makeDirectory(dataDir);
  const { uid, mode } = await stat(dataDir);
  await access(dataDir, constants.W_OK | constants.X_OK).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EROFS') throw error;
    throw new Error(
      `the data directory ${dataDir} belongs to user id ${uid} and is closed to user id ${process.geteuid?.()}: ` +
        'start Parley as that user or as root, or set DATA_DIR to another directory',
    );
  });
  if (account && uid === 0 && !(mode & 0o001)) {
    await chown(dataDir, 0, account.gid);
    await chmod(dataDir, (mode & 0o7777) | 0o010);
  }
}

/**
 * Runs initdb in a temporary directory and moves the result into place, so that an interrupted start leaves no incomplete
 * cluster.
 */
export async function createCluster(options: {
  dataDir: string;
  cluster: string;
  initdb: string;
  plan: LaunchPlan;
  account: Account | undefined;
  signal: AbortSignal | undefined;
}): Promise<void> {
  const { dataDir, cluster, initdb, plan, account, signal } = options;
  const workshop = join(dataDir, 'postgres.new');
  const passwordFile = join(workshop, PASSWORD_FILE);
  const unfinished = join(workshop, 'cluster');
  await rm(workshop, { recursive: true, force: true });
  await mkdir(workshop, { mode: 0o700 });
  await writeFile(passwordFile, `${systemRandom.bytes(24).toString('base64url')}\n`, {
    mode: 0o600,
    flush: true,
  });
  if (account) {
    await chown(passwordFile, account.uid, account.gid);
    await chown(workshop, account.uid, account.gid);
  }
  const initdbOptions = [
    `--pgdata=${unfinished}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ];
  await run(launchCommand(plan, initdb, initdbOptions), signal);
  await rename(passwordFile, join(unfinished, PASSWORD_FILE));
  await flushDirectory(unfinished);
  await rename(unfinished, cluster);
  // If the rename were lost in a power cut, the next start would take the cluster, including its messages, for an incomplete
  // one.
  for (const changed of [workshop, dataDir, dirname(dataDir)]) await flushDirectory(changed);
  await rm(workshop, { recursive: true });
}

async function run(
  { command, args, spawnOptions }: ReturnType<typeof launchCommand>,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  const child = spawn(command, args, { ...spawnOptions, stdio: ['ignore', 'ignore', 'pipe'] });
  const kill = () => child.kill();
  signal?.addEventListener('abort', kill);
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]).finally(() =>
    signal?.removeEventListener('abort', kill),
  );
  signal?.throwIfAborted();
  if (code !== 0) throw new Error(`initdb failed: ${errors.trim() || `exit code ${code}`}`);
}

/** The password is inside the data directory, so that it is copied and restored with it. */
export async function readSuperuser(cluster: string): Promise<Login> {
  return { user: SUPERUSER, password: (await readFile(join(cluster, PASSWORD_FILE), 'utf8')).trim() };
}
