import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#platform/config.ts';
import { type Database, openPatiently } from '#platform/database.ts';
import { findRunningPostgres } from '#platform/embedded-postgres/running.ts';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { createLog } from '#platform/log.ts';

type DatabaseSettings = Pick<Config, 'databaseUrl' | 'dataDir'>;

/** The server's database: the one of the settings, or the embedded one of the running server. */
export async function findDatabaseUrl({ databaseUrl, dataDir }: DatabaseSettings): Promise<string> {
  const url = databaseUrl ?? (await findRunningPostgres(dataDir));
  if (url === undefined) {
    throw new Error(
      `no server is running on ${dataDir}: start it, or set DATA_DIR or DATABASE_URL as for the server`,
    );
  }
  return url;
}

/** A database for one command. */
export interface OpenedDatabase extends AsyncDisposable {
  url: string;
  db: Database;
}

/**
 * As {@link findDatabaseUrl}, but starts an embedded database that is not running, until the command ends.
 *
 * @throws if there is none yet, unless `make` is set
 */
export async function openServerDatabase(
  settings: DatabaseSettings,
  { make = false, signal }: { make?: boolean; signal?: AbortSignal } = {},
): Promise<OpenedDatabase> {
  await using opened = new AsyncDisposableStack();
  const found = settings.databaseUrl ?? (await findRunningPostgres(settings.dataDir));
  if (found === undefined && !make && !existsSync(join(settings.dataDir, 'postgres')))
    throw new Error(
      `there is no database in ${settings.dataDir}: start the server once, or set DATA_DIR or DATABASE_URL as for it`,
    );
  const url =
    found ??
    opened.use(await startEmbeddedPostgres({ dataDir: settings.dataDir, log: createLog('silent'), signal }))
      .url;
  const db = openPatiently(url, 2);
  opened.defer(() => db.end({ timeout: 5 }));
  const kept = opened.move();
  return { url, db, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
