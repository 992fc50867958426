import cluster from 'node:cluster';
import type { AddressInfo } from 'node:net';
import { installServiceAccount, openOperatorAccounts } from '#features/accounts/index.ts';
import { installManagementBot } from '#features/management-bot/index.ts';
import { followNotices, watchNotices } from '#features/operators/index.ts';
import { watchReports } from '#features/reports/index.ts';
import { countMails, MemoryQueue, watchQueue } from '#features/webhooks/index.ts';
import { type Clock, systemClock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Keyring } from '#platform/crypto/keyring.ts';
import { checkKeyring, loadKeyring, proveKeyring, watchKeys } from '#platform/crypto/master-keys.ts';
import { claimDatabase } from '#platform/database/claim.ts';
import { findCoordinator } from '#platform/database/coordinator.ts';
import { onceReachable } from '#platform/database/first-connection.ts';
import {
  CONNECTIONS_BESIDE_POOL,
  type Database,
  type Db,
  isUnavailable,
  openDatabase,
  openPatiently,
} from '#platform/database.ts';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { listen } from '#platform/http/connections/listen.ts';
import { followNotedTopics } from '#platform/live/noted-topics.ts';
import { createLiveRelay } from '#platform/live/relay.ts';
import { carrySignal } from '#platform/live/signal.ts';
import { Live } from '#platform/live.ts';
import type { Log } from '#platform/log.ts';
import { Loop } from '#platform/loop.ts';
import { watchBackups } from '#platform/monitoring/last-backup.ts';
import { watchDatabase, watchDisk, watchProcess } from '#platform/monitoring/process-metrics.ts';
import { type Platform, platformOf } from '#platform/platform.ts';
import { publicUrlOf } from '#platform/public-url.ts';
import { systemRandom } from '#platform/random.ts';
import { listMissingMigrations, migrate } from '#platform/schema/migrate.ts';
import { startMetricsServer } from '#surfaces/metrics.ts';
import { composeFeatures, createHttp } from './app.ts';
import { createCurrentShards, describeDistribution, findDistribution } from './distribution/shards.ts';
import { placeTable } from './distribution/tables.ts';
import { watchCertificate } from './health/network.ts';
import { announceProcess } from './health/processes.ts';
import { shareMetrics } from './processes/metrics.ts';
import { startWork, startWorkers } from './workers.ts';

/**
 * A request may wait for a batch that waits for a lock, and then for the lock itself: together at most 2 s (security
 * design).
 */
const LOCK_TIMEOUT_MS = 750;
/**
 * How long a server that stops waits for its database, which may be away. What waits for an answer then is refused, so that all
 * else still ends before the process is killed.
 */
const LAST_ANSWERS_MS = 20_000;

export interface Server extends AsyncDisposable {
  /** The URL at which it listens, if it has the role `api`. */
  url: string | undefined;
  /** Resolves when the server must stop because another server has taken over its database; it no longer serves requests. */
  lost?: Promise<Error>;
}

/** Overrides for the emulator, and the end of a start. */
export interface Overrides {
  clock?: Clock;
  /** False only if the data is discarded anyway. */
  isDurable?: boolean;
  /** Ends a start that still waits for the database. */
  signal?: AbortSignal | undefined;
}

/**
 * Starts what the settings require: the embedded database if none is configured, migrations, the HTTP surfaces, the workers.
 * Disposing drains and stops them in reverse order.
 */
export async function startServer(
  config: Config,
  log: Log,
  { clock = systemClock, isDurable = true, signal }: Overrides = {},
): Promise<Server> {
  await using started = new AsyncDisposableStack();
  const { databaseUrl, redisUrls } = config;
  const claim =
    databaseUrl === undefined
      ? undefined
      : started.use(
          await onceReachable(
            () => claimDatabase({ url: databaseUrl, log, isShared: redisUrls.length > 0 }),
            { log, signal },
          ),
        );
  const { db, keyring } = await prepareStorage(config, log, started, { isDurable, signal });
  const shards = createCurrentShards(db);
  const learn = async (sql: Db) => {
    const found = await shards.learn(sql);
    db.setCluster(found !== undefined);
    return found;
  };
  const distribution = await learn(db.background);
  claim?.protect({
    hold: () => db.hold(),
    suspend: () => db.suspend(),
    release: () => db.release(),
    learn: async (sql) => (await learn(sql)) !== undefined,
  });
  if (distribution) log.info(describeDistribution(distribution));
  const redis =
    redisUrls.length === 0
      ? undefined
      : started.use(await (await import('#platform/redis.ts')).connectRedis({ urls: redisUrls, log }));
  const platform = platformOf({
    config: { ...config },
    ...{ log, clock, db, shards, keyring, redis },
    live: new Live(redis && createLiveRelay(redis, { keyring, random: systemRandom })),
  });
  const background = { ...platform, db: db.background };
  await keepBuiltInAccounts(platform, started);
  started.use(watchKeys(background));
  await exposeMetrics(platform, started);
  started.use(announceProcess(platform));
  started.use(await followNotices(background));
  started.use(followNotedTopics(background));
  const isWorker = config.roles.includes('worker');
  const memoryQueue = new MemoryQueue(clock);
  if (redis)
    carrySignal(redis, {
      name: 'due-deliveries',
      signal: platform.dueDeliveries,
      isHere: isWorker,
      random: systemRandom,
    });
  if (isWorker) {
    const features = started.use(composeFeatures(background, memoryQueue));
    started.use(startWorkers({ ...background, ...features }));
  }
  const url = config.roles.includes('api') ? await serve(platform, memoryQueue, started) : undefined;
  const running = started.move();
  return {
    url,
    ...(claim && { lost: claim.lost }),
    async [Symbol.asyncDispose]() {
      const lastAnswers = setTimeout(() => void db.end({ timeout: 0 }), LAST_ANSWERS_MS);
      await running.disposeAsync().finally(() => clearTimeout(lastAnswers));
    },
  };
}

const INSTALL_AGAIN_MS = 5_000;
/** How soon a draft whose bot has died becomes a message. */
const KEEP_EVERY_MS = 1_000;

/** On Citus their node may be away: they are then installed later, since nothing else needs them. */
async function keepBuiltInAccounts(platform: Platform, started: AsyncDisposableStack): Promise<void> {
  const { log } = platform;
  const background = { ...platform, db: platform.db.background };
  const deps = { ...background, accounts: openOperatorAccounts({ ...background, hooks: [] }) };
  const install = async () => {
    await installServiceAccount(background);
    await installManagementBot(deps);
  };
  try {
    await install();
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    log.warn({ err: error }, 'the built-in accounts cannot be looked up yet');
    const options = { name: 'built-in-accounts', everyMs: INSTALL_AGAIN_MS, isDelayed: true };
    const loop = new Loop(platform, options, async () => {
      await install();
      // Disposed of after this step, which would otherwise wait for itself.
      setImmediate(() => void loop[Symbol.asyncDispose]());
    });
    started.use(loop);
  }
}

interface Storage {
  databaseUrl: string;
  db: Database;
  keyring: Keyring;
}

/** Loads the keys, opens the database, and migrates it to this version's schema. */
export async function prepareStorage(
  config: Config,
  log: Log,
  started: AsyncDisposableStack,
  { isDurable = true, signal }: Pick<Overrides, 'isDurable' | 'signal'> = {},
): Promise<Storage> {
  const keyring = await loadKeyring(config, { random: systemRandom, clock: systemClock, log });
  const databaseUrl =
    config.databaseUrl ?? started.use(await startOwnPostgres(config, log, isDurable)).socketUrl;
  const db = openDatabase({
    url: databaseUrl,
    poolSize: config.databasePoolSize,
    lockTimeoutMs: LOCK_TIMEOUT_MS,
  });
  started.defer(() => db.end({ timeout: 5 }));
  const { background } = db;
  await onceReachable(() => checkKeyring(background, keyring, config), { log, signal });
  const missing = await listMissingMigrations(background);
  const migrations = missing.length === 0 ? [] : await migrateAtCoordinator(databaseUrl);
  if (migrations.length > 0) log.info({ migrations }, 'migrated the database to this version');
  await proveKeyring({ db: background, keyring, clock: systemClock });
  return { databaseUrl, db, keyring };
}

/** Schema changes must run on the coordinator, even if other connections go to workers. */
async function migrateAtCoordinator(databaseUrl: string): Promise<string[]> {
  const { url } = await findCoordinator(databaseUrl);
  const db = openPatiently(url);
  try {
    const place = (await findDistribution(db)) && placeTable;
    return await migrate({ db, clock: systemClock, place });
  } finally {
    await db.end({ timeout: 5 });
  }
}

function startOwnPostgres({ dataDir, processes, databasePoolSize }: Config, log: Log, isDurable: boolean) {
  const connections = processes * (databasePoolSize + CONNECTIONS_BESIDE_POOL);
  return startEmbeddedPostgres({ dataDir, log, connections, isDurable });
}

async function exposeMetrics(platform: Platform, started: AsyncDisposableStack): Promise<void> {
  const { config, metrics, redis, log } = platform;
  const { metricsPort, metricsToken, host } = config;
  if (metricsPort === undefined && metricsToken === undefined) return;
  started.use(watchProcess(metrics));
  watchDatabase(platform);
  watchDisk(platform);
  if (redis) metrics.gauge('parley_redis_answers', '1 while Redis answers.', () => Number(redis.isAnswering));
  if (!config.roles.includes('worker')) watchQueue(platform);
  watchBackups(platform);
  watchCertificate(platform);
  watchReports(platform);
  watchNotices(platform);
  countMails(metrics);
  if (cluster.isWorker) started.use(shareMetrics(metrics));
  else if (metricsPort !== undefined) {
    const { port } = started.use(await startMetricsServer(metrics, { host, port: metricsPort }));
    log.info({ port }, 'metrics are served at /metrics');
  }
}

async function serve(
  platform: Platform,
  memoryQueue: MemoryQueue,
  started: AsyncDisposableStack,
): Promise<string> {
  const { config } = platform;
  const features = composeFeatures(platform, memoryQueue);
  const app = await createHttp(platform, features);
  started.defer(() => app.close());
  const keeping = { name: 'lost-drafts', everyMs: KEEP_EVERY_MS };
  started.use(startWork(platform, keeping, () => features.messages.sendLostDrafts()));
  // Each process has its own listening sockets. If the parent distributed connections, one assigned to a process that is just
  // exiting would hang forever; the kernel assigns it to another process or resets it.
  started.use(await listen(app, { host: config.host, port: config.port, isShared: cluster.isWorker }));
  // Public URLs need the actual port if PORT is 0.
  config.port = (app.server.address() as AddressInfo).port;
  return publicUrlOf(config);
}
