import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { systemClock } from '#platform/clock.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { formatKey, KEY_BYTES } from '#platform/keyring.ts';
import { migrate } from '#platform/migrate.ts';
import { systemRandom } from '#platform/random.ts';
import { UNLIMITED } from './processes.ts';

/** A database as `npm start` would make it (durable commits), which its user may fill, and the settings to run on it. */
export interface Scratch extends AsyncDisposable {
  db: Database;
  databaseUrl: string;
  environment: Record<string, string>;
  /** For files of the run. */
  directory: string;
}

/** Others than Parley may want connections of their own. */
export async function createScratch({ connections = 0 } = {}): Promise<Scratch> {
  await using made = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-scratch-'));
  made.defer(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = made.use(
    await startEmbeddedPostgres({ dataDir, log: pino({ level: 'warn' }), connections }),
  );
  const db = openDatabase({ url: postgres.url, poolSize: 2 });
  made.defer(() => db.end({ timeout: 5 }));
  await migrate({ db, clock: systemClock });
  const environment = {
    ...UNLIMITED,
    DATABASE_URL: postgres.socketUrl,
    MASTER_KEYS: formatKey(1, systemRandom.bytes(KEY_BYTES)).trim(),
  };
  const kept = made.move();
  return {
    db,
    databaseUrl: postgres.url,
    environment,
    directory: dataDir,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
