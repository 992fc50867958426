import { randomBytes } from 'node:crypto';
import { systemClock } from '#platform/clock.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import { migrate } from '#platform/migrate.ts';

/** Names of this run's databases begin with it, so that runs beside each other on one server do not meet. */
export function runPrefix(): string {
  process.env['TEST_RUN'] ??= randomBytes(4).toString('hex');
  return `test_${process.env['TEST_RUN']}`;
}

/** The server that `npm test` started for all test files. */
export function testServerUrl(): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (!url) throw new Error('TEST_DATABASE_URL is not set: run the tests through npm test');
  return url;
}

export function databaseUrl(name: string): string {
  const url = new URL(testServerUrl());
  url.pathname = `/${name}`;
  return url.href;
}

/** Makes the migrated database that every test database is a copy of. */
export async function createTemplate(): Promise<void> {
  await using admin = new Connection(testServerUrl());
  await admin.db.unsafe(`create database ${templateName()}`);
  await using template = new Connection(databaseUrl(templateName()));
  await migrate({ db: template.db, clock: systemClock });
}

/** Drops every database of this run. */
export async function dropDatabases(): Promise<void> {
  await using admin = new Connection(testServerUrl());
  const rows = await admin.db`select datname from pg_database where starts_with(datname, ${runPrefix()})`;
  for (const { datname } of rows) await admin.db.unsafe(`drop database ${datname} with (force)`);
}

export interface TestDatabase extends AsyncDisposable {
  url: string;
}

/** Databases of this test file that a test is done with: making one costs more than most tests. */
const spare: string[] = [];

/** A migrated, empty database that nobody else uses until the test disposes of it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = spare.pop() ?? (await copyTemplate());
  return {
    url: databaseUrl(name),
    async [Symbol.asyncDispose]() {
      await empty(name);
      spare.push(name);
    },
  };
}

/** A database without any table, for what is tested below the schema. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const name = `${runPrefix()}_${randomBytes(6).toString('hex')}`;
  await using admin = new Connection(testServerUrl());
  await admin.db.unsafe(`create database ${name}`);
  return {
    url: databaseUrl(name),
    async [Symbol.asyncDispose]() {
      await using cleaner = new Connection(testServerUrl());
      await cleaner.db.unsafe(`drop database ${name} with (force)`);
    },
  };
}

async function copyTemplate(): Promise<string> {
  const name = `${runPrefix()}_${randomBytes(6).toString('hex')}`;
  await using admin = new Connection(testServerUrl());
  await admin.db.unsafe(`create database ${name} template ${templateName()}`);
  return name;
}

async function empty(name: string): Promise<void> {
  await using owner = new Connection(databaseUrl(name));
  const tables = await owner.db`
    select tablename from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations'`;
  const deletes = tables.map(({ tablename }) => `delete from ${tablename};`).join('');
  // As a replica does: all rows go at once, so that foreign keys need not be asked.
  await owner.db.unsafe(`set session_replication_role = replica; ${deletes}`);
}

function templateName(): string {
  return `${runPrefix()}_template`;
}

class Connection implements AsyncDisposable {
  readonly db: Database;

  constructor(url: string) {
    this.db = openDatabase({ url, poolSize: 1 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.db.end({ timeout: 5 });
  }
}
