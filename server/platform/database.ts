import { currentTurn } from './concurrency/turn.ts';
import { limitBackground } from './database/background-limit.ts';
import {
  Connection,
  type ConnectionOptions,
  type ConnectionWatcher,
  type Transaction,
} from './database/connection.ts';
import { type HostState, HostWatch } from './database/failover/host-watch.ts';
import { Hosts } from './database/failover/hosts.ts';
import { Pool, type PoolUse } from './database/pool.ts';
import { createSql, type Send, type Sql } from './database/statement.ts';
import { ApiError } from './errors.ts';

/** Parameter of reads: the pool, or the transaction to which the read must belong. */
export type Db = Sql;

/** Parameter of writes: an open transaction, so that the caller decides what commits in one. */
export type Tx = Transaction;

/** The pool; only services hold it, to open transactions. */
export interface Database extends Db {
  begin<T>(work: (tx: Tx) => PromiseLike<T>): Promise<T>;
  /**
   * A transaction of one statement, which commits implicitly: one round trip instead of three. Further statements are
   * refused.
   */
  write<T>(work: (tx: Tx) => PromiseLike<T>): Promise<T>;
  /**
   * For single-statement transactions in quick succession, as in the batches of the hot path: they are pipelined on a shared
   * connection.
   *
   * @param address of the host (`host:port`) that has the rows, if DATABASE_URL names it: each has its own shared connection
   */
  shared(address?: string): Tx;
  /** The same connections for background work, which waits longer for one, and for locks until the statement timeout. */
  readonly background: Database;
  /** False while no host answers; further callers would only wait as well. */
  readonly isAnswering: boolean;
  /** A cluster node is away: statements that need it wait, and rows that are on every node cannot be changed meanwhile. */
  readonly isPartAway: boolean;
  /** How long requests wait for a free connection. */
  readonly waitTimeoutMs: number;
  readonly hosts: readonly HostState[];
  readonly use: PoolUse;
  /** Sets whether the hosts are nodes of one cluster, where a statement on one may wait for another. */
  setCluster(isCluster: boolean): void;
  /** Asks now. While the database is silent, this stays pending until it answers. */
  probe(): Promise<boolean>;
  /** Makes new callers wait as for a free connection, until `release`; work in progress continues. */
  hold(): void;
  /** Refuses new callers until `release`; resolves when nothing is in progress any more. */
  suspend(): Promise<void>;
  release(): void;
  /** Closes every connection; statements in progress have this many seconds to finish. */
  end(options: { timeout: number }): Promise<void>;
}

export interface DatabaseOptions {
  /** May name several hosts. */
  url: string;
  poolSize: number;
  /** How long requests wait for a free connection before they are refused. */
  waitTimeoutMs?: number;
  /** How long a statement waits for a lock, except for those of `background`. Default: until the statement timeout. */
  lockTimeoutMs?: number;
  /** Called with every statement as it is sent; its parameters may contain secrets. */
  onStatement?: ConnectionWatcher['onStatement'];
}

/** The time limit of statements; a transaction may set another one. For locks see {@link DatabaseOptions}. */
const STATEMENT_TIMEOUT_MS = 30_000;

const CONNECTION: ConnectionOptions = {
  application_name: 'parley',
  statement_timeout: STATEMENT_TIMEOUT_MS,
};
/** A busy database may take long to accept a connection, which is no reason to begin another. */
const POOLED = { ...CONNECTION, connectionTimeoutMillis: STATEMENT_TIMEOUT_MS };

/** Of a dedicated connection. */
const CONNECT_TIMEOUT_MS = 5_000;

const TICK_MS = 250;
/** Connections of a server process outside its pool: a health probe for each host, and the session that claims the database. */
export const CONNECTIONS_BESIDE_POOL = 2;

/** PostgreSQL's value for no limit. */
const UNLIMITED = 0;
/**
 * Requests that wait for the database are answered within 2 s (security design): this leaves time for a lock, which is
 * waited for afterwards.
 */
const WAIT_TIMEOUT_MS = 1_000;
const PATIENT_WAIT_MS = 20_000;
/** Work in the background waits for a busy database, and fails once it is away. */
const BACKGROUND_WAIT_MS = 10_000;
/**
 * Of the connections, while a node of a cluster is away: most steps in the background read all nodes, and each holds one for a
 * second, until it is closed.
 */
const BACKGROUND_SHARE = 0.5;

/** A pool of connections, and one more for each host that probes whether it answers. All are opened on first use. */
export function openDatabase(options: DatabaseOptions): Database {
  const { poolSize, waitTimeoutMs = WAIT_TIMEOUT_MS, lockTimeoutMs = UNLIMITED, onStatement } = options;
  // All may be to one host, which also has its own shared connection.
  const hosts = new Hosts(options.url, poolSize + 1);
  const open = (address: string) => {
    const host = hosts.next(hosts.find(address));
    if (!host) return undefined;
    const connection = new Connection(hosts.only(host), POOLED, { onStatement });
    // Those of a command, which has time, may wait for something else.
    if (lockTimeoutMs !== UNLIMITED) connection.limitIdleTransactions(STATEMENT_TIMEOUT_MS);
    return connection;
  };
  const pool = new Pool(open, { size: poolSize, waitTimeoutMs, longestWaitMs: STATEMENT_TIMEOUT_MS });
  const watch = new HostWatch(hosts, pool, (route) => new Connection(route, CONNECTION));
  const backgroundWaitMs = Math.max(waitTimeoutMs, BACKGROUND_WAIT_MS);
  const backgroundLimit = limitBackground({
    applies: () => watch.isPartAway,
    most: Math.ceil(poolSize * BACKGROUND_SHARE),
    waitMs: backgroundWaitMs,
  });
  const ticking = setInterval(() => {
    pool.tick();
    watch.tick();
    backgroundLimit.tick();
  }, TICK_MS).unref();
  const state = {
    isAnswering: { get: () => watch.isAnswering },
    isPartAway: { get: () => watch.isPartAway },
    hosts: { get: () => watch.states },
    waitTimeoutMs: { value: waitTimeoutMs },
    use: { get: () => pool.use },
  };
  async function end({ timeout }: { timeout: number }) {
    clearInterval(ticking);
    await Promise.all([pool.close(timeout), watch.close()]);
  }
  const accessWith = (lockMs: number, lend: Pool['lend']) => {
    const prepared =
      <T>(use: (connection: Connection) => Promise<T>) =>
      (connection: Connection) => {
        connection.limitLockWaits(lockMs);
        return use(connection);
      };
    const writing =
      <T>(use: (connection: Connection) => Promise<T>) =>
      (connection: Connection) => {
        const turn = currentTurn();
        if (turn) turn.hasWritten = true;
        return prepared(use)(connection);
      };
    const send: Send = (text, values) => lend(prepared((connection) => connection.send(text, values)));
    const sendWrite: Send = (text, values) => lend(writing((connection) => connection.send(text, values)));
    const sharing = new Map<string, Tx>();
    const shared = (address = '') => {
      const known = sharing.get(address);
      if (known) return known;
      const own = hosts.find(address) ? address : '';
      const sendShared: Send = (text, values) =>
        pool.share(
          writing((connection) => connection.send(text, values)),
          own,
        );
      const made = createSql(sendShared) as Tx;
      sharing.set(address, made);
      return made;
    };
    const statements = Object.assign(createSql(send), {
      begin: <T>(work: (tx: Tx) => PromiseLike<T>) =>
        lend(writing((connection) => connection.transact(work))),
      write: async <T>(work: (tx: Tx) => PromiseLike<T>) => work(createSql(once(sendWrite)) as Tx),
      shared,
      probe: () => watch.probe(),
      setCluster(isCluster: boolean) {
        watch.isCluster = isCluster;
      },
      hold: () => pool.hold(),
      suspend: () => pool.suspend(),
      release: () => pool.release(),
      end,
    });
    return Object.defineProperties(statements, state) as Database;
  };
  const background = accessWith(UNLIMITED, (use) =>
    backgroundLimit.run(() => pool.lend(use, backgroundWaitMs)),
  );
  Object.assign(background, { background });
  return Object.assign(
    accessWith(lockTimeoutMs, (use) => pool.lend(use)),
    { background },
  );
}

/** For a command or a start, which have time: a busy database may take long to accept the first connection. */
export function openPatiently(url: string, poolSize = 1): Database {
  return openDatabase({ url, poolSize, waitTimeoutMs: PATIENT_WAIT_MS });
}

/** Sends the first statement. */
function once(send: Send): Send {
  let isSent = false;
  return async (text, values) => {
    if (isSent) throw new Error('`write` takes one statement; several need `begin`');
    isSent = true;
    return send(text, values);
  };
}

/** One dedicated connection, for session state. */
export function openConnection(url: string, onLost?: () => void): Connection {
  return new Connection(
    new Hosts(url),
    { ...CONNECTION, connectionTimeoutMillis: CONNECT_TIMEOUT_MS },
    { onLost },
  );
}

/**
 * Error codes and classes of a database that is unreachable, overloaded or read-only, of a lock timeout, of a transaction in which
 * nothing happened for too long, and of a full disk.
 */
const UNAVAILABLE =
  /^(CONNECT_TIMEOUT|CONNECTION_\w+|ECONN\w+|E(HOST|NET)UNREACH|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ENOENT|EPIPE|ENOSPC|EDQUOT|(08|53|57|58)...|25006|25P03|55P03)$/;

/**
 * Whether an error means that the database is unreachable or overloaded, or that no connection was free in time, rather than
 * that the statement is wrong.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 503;
  return hasCode(error) && UNAVAILABLE.test(error.code);
}

/** Whether the database cannot be used at all: it is unavailable, or refuses the sign-in. */
export function isRefusedOrAway(error: unknown): boolean {
  return isUnavailable(error) || (hasCode(error) && 'severity' in error && error.severity === 'FATAL');
}

export function isUniqueViolation(error: unknown): boolean {
  return hasCode(error) && error.code === '23505';
}

/** A deadlock; this transaction was rolled back, and can be retried. */
export function isDeadlock(error: unknown): boolean {
  return hasCode(error) && error.code === '40P01';
}

/** In its snapshot, a transaction could not see what a concurrent one has just written; it was rolled back, and can be retried. */
export function isSerializationFailure(error: unknown): boolean {
  return hasCode(error) && error.code === '40001';
}

/** A lock was not granted within `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return hasCode(error) && error.code === '55P03';
}

function hasCode(error: unknown): error is { code: string } {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string';
}
