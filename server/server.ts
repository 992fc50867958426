import type { AddressInfo } from 'node:net';
import { installManagementBot } from '#features/management-bot/identity.ts';
import { watchQueue } from '#features/webhooks/queue-metrics.ts';
import { systemClock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { openDatabase } from '#platform/database.ts';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { createIds } from '#platform/ids.ts';
import { Live } from '#platform/live.ts';
import type { Log } from '#platform/log.ts';
import { loadKeyring, proveKeyring } from '#platform/master-keys.ts';
import { Metrics } from '#platform/metrics.ts';
import { migrate } from '#platform/migrate.ts';
import type { Platform } from '#platform/platform.ts';
import { watchDatabase, watchProcess } from '#platform/process-metrics.ts';
import { systemRandom } from '#platform/random.ts';
import { createGuard } from '#platform/safe-fetch/guard.ts';
import { Signal } from '#platform/signal.ts';
import { createHttp } from '#surfaces/http.ts';
import { startMetricsServer } from '#surfaces/metrics.ts';
import { startWorkers } from '#workers/workers.ts';

export interface Server extends AsyncDisposable {
  /** Where it listens, when it has the role `api`. */
  url: string | undefined;
}

/**
 * Starts everything that the settings ask for: the embedded database where none is named, migrations, the HTTP doors,
 * the workers. Disposing drains and stops, in the opposite order, what was started.
 */
export async function startServer(config: Config, log: Log): Promise<Server> {
  await using started = new AsyncDisposableStack();
  const keyring = await loadKeyring(config, { random: systemRandom, log });
  const databaseUrl =
    config.databaseUrl ?? started.use(await startEmbeddedPostgres({ dataDir: config.dataDir, log })).url;
  const db = openDatabase({ url: databaseUrl, poolSize: config.databasePoolSize });
  started.defer(() => db.end({ timeout: 5 }));
  const clock = systemClock;
  for (const name of await migrate({ db, clock })) log.info({ migration: name }, 'migrated');
  await proveKeyring({ db, keyring, clock });
  await installManagementBot({ db, clock, config });
  const platform: Platform = {
    config,
    log,
    clock,
    random: systemRandom,
    newId: createIds(clock, systemRandom),
    db,
    keyring,
    live: new Live(),
    guard: createGuard({
      trustedHosts: config.webhookTrustedHosts,
      extraAuthorities: config.webhookCa ? [config.webhookCa] : [],
    }),
    dueDeliveries: new Signal(),
    metrics: new Metrics(),
  };
  await exposeMetrics(platform, started);
  if (config.roles.includes('worker')) started.use(startWorkers(platform));
  const url = config.roles.includes('api') ? await listen(platform, started) : undefined;
  const running = started.move();
  return { url, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

async function exposeMetrics(platform: Platform, started: AsyncDisposableStack): Promise<void> {
  const { config, metrics, db, log } = platform;
  const { metricsPort, metricsToken, host } = config;
  if (metricsPort === undefined && metricsToken === undefined) return;
  started.use(watchProcess(metrics));
  watchDatabase(metrics, db);
  watchQueue(platform);
  if (metricsPort === undefined) return;
  const { port } = started.use(await startMetricsServer(metrics, { host, port: metricsPort }));
  log.info({ port }, 'metrics are served at /metrics');
}

async function listen(platform: Platform, started: AsyncDisposableStack): Promise<string> {
  const { host, port, publicUrl } = platform.config;
  const app = await createHttp(platform);
  started.defer(() => app.close());
  await app.listen({ host, port });
  const { port: actualPort } = app.server.address() as AddressInfo;
  return publicUrl ?? `http://localhost:${actualPort}`;
}
