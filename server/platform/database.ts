import type { ClientConfig } from 'pg';
import {
  Connection,
  type ConnectionOptions,
  type ConnectionWatcher,
  type Transaction,
} from './database/connection.ts';
import { HostWatch } from './database/failover/host-watch.ts';
import { Hosts } from './database/failover/hosts.ts';
import { Pool, type PoolUse } from './database/pool.ts';
import { createSql, type Send, type Sql } from './database/statement.ts';
import { ApiError, unavailable } from './errors.ts';

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
  /** The same connections for background work, which waits for locks until the statement timeout. */
  readonly background: Database;
  /** False while the database hangs; further callers would only wait as well. */
  readonly isAnswering: boolean;
  /**
   * A caller has just timed out waiting for a lock or a connection, or a cluster node hangs; others may time out as well.
   */
  readonly isObstructed: boolean;
  /** A cluster node hangs: statements that need it wait, and rows that are on every node cannot be changed meanwhile. */
  readonly isPartHanging: boolean;
  readonly use: PoolUse;
  /** Sets whether the hosts are nodes of one cluster, where a statement on one may wait for another. */
  setCluster(isCluster: boolean): void;
  /** Probes now. While the database hangs, this stays pending until the next probe, some seconds later. */
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
  /** How long requests wait for a free connection, or for a hanging database, before they are refused. */
  waitTimeoutMs?: number;
  /** How long the database may take to accept a connection. */
  connectTimeoutMs?: number;
  /** How long a statement waits for a lock, except for those of `background`. Default: until the statement timeout. */
  lockTimeoutMs?: number;
  /** Called with every statement as it is sent; its parameters may contain secrets. */
  onStatement?: ConnectionWatcher['onStatement'];
}

/** The time limit of statements; a transaction may set another one. For locks see {@link DatabaseOptions}. */
const LIMITS = { connectionTimeoutMillis: 2_000, statement_timeout: 30_000 } satisfies ClientConfig;

const CONNECTION: ConnectionOptions = { application_name: 'parley', ...LIMITS };

const TICK_MS = 250;
/** Connections of a server process outside its pool: a health probe for each host, and the session that claims the database. */
export const CONNECTIONS_BESIDE_POOL = 2;

/** PostgreSQL's value for no limit. */
const UNLIMITED = 0;
/**
 * Requests that wait for the database are answered within 2 s (security design): this leaves time for the
 * rest.
 */
const WAIT_TIMEOUT_MS = 1500;

/** A pool of connections, and one more for each host that probes whether it answers. All are opened on first use. */
export function openDatabase(options: DatabaseOptions): Database {
  const {
    poolSize,
    waitTimeoutMs = WAIT_TIMEOUT_MS,
    connectTimeoutMs = LIMITS.connectionTimeoutMillis,
    lockTimeoutMs = UNLIMITED,
    onStatement,
  } = options;
  const hosts = new Hosts(options.url);
  const connection = { ...CONNECTION, connectionTimeoutMillis: connectTimeoutMs };
  const waitTimeoutTicks = waitTimeoutMs / TICK_MS;
  const pool = new Pool((address) => new Connection(hosts.at(address), connection, { onStatement }), {
    size: poolSize,
    waitTimeoutTicks,
  });
  const watch = new HostWatch(hosts, pool, {
    open: (route) => new Connection(route, connection),
    slowTicks: Math.ceil(waitTimeoutTicks * (2 / 3)),
    lostTicks: waitTimeoutTicks * 2,
    waitTicks: waitTimeoutTicks,
  });
  const ticking = setInterval(() => {
    pool.tick();
    watch.tick();
  }, TICK_MS).unref();
  const state = {
    isAnswering: { get: () => watch.isAnswering },
    isObstructed: { get: () => pool.isObstructed || watch.isPartHanging },
    isPartHanging: { get: () => watch.isPartHanging },
    use: { get: () => pool.use },
  };
  async function end({ timeout }: { timeout: number }) {
    clearInterval(ticking);
    await Promise.all([pool.close(timeout), watch.close()]);
  }
  const noteLockTimeout = (error: unknown): never => {
    if (isLockTimeout(error)) pool.noteObstruction();
    throw error;
  };
  const waitingForLocks = (timeoutMs: number) => {
    const prepared =
      <T>(use: (connection: Connection) => Promise<T>) =>
      (connection: Connection) => {
        connection.limitLockWaits(timeoutMs);
        return use(connection).catch(noteLockTimeout);
      };
    const send: Send = (text, values) => pool.lend(prepared((connection) => connection.send(text, values)));
    const sharing = new Map<string, Tx>();
    const shared = (address = '') => {
      const known = sharing.get(address);
      if (known) return known;
      const sendShared: Send = async (text, values) => {
        // Earlier callers timed out; so would this one.
        if (watch.isHangingAt(address)) throw unavailable();
        return pool.share(
          prepared((connection) => connection.send(text, values)),
          address,
        );
      };
      const made = createSql(sendShared) as Tx;
      sharing.set(address, made);
      return made;
    };
    const statements = Object.assign(createSql(send), {
      begin: <T>(work: (tx: Tx) => PromiseLike<T>) =>
        pool.lend(prepared((connection) => connection.transact(work))),
      write: async <T>(work: (tx: Tx) => PromiseLike<T>) => work(createSql(once(send)) as Tx),
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
  const background = waitingForLocks(UNLIMITED);
  Object.assign(background, { background });
  return lockTimeoutMs === UNLIMITED
    ? background
    : Object.assign(waitingForLocks(lockTimeoutMs), { background });
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
  return new Connection(new Hosts(url), CONNECTION, { onLost });
}

/**
 * Error codes and classes of a database that is unreachable, overloaded or read-only, of a lock timeout, and of a full disk.
 */
const UNAVAILABLE =
  /^(CONNECT_TIMEOUT|CONNECTION_\w+|ECONN\w+|E(HOST|NET)UNREACH|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ENOENT|EPIPE|ENOSPC|EDQUOT|(08|53|57|58)...|25006|55P03)$/;

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

/** A lock was not granted within `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return hasCode(error) && error.code === '55P03';
}

function hasCode(error: unknown): error is { code: string } {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string';
}
