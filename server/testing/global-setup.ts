import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { createTemplate, dropDatabases, runPrefix } from './database.ts';

/** Of all servers under test together, each of which has a pool. */
const CONNECTIONS = 150;

let server: { postgres: EmbeddedPostgres; dataDir: string } | undefined;

/** Starts one PostgreSQL for all test files, unless `TEST_DATABASE_URL` names one. */
export async function globalSetup(): Promise<void> {
  runPrefix();
  if (!process.env['TEST_DATABASE_URL']) {
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-test-'));
    const postgres = await startEmbeddedPostgres({
      dataDir,
      log: pino({ level: 'warn' }),
      isDurable: false,
      connections: CONNECTIONS,
    });
    server = { postgres, dataDir };
    process.env['TEST_DATABASE_URL'] = postgres.socketUrl;
  }
  await createTemplate();
}

export async function globalTeardown(): Promise<void> {
  if (!server) return dropDatabases();
  await server.postgres.stop();
  await rm(server.dataDir, { recursive: true, force: true });
}
