import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '#platform/config.ts';
import type { Log } from '#platform/log.ts';
import { startMetricsServer } from '#surfaces/metrics.ts';
import { prepareStorage, type Server } from '../server.ts';
import { answerMetrics, collectMetrics } from './metrics.ts';

const STEADY_AFTER_MS = 10_000;
const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 5_000;

/** Message of a process that is ready. */
export interface ReadyMessage {
  parley: 'ready';
  url: string | undefined;
}

/**
 * Starts as many processes as the settings ask for, behind one port, and starts each again that ends. The keys and the
 * embedded database are this process's part, so that the end of another leaves them alone; and it migrates, once.
 * Disposing lets every process drain before the database stops.
 *
 * @throws when a process cannot start at all; it has said why
 */
export async function startProcesses(config: Config, log: Log): Promise<Server> {
  await using started = new AsyncDisposableStack();
  const { databaseUrl, db } = await prepareStorage(config, log, started);
  // The connections are left to those who work.
  await db.end({ timeout: 5 });
  const environment = { DATABASE_URL: databaseUrl, PORT: String(await findPort(config)) };
  const supervisor = started.use(new Supervisor(environment, log));
  started.use(answerMetrics());
  // The first alone, so that what keeps it from starting is said once.
  const url = await supervisor.start();
  await Promise.all(Array.from({ length: config.processes - 1 }, () => supervisor.start()));
  if (config.metricsPort !== undefined) {
    const options = { host: config.host, port: config.metricsPort };
    const { port } = started.use(await startMetricsServer({ collect: collectMetrics }, options));
    log.info({ port }, 'metrics of all processes are served at /metrics');
  }
  supervisor.keepRunning();
  const running = started.move();
  return { url, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/**
 * The port that the processes will share: a free one when any will do.
 *
 * @throws when somebody else has it, whom they would share it with in silence
 */
async function findPort({ host, port }: Config): Promise<number> {
  const probe = createServer().listen({ host, port });
  await once(probe, 'listening');
  const { port: found } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return found;
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

  /** Resolves with the address of the process once it can work. */
  start(): Promise<string | undefined> {
    const worker = cluster.fork(this.#environment);
    const startedAt = performance.now();
    this.#workers.add(worker);
    return new Promise((resolve, reject) => {
      worker.on('message', (message: ReadyMessage) => {
        if (message.parley === 'ready') resolve(message.url);
      });
      worker.once('exit', (code, signal) => {
        this.#workers.delete(worker);
        reject(new Error('a process could not start'));
        if (!this.#isKeeping || this.#stopping.signal.aborted) return;
        this.#log.error({ pid: worker.process.pid, code, signal }, 'a process ended; starting it again');
        if (performance.now() - startedAt > STEADY_AFTER_MS) this.#backoffMs = 0;
        void this.#startAgain();
      });
    });
  }

  /** From now on each process that ends is started again. */
  keepRunning(): void {
    this.#isKeeping = true;
  }

  async #startAgain(): Promise<void> {
    const { signal } = this.#stopping;
    await pause(this.#backoffMs, undefined, { signal }).catch(() => {});
    this.#backoffMs = Math.min(LONGEST_BACKOFF_MS, 2 * this.#backoffMs + FIRST_BACKOFF_MS);
    // One that ends before it is ready is started again by its end.
    if (!signal.aborted) await this.start().catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    const ends = [...this.#workers].map((worker) => once(worker, 'exit'));
    for (const worker of this.#workers) worker.process.kill('SIGTERM');
    await Promise.all(ends);
  }
}
