import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '#platform/config.ts';
import { findPort } from '#platform/http/connections/listen.ts';
import type { Log } from '#platform/log.ts';
import { startMetricsServer } from '#surfaces/metrics.ts';
import { type Overrides, prepareStorage, type Server } from '../server.ts';
import { answerMetrics, collectMetrics } from './metrics.ts';

const STEADY_AFTER_MS = 10_000;
const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 5_000;

/** The message that a process sends once it is ready. */
export interface ReadyMessage {
  parley: 'ready';
  url: string | undefined;
}

/**
 * Starts the configured number of processes on one port, and restarts those that exit. The supervisor itself loads the keys,
 * runs the embedded database and migrates once, so that these survive the exit of a process. Disposing lets every process
 * drain before the database stops.
 *
 * @throws when a process cannot start; the process has logged the reason
 */
export async function startProcesses(
  config: Config,
  log: Log,
  { signal }: Pick<Overrides, 'signal'> = {},
): Promise<Server> {
  await using started = new AsyncDisposableStack();
  const { databaseUrl, db } = await prepareStorage(config, log, started, { signal });
  // Leaves the connections to the processes.
  await db.end({ timeout: 5 });
  const environment = { EMBEDDED_DATABASE_URL: databaseUrl, PORT: String(await findPort(config)) };
  const supervisor = started.use(new Supervisor(environment, log));
  started.use(answerMetrics());
  // The first one alone, so that an error at start is reported once.
  const url = await supervisor.start(signal);
  await Promise.all(Array.from({ length: config.processes - 1 }, () => supervisor.start(signal)));
  if (config.metricsPort !== undefined) {
    const options = { host: config.host, port: config.metricsPort };
    const { port } = started.use(await startMetricsServer({ collect: collectMetrics }, options));
    log.info({ port }, 'metrics of all processes are served at /metrics');
  }
  supervisor.keepRunning();
  const running = started.move();
  return { url, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

class Supervisor implements AsyncDisposable {
  readonly #environment: Record<string, string>;
  readonly #log: Log;
  readonly #workers = new Set<Worker>();
  readonly #stopping = new AbortController();
  #isKeeping = false;
  #backoffMs = 0;

  constructor(environment: Record<string, string>, log: Log) {
    this.#environment = environment;
    this.#log = log;
  }

  /** Resolves with the URL of the process once it is ready. `signal` ends it: it may be waiting for the database. */
  start(signal?: AbortSignal): Promise<string | undefined> {
    signal?.throwIfAborted();
    const worker = cluster.fork(this.#environment);
    signal?.addEventListener('abort', () => worker.process.kill('SIGTERM'));
    const startedAt = performance.now();
    this.#workers.add(worker);
    return new Promise((resolve, reject) => {
      worker.on('message', (message: ReadyMessage) => {
        if (message.parley === 'ready') resolve(message.url);
      });
      const end = (reason: object) => {
        this.#workers.delete(worker);
        reject(new Error('a process could not start'));
        if (!this.#isKeeping || this.#stopping.signal.aborted) return;
        this.#log.error({ pid: worker.process.pid, ...reason }, 'a process ended; starting it again');
        if (performance.now() - startedAt > STEADY_AFTER_MS) this.#backoffMs = 0;
        void this.#startAgain();
      };
      worker.once('exit', (code, signal) => end({ code, signal }));
      worker.on('error', (err) => {
        // Otherwise it was a message to a process that has just ended.
        if (worker.process.pid === undefined) end({ err });
      });
    });
  }

  /** From now on, restarts each process that exits. */
  keepRunning(): void {
    this.#isKeeping = true;
  }

  async #startAgain(): Promise<void> {
    const { signal } = this.#stopping;
    await pause(this.#backoffMs, undefined, { signal }).catch(() => {});
    this.#backoffMs = Math.min(LONGEST_BACKOFF_MS, 2 * this.#backoffMs + FIRST_BACKOFF_MS);
    // A process that exits before it is ready is restarted by its exit handler.
    if (!signal.aborted) await this.start().catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    const ends = [...this.#workers].map((worker) => new Promise((end) => worker.once('exit', end)));
    for (const worker of this.#workers) worker.process.kill('SIGTERM');
    await Promise.all(ends);
  }
}
