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
import { unavailable } from './errors.ts';

/** Parameter of reads: the pool, or the transaction that the read must belong to. */
export type Db = Sql;

/** Parameter of writes: an open transaction, so that the caller decides what commits in one. */
export type Tx = Transaction;

/** The pool; only services hold it, to open transactions. */
export interface Database extends Db {
  begin<T>(work: (tx: Tx) => PromiseLike<T>): Promise<T>;
  /**
   * A transaction of one statement: it commits by itself, and goes to the database and back once instead of three times.
   * Another statement is refused.
   */
  write<T>(work: (tx: Tx) => PromiseLike<T>): Promise<T>;
  /**
   * For statements that are a transaction each, and of which the next is there before the last has ended, as the batches
   * of the hot path: they share a connection, where each begins as the one before ends.
   *
   * @param address of the host (`host:port`) that has the rows, where DATABASE_URL names it: each has one of its own
   */
  shared(address?: string): Tx;
  /** The same connections for work that nobody waits for: it waits for locks as long as its statements may run. */
  readonly background: Database;
  /** False while the database leaves everybody waiting; who asks for it then would only wait too. */
  readonly isAnswering: boolean;
  /**
   * Somebody has just waited in vain for a lock or a connection, or a node of a cluster hangs; who waits for the database
   * may be in for the same.
   */
  readonly isObstructed: boolean;
  /** A node of a cluster hangs: what needs it waits. Nothing that is written on every node can be changed meanwhile. */
  readonly isPartHanging: boolean;
  readonly use: PoolUse;
  /** Whether the hosts are nodes of one cluster, where a statement at one may wait for another. */
  setCluster(isCluster: boolean): void;
  /** Asks now. A database that hangs leaves it open until it is asked again, some seconds later. */
  probe(): Promise<boolean>;
  /** From now on everybody waits as for a free connection, until `release`; what is under way goes on. */
  hold(): void;
  /** From now on everybody is refused, until `release`; resolves when nothing is under way any more. */
  suspend(): Promise<void>;
  release(): void;
  /** Closes every connection; statements under way have so many seconds to end. */
  end(options: { timeout: number }): Promise<void>;
}

export interface DatabaseOptions {
  /** Of one host or several. */
  url: string;
  poolSize: number;
  /** How long anybody waits for a free connection, or for a database that hangs, before being told. */
  waitTimeoutMs?: number;
  /** How long the database may take to accept a connection. */
  connectTimeoutMs?: number;
  /** How long a statement waits for a lock, but for those of `background`; unless given as long as it may run. */
  lockTimeoutMs?: number;
  /** Told of every statement as it is sent; its parameters may hold what nobody else should see. */
  onStatement?: ConnectionWatcher['onStatement'];
}

/** How long anything may take at the database; a transaction may set other limits. For locks see {@link DatabaseOptions}. */
const LIMITS = { connectionTimeoutMillis: 2_000, statement_timeout: 30_000 } satisfies ClientConfig;

const CONNECTION: ConnectionOptions = { application_name: 'parley', ...LIMITS };

const TICK_MS = 250;
/** Connections of a server process outside its pool: a health probe for each host, and the session that claims the database. */
export const CONNECTIONS_BESIDE_POOL = 2;

/** As PostgreSQL has it. */
const UNLIMITED = 0;
/** Whoever waits for the database is answered within 2 s (security design): this leaves time for the rest. */
const WAIT_TIMEOUT_MS = 1500;

/** A pool of connections, and one more to each host that probes whether it answers. None is opened before it is used. */
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
        // Who came before waited in vain; so would the next.
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

/** One connection, for what belongs to its session. */
export function openConnection(url: string, onLost?: () => void): Connection {
  return new Connection(new Hosts(url), CONNECTION, { onLost });
}

/** Codes, and classes of codes, of a database that is away, overloaded or read-only, a lock that is held, a full disk. */
const UNAVAILABLE =
  /^(CONNECT_TIMEOUT|CONNECTION_\w+|ECONN\w+|E(HOST|NET)UNREACH|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ENOENT|EPIPE|ENOSPC|EDQUOT|(08|53|57|58)...|25006|55P03)$/;

/** Whether an error says that the database is away or overloaded, rather than that the statement is wrong. */
export function isUnavailable(error: unknown): boolean {
  return hasCode(error) && UNAVAILABLE.test(error.code);
}

/** Whether the database cannot be used at all: it is away, or does not let us in. */
export function isRefusedOrAway(error: unknown): boolean {
  return isUnavailable(error) || (hasCode(error) && 'severity' in error && error.severity === 'FATAL');
}

export function isUniqueViolation(error: unknown): boolean {
  return hasCode(error) && error.code === '23505';
}

/** Two transactions waited for each other; this one was undone, and may be tried again. */
export function isDeadlock(error: unknown): boolean {
  return hasCode(error) && error.code === '40P01';
}

/** A lock was not to be had within `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return hasCode(error) && error.code === '55P03';
}

function hasCode(error: unknown): error is { code: string } {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string';
}
