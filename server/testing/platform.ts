import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '#platform/clock.ts';
import { type Config, readConfig } from '#platform/config.ts';
import { Keyring } from '#platform/crypto/keyring.ts';
import { loadKeyring, logUnreadableRows } from '#platform/crypto/master-keys.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import type { Log } from '#platform/log.ts';
import { Metrics } from '#platform/monitoring/metrics.ts';
import type { Shards } from '#platform/partitioning/shards.ts';
import { type Platform, platformOf } from '#platform/platform.ts';
import { systemRandom } from '#platform/random.ts';
import { type Address, createGuard } from '#platform/safe-fetch/guard.ts';
import { findDistribution, toShards } from '../distribution/shards.ts';
import { afterEverything } from './after-everything.ts';
import './compile-once.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { createErrorLog } from './logged-errors.ts';
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

const PUBLIC_ADDRESS: Address = { address: '93.184.215.14', family: 4 };

/** Statements in progress when a test ends have this long. */
const FREE_WITHIN_MS = 5_000;

type Duration = Partial<Record<'days' | 'hours' | 'minutes' | 'seconds' | 'milliseconds', number>>;

export interface TestPlatform extends Platform, AsyncDisposable {
  clock: TestClock;
}

export interface TestPlatformOptions {
  /** Default: an empty, migrated database. */
  database?: TestDatabase;
  /** Default: one that is stopped. */
  clock?: TestClock;
  /** Default: one that must stay free of errors but for those that the test expects. */
  log?: Log;
  /** Default: the shards of the database. */
  shards?: Shards;
  /** PEM texts of authorities that may issue receivers' certificates. */
  extraAuthorities?: readonly string[];
  /** DNS answers; a name that is not listed has a public address. Default: those of the machine. */
  names?: ReadonlyMap<string, Address[]>;
  /** Wraps the database that the features use. */
  watch?: (db: Database) => Database;
}

/** The platform on a database of the test's own, with a clock that the test moves. */
export async function createTestPlatform(
  config: Partial<Config> = {},
  {
    database: given,
    clock = new TestClock(),
    log: givenLog,
    shards,
    extraAuthorities = [],
    names,
    watch = (db) => db,
  }: TestPlatformOptions = {},
): Promise<TestPlatform> {
  const database = given ?? (await createTestDatabase());
  const errorLog = createErrorLog();
  const log = givenLog ?? errorLog.log;
  const lent = lendPool(database.url);
  const db = watch(lent.db);
  const platform = platformOf({
    config: { ...readConfig({}), databaseUrl: database.url, ...config },
    ...{ log, clock, db },
    shards: shards ?? toShards(await findDistribution(db)),
    keyring:
      (config.masterKeysFile ?? config.masterKeys)
        ? await loadKeyring({ ...readConfig({}), ...config }, { random: systemRandom, clock, log })
        : new Keyring(new Map([[1, systemRandom.bytes(32)]]), systemRandom, {
            onUnreadable: logUnreadableRows({ log, clock }),
          }),
    guard: createGuard({
      trustedHosts: config.webhookTrustedHosts ?? [],
      extraAuthorities,
      ...(names && { lookup: async (name) => names.get(name) ?? [PUBLIC_ADDRESS] }),
    }),
    metrics: new Metrics({ readMs: LONGEST_WAIT_MS }),
  });
  return {
    ...platform,
    clock,
    async [Symbol.asyncDispose]() {
      errorLog.close();
      await (given ? db.end({ timeout: 5 }) : lent.giveBack());
      await database[Symbol.asyncDispose]();
    },
  };
}

/** Of databases of tests that are over: their connections know the tables, and have prepared the statements. */
const pools = new Map<string, Database>();
afterEverything(async () => {
  await Promise.all(pools.values().map((pool) => pool.end({ timeout: 5 })));
});

/** Refuses every statement. */
const closed = openDatabase({ url: 'postgresql://localhost/closed', poolSize: 1 });
await closed.end({ timeout: 0 });

/** A pool that is closed for this test once it is given back, and serves the next one on its database. */
function lendPool(url: string): { db: Database; giveBack(): Promise<void> } {
  const pool = pools.get(url) ?? openPool(url);
  pools.delete(url);
  let current = pool;
  const db: Database = new Proxy(pool, {
    apply: (_, self, words) => Reflect.apply(current, self, words),
    get: (_, name) => (name === 'background' ? db : Reflect.get(current, name)),
  });
  return {
    db,
    async giveBack() {
      current = closed;
      const until = performance.now() + FREE_WITHIN_MS;
      while (pool.use.lent > 0 && performance.now() < until) await pause(1);
      const isUsable =
        pool.use.lent === 0 &&
        (await pool`select`.then(
          () => true,
          () => false,
        ));
      if (isUsable) pools.set(url, pool);
      else await pool.end({ timeout: 0 });
    },
  };
}

/** Long enough to serve a hundred concurrent requests, however busy the machine is. */
function openPool(url: string): Database {
  return openDatabase({ url, poolSize: 5, ...PATIENT });
}

/** The same, until the test has ended. */
export async function createTestPlatformFor(t: TestContext): Promise<TestPlatform> {
  const platform = await createTestPlatform();
  t.after(() => platform[Symbol.asyncDispose]());
  return platform;
}
