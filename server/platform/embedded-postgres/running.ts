import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { clusterUrl, readSuperuser } from './cluster.ts';
import { readServerLogin } from './server-role.ts';

const PORT_LINE = 3;

/**
 * The URL of the PostgreSQL that another Parley runs on this data directory, for the operator's commands; undefined if none
 * is running. After a `kill -9` the URL may be stale.
 *
 * @throws when this user may not read the files
 */
export async function findRunningPostgres(dataDir: string): Promise<string | undefined> {
  const cluster = join(resolve(dataDir), 'postgres');
  try {
    const pidFile = await readFile(join(cluster, 'postmaster.pid'), 'utf8');
    const port = Number(pidFile.split('\n')[PORT_LINE]);
    const login = (await readServerLogin(cluster)) ?? (await readSuperuser(cluster));
    return port > 0 ? clusterUrl(login, port) : undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code !== 'EACCES') throw error;
    throw new Error(
      `${cluster} is closed to this user: run the command as the user who runs Parley, or as root`,
    );
  }
}
