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

/** Databases of this process that a test is done with: making one costs more than most tests. */
const spare: string[] = [];

/** What a worker made of a partitioned table as days went by. */
const OF_A_DAY = /_\d{4}_\d\d_\d\d$/;

/** A migrated, empty database that nobody else uses until the test disposes of it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = spare.pop() ?? (await copyTemplate());
  // It is given back once, however often it is disposed of.
  const held = new AsyncDisposableStack();
  held.defer(async () => {
    await empty(name);
    spare.push(name);
  });
  return { url: databaseUrl(name), [Symbol.asyncDispose]: () => held.disposeAsync() };
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
  // File by file: page by page through its log takes PostgreSQL longer (0.22 s of CPU against 0.03 to 0.14).
  await admin.db.unsafe(`create database ${name} template ${templateName()} strategy file_copy`);
  return name;
}

async function empty(name: string): Promise<void> {
  await using owner = new Connection(databaseUrl(name));
  const tables = await owner.db<{ name: string }[]>`
    select relname::text as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_migrations'
      and (pg_relation_size(oid) > 0 or relname ~ ${OF_A_DAY.source})`;
  const statements = tables.map(
    ({ name }) => `${OF_A_DAY.test(name) ? 'drop table' : 'delete from'} ${name};`,
  );
  // As a replica does: all rows go at once, so that foreign keys need not be asked.
  await owner.db.unsafe(`set session_replication_role = replica; ${statements.join('')}`);
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
