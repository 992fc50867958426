import { pino } from 'pino';
import type { Clock } from '#platform/clock.ts';
import { type Config, readConfig } from '#platform/config.ts';
import { Keyring } from '#platform/crypto/keyring.ts';
import { loadKeyring, logUnreadableRows } from '#platform/crypto/master-keys.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import { createIds } from '#platform/ids.ts';
import { CurrentNotices } from '#platform/live/notices.ts';
import { Signal } from '#platform/live/signal.ts';
import { Live } from '#platform/live.ts';
import type { Log } from '#platform/log.ts';
import { Metrics } from '#platform/monitoring/metrics.ts';
import { RecentErrors } from '#platform/monitoring/recent-errors.ts';
import type { Shards } from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';
import { systemRandom } from '#platform/random.ts';
import { createGuard } from '#platform/safe-fetch/guard.ts';
import { findDistribution, toShards } from '../distribution/shards.ts';
import './compile-once.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { LONGEST_WAIT_MS, PATIENT } from './waits.ts';

/** A clock that is stopped until a test moves it. */
export class TestClock implements Clock {
  #now = Date.UTC(2026, 10, 21, 12);

  now(): number {
    return this.#now;
  }

  advance({ days = 0, hours = 0, minutes = 0, seconds = 0, milliseconds = 0 }: Duration): void {
    this.#now += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + milliseconds;
  }
}

interface Duration {
  days?: number;
  hours?: number;
  minutes?: number;
  seconds?: number;
  milliseconds?: number;
}

export interface TestPlatform extends Platform, AsyncDisposable {
  clock: TestClock;
}

export interface TestPlatformOptions {
  /** Default: an empty, migrated database. */
  database?: TestDatabase;
  /** Default: no log. */
  log?: Log;
  /** Default: the shards of the database. */
  shards?: Shards;
  /** PEM texts of authorities that may issue receivers' certificates. */
  extraAuthorities?: readonly string[];
  /** Wraps the database that the features use. */
  watch?: (db: Database) => Database;
}

/** The platform on a database of the test's own, with a clock that the test moves. */
export async function createTestPlatform(
  config: Partial<Config> = {},
  {
    database: given,
    log: givenLog,
    shards,
    extraAuthorities = [],
    watch = (db) => db,
  }: TestPlatformOptions = {},
): Promise<TestPlatform> {
  const database = given ?? (await createTestDatabase());
  const clock = new TestClock();
  const log = givenLog ?? pino({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent' });
  // Long enough to serve a hundred concurrent requests, however busy the machine is.
  const db = watch(openDatabase({ url: database.url, poolSize: 5, ...PATIENT }));
  return {
    config: { ...readConfig({}), databaseUrl: database.url, ...config },
    log,
    clock,
    random: systemRandom,
    newId: createIds(clock, systemRandom),
    db,
    shards: shards ?? toShards(await findDistribution(db)),
    keyring: config.masterKeysFile
      ? await loadKeyring({ ...readConfig({}), ...config }, { random: systemRandom, clock, log })
      : new Keyring(new Map([[1, systemRandom.bytes(32)]]), systemRandom, {
          onUnreadable: logUnreadableRows({ log, clock }),
        }),
    live: new Live(),
    redis: undefined,
    guard: createGuard({ trustedHosts: config.webhookTrustedHosts ?? [], extraAuthorities }),
    dueDeliveries: new Signal(),
    metrics: new Metrics({ readMs: LONGEST_WAIT_MS }),
    errors: new RecentErrors(),
    notices: new CurrentNotices(),
    async [Symbol.asyncDispose]() {
      await db.end({ timeout: 5 });
      await database[Symbol.asyncDispose]();
    },
  };
}
