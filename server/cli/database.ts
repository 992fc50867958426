import type { Config } from '#platform/config.ts';
import { findRunningPostgres } from '#platform/embedded-postgres/running.ts';

/** The database that the server works on: the one of the settings, or the embedded one of the running server. */
export async function findDatabaseUrl({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<string> {
  const url = databaseUrl ?? (await findRunningPostgres(dataDir));
  if (url === undefined) {
    throw new Error(`no Parley runs on ${dataDir}: start it, or set DATA_DIR or DATABASE_URL as it has them`);
  }
  return url;
}
