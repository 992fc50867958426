import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { accountForPostgres, planLaunch } from './embedded-postgres/account.ts';
import { findPostgresBinaries } from './embedded-postgres/binaries.ts';
import { clusterUrl, createCluster, openDataDir, readSuperuser } from './embedded-postgres/cluster.ts';
import { stopLeftoverPostmaster } from './embedded-postgres/leftover.ts';
import {
  type PostgresLog,
  type Postmaster,
  PostmasterFailure,
  startPostmaster,
} from './embedded-postgres/postmaster.ts';
import { ensureServerRole } from './embedded-postgres/server-role.ts';
import { lockDirectory } from './files/directory-lock.ts';

/** An embedded PostgreSQL, restarted if it exits, until it is stopped. */
export interface EmbeddedPostgres extends AsyncDisposable {
  /** Unchanged by a restart of PostgreSQL. */
  readonly url: string;
  /** The same over its Unix socket, which needs less CPU; over TCP if the socket's path would be too long. */
  readonly socketUrl: string;
  /** For the administration of the cluster; the server connects as its own role. */
  readonly superuserUrl: string;
  /** Stops the server, waits for it, and releases the data directory. */
  stop(): Promise<void>;
}

/** Below the ephemeral ports, so that ours is still free after a crash. */
const PORTS = { first: 20_000, end: 32_768 };
const START_ATTEMPTS = 50;
const PAUSE_BETWEEN_ATTEMPTS_MS = 100;
const LONGEST_BACKOFF_MS = 5_000;
const STEADY_AFTER_MS = 10_000;

/**
 * Starts PostgreSQL on `<dataDir>/postgres`, which the first start creates. Cleans up after earlier starts (a running
 * server, a stale pid file, an incomplete cluster).
 *
 * @throws with a message for the operator: the directory is in use or belongs to another user, or PostgreSQL does not start
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: PostgresLog;
  /** False only if the data is discarded anyway, as in tests. */
  isDurable?: boolean;
  connections?: number;
  signal?: AbortSignal | undefined;
}): Promise<EmbeddedPostgres> {
  const { log, isDurable = true, connections = 0, signal } = options;
  const { initdb, postgres } = await findPostgresBinaries();
  const account = await accountForPostgres(join(resolve(options.dataDir), 'postgres'));
  await openDataDir(resolve(options.dataDir), account);
  const dataDir = await realpath(options.dataDir);
  const cluster = join(dataDir, 'postgres');

  using held = new DisposableStack();
  held.use(lockDirectory(dataDir));
  const plan = await planLaunch(account, { postgres, dataDir });
  if (!existsSync(cluster)) {
    await createCluster({ dataDir, cluster, initdb, plan, account, signal });
    log.info({ cluster }, 'made a new PostgreSQL cluster');
  }
  const stopping = new AbortController();
  const stop = () => stopping.abort(signal?.reason);
  signal?.throwIfAborted();
  signal?.addEventListener('abort', stop);
  held.defer(() => signal?.removeEventListener('abort', stop));
  const socketDirectory = takesSockets(cluster) ? cluster : undefined;
  const startAt = async (port: number) => {
    await stopLeftoverPostmaster(cluster, log);
    return startPostmaster({
      postgres,
      plan,
      cluster,
      port,
      socketDirectory,
      isDurable,
      connections,
      log,
      signal: stopping.signal,
    });
  };
  const { port, postmaster } = await startOnFreePort(startAt).catch((error) => {
    throw signal?.aborted ? signal.reason : error;
  });
  const startAgain = () => startAt(port);
  const supervision = supervise(postmaster, { startAgain, log, signal: stopping.signal });
  const kept = held.move();
  const end = async () => {
    stopping.abort();
    await supervision;
    kept.dispose();
  };
  try {
    const url = clusterUrl(await ensureServerRole(cluster, { port, account }), port);
    return {
      url,
      socketUrl: socketDirectory ? `${url}?host=${encodeURIComponent(socketDirectory)}` : url,
      superuserUrl: clusterUrl(await readSuperuser(cluster), port),
      stop: end,
      [Symbol.asyncDispose]: end,
    };
  } catch (error) {
    await end();
    throw signal?.aborted ? signal.reason : error;
  }
}

async function startOnFreePort(
  startAt: (port: number) => Promise<Postmaster>,
): Promise<{ port: number; postmaster: Postmaster }> {
  for (let attempt = 1; ; attempt++) {
    const port = randomInt(PORTS.first, PORTS.end);
    try {
      return { port, postmaster: await startAt(port) };
    } catch (error) {
      if (!(error instanceof PostmasterFailure && error.mayPass) || attempt === START_ATTEMPTS) throw error;
    }
    await pause(PAUSE_BETWEEN_ATTEMPTS_MS);
  }
}

/** Operating systems limit the path of a socket to about a hundred bytes. */
function takesSockets(directory: string): boolean {
  return process.platform !== 'win32' && Buffer.byteLength(join(directory, '.s.PGSQL.00000')) <= 100;
}

/** Restarts PostgreSQL whenever it exits, until the signal aborts; resolves when none is running any more. */
async function supervise(
  postmaster: Postmaster,
  {
    startAgain,
    log,
    signal,
  }: { startAgain: () => Promise<Postmaster>; log: PostgresLog; signal: AbortSignal },
): Promise<void> {
  let backoffMs = 0;
  let current: Postmaster | undefined = postmaster;
  while (current || !signal.aborted) {
    if (current) {
      const startedAt = performance.now();
      const end = await current.ended;
      if (!signal.aborted) log.error({ end }, 'PostgreSQL ended by itself; starting it again');
      if (performance.now() - startedAt > STEADY_AFTER_MS) backoffMs = 0;
      current = undefined;
    }
    try {
      await pause(backoffMs, undefined, { signal });
      backoffMs = Math.min(LONGEST_BACKOFF_MS, 2 * backoffMs + PAUSE_BETWEEN_ATTEMPTS_MS);
      current = await startAgain();
      log.info('PostgreSQL runs again');
    } catch (error) {
      if (!signal.aborted) log.error(error, 'PostgreSQL cannot be started; trying again');
    }
  }
}
