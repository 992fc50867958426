import { randomBytes } from 'node:crypto';
import { systemClock } from '#platform/clock.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import { migrate } from '#platform/migrate.ts';

const TEMPLATE = process.env['TEST_TEMPLATE'] ?? 'parley_template';

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
  await admin.db.unsafe(`drop database if exists ${TEMPLATE} with (force)`);
  await admin.db.unsafe(`create database ${TEMPLATE}`);
  await using template = new Connection(databaseUrl(TEMPLATE));
  await migrate({ db: template.db, clock: systemClock });
}

export interface TestDatabase extends AsyncDisposable {
  url: string;
}

/** A migrated database of the test's own, dropped at its end. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await using admin = new Connection(testServerUrl());
  await admin.db.unsafe(`create database ${name} template ${TEMPLATE} strategy file_copy`);
  return {
    url: databaseUrl(name),
    async [Symbol.asyncDispose]() {
      await using cleaner = new Connection(testServerUrl());
      await cleaner.db.unsafe(`drop database if exists ${name} with (force)`);
    },
  };
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
