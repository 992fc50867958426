import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import type { HostState } from '../database/failover/host-watch.ts';
import { createWriteProbe } from '../database/failover/write-probe.ts';
import type { Platform } from '../platform.ts';
import type { Metrics } from './metrics.ts';

const NANOSECONDS = 1e9;

/** The process itself: memory, CPU time, and event loop lag. The names are those that common dashboards use. */
export function watchProcess(metrics: Metrics): Disposable {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const memory = (name: string, help: string, kind: 'rss' | 'heapUsed' | 'external') =>
    metrics.gauge(name, help, () => process.memoryUsage()[kind]);
  memory('process_resident_memory_bytes', 'Memory that the process holds.', 'rss');
  memory('nodejs_heap_size_used_bytes', 'Memory in use for JavaScript.', 'heapUsed');
  memory('nodejs_external_memory_bytes', 'Memory that JavaScript holds elsewhere.', 'external');
  metrics.readCounter('process_cpu_seconds_total', 'Processor time used.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  metrics.gauge('process_uptime_seconds', 'Time since the start of the process.', () => process.uptime());
  metrics.gauge('nodejs_eventloop_lag_seconds', 'Delay of the event loop since the last reading.', () => {
    const quantiles = { p50: delay.percentile(50), p99: delay.percentile(99), max: delay.max };
    delay.reset();
    return Object.entries(quantiles).map(([quantile, value]) => ({
      labels: { quantile },
      value: value / NANOSECONDS,
    }));
  });
  return { [Symbol.dispose]: () => void delay.disable() };
}

/** The number of lent connections and waiting callers, and whether the database works. */
export function watchDatabase({ metrics, db, clock }: Platform): void {
  metrics.gauge('parley_database_connections', 'Connections of the pool, by what they do.', () => {
    const { size, lent, idle } = db.use;
    return Object.entries({ lent, idle, unopened: size - lent - idle }).map(([state, value]) => ({
      labels: { state },
      value,
    }));
  });
  metrics.gauge('parley_database_waiting', 'Callers that wait for a connection.', () => db.use.waiting);
  const answers = async () => Number(await db.probe());
  metrics.gauge('parley_database_answers', '1 while the database answers.', answers, 0);
  const ofHosts = (read: (host: HostState) => number) => () =>
    db.hosts.map((host) => ({ labels: { host: host.name }, value: read(host) }));
  metrics.gauge(
    'parley_database_host_up',
    '1 while the host is used: it neither refuses nor is silent alone.',
    ofHosts(({ isUp }) => Number(isUp)),
  );
  metrics.gauge(
    'parley_database_host_latency_seconds',
    'How long the host took for its last answer.',
    ofHosts(({ latencyMs }) => latencyMs / 1000),
  );
  metrics.gauge(
    'parley_database_host_connections',
    'Connections to the host.',
    ofHosts(({ connections }) => connections),
  );
  const probe = createWriteProbe(db, clock);
  const takesWrites = () => probe().then(() => 1);
  metrics.gauge('parley_database_takes_writes', '1 while the database takes writes.', takesWrites, 0);
}

export function watchDisk({ metrics, config }: Platform): void {
  // With an external database, the directory is created by the first upload.
  const read = () => statfs(config.dataDir).catch(() => statfs(dirname(resolve(config.dataDir))));
  metrics.gauge('parley_disk_free_bytes', 'Free on the disk of DATA_DIR.', async () => {
    const { bavail, bsize } = await read();
    return bavail * bsize;
  });
  metrics.gauge('parley_disk_size_bytes', 'Size of the disk of DATA_DIR.', async () => {
    const { blocks, bsize } = await read();
    return blocks * bsize;
  });
}
