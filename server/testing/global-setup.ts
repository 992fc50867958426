import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { systemClock } from '#platform/clock.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { migrate } from '#platform/schema/migrate.ts';
import { afterEverything } from './after-everything.ts';
import { citusServers, closeCluster, createCluster, findCluster } from './citus.ts';
import { Connection } from './connection.ts';

/** Enough for the pools of all servers under test. */
const CONNECTIONS = 150;

let own: { postgres: EmbeddedPostgres; dataDir: string } | undefined;

/**
 * Starts one PostgreSQL for all test files, unless `TEST_DATABASE_URL` names one or `TEST_CITUS_URL` a cluster, and creates
 * the template there. Test processes find both through the environment.
 */
export async function globalSetup(): Promise<void> {
  process.env['TEST_RUN'] = randomBytes(4).toString('hex');
  if (process.env['TEST_CITUS_URL']) await findCluster(process.env['TEST_CITUS_URL']);
  if (!process.env['TEST_DATABASE_URL']) {
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-test-'));
    const postgres = await startEmbeddedPostgres({
      dataDir,
      log: pino({ level: 'warn' }),
      isDurable: false,
      connections: CONNECTIONS,
    });
    own = { postgres, dataDir };
    await allowTests(postgres.superuserUrl);
    process.env['TEST_DATABASE_URL'] = postgres.socketUrl;
  }
  await createTemplate();
}

/**
 * Lets tests create databases, empty them without foreign key checks, and drop them during an autovacuum; otherwise they
 * have the server's privileges.
 */
async function allowTests(superuserUrl: string): Promise<void> {
  await using superuser = new Connection(superuserUrl);
  await superuser.db.unsafe('alter role parley_server createdb');
  await superuser.db.unsafe('grant pg_signal_backend to parley_server');
  await superuser.db.unsafe('grant set on parameter session_replication_role to parley_server');
}

export async function globalTeardown(): Promise<void> {
  if (!own) return dropDatabases();
  await own.postgres.stop();
  await rm(own.dataDir, { recursive: true, force: true });
}

let settingUp: Promise<void> | undefined;

/** Without global setup, as with `node --test FILE`, a test file starts its own server on demand. */
const runsAlone =
  process.env['TEST_RUN'] === undefined &&
  (process.env['NODE_TEST_CONTEXT'] !== undefined || /\.test\.ts$/.test(process.argv[1] ?? ''));
if (runsAlone) afterEverything(() => settingUp?.then(globalTeardown));

/** The server that the test files share. */
export async function testServerUrl(): Promise<string> {
  if (runsAlone) {
    settingUp ??= globalSetup();
    await settingUp;
  }
  const url = process.env['TEST_DATABASE_URL'];
  if (!url) throw new Error('there is no PostgreSQL to test on: run a test file, or npm test');
  return url;
}

/** Prefixes the name with the run, so that concurrent runs on one server do not collide. */
export function databaseName(rest: string): string {
  return `test_${process.env['TEST_RUN']}_${rest}`;
}

/** The database that every test database is copied from. */
export function templateName(): string {
  return databaseName('template');
}

export async function databaseUrl(name: string): Promise<string> {
  const url = new URL(await testServerUrl());
  url.pathname = `/${name}`;
  return url.href;
}

async function createTemplate(): Promise<void> {
  const cluster = citusServers();
  if (cluster) {
    await createCluster(cluster, templateName());
    return closeCluster(cluster, templateName());
  }
  const { TEST_DATABASE_URL: server = '' } = process.env;
  await using admin = new Connection(server);
  await admin.db.unsafe(`create database ${templateName()}`);
  const url = new URL(server);
  url.pathname = `/${templateName()}`;
  await using template = new Connection(url.href);
  await migrate({ db: template.db, clock: systemClock });
}

/** Drops every database of this run. */
async function dropDatabases(): Promise<void> {
  for (const server of citusServers() ?? [process.env['TEST_DATABASE_URL'] ?? ''])
    await dropDatabasesOf(server);
}

async function dropDatabasesOf(server: string): Promise<void> {
  await using admin = new Connection(server);
  const rows = await admin.db<{ datname: string }[]>`
    select datname from pg_database where starts_with(datname, ${databaseName('')})`;
  for (const { datname } of rows) await admin.db.unsafe(`drop database ${datname} with (force)`);
}
