import { join } from 'node:path';
import postgres from 'postgres';
import { ARRAY_TYPES } from './database/arrays.ts';
import { Connection, type ConnectionOptions, type Mapped, type Transaction } from './database/connection.ts';
import { Pool, type PoolUse } from './database/pool.ts';
import { Pulse } from './database/pulse.ts';
import { type Run, statementsFor } from './database/statement.ts';

/** What reads take: the pool, or the transaction that the read must belong to. */
export type Db = postgres.ISql<Mapped>;

/** What writes take: an open transaction, so that whoever writes has decided what commits together. */
export type Tx = Transaction;

/** The pool; only services hold it, to open transactions. */
export interface Database extends Db {
  begin<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * For statements of which the next is there before the last has ended, as the batches of the hot path: they share a
   * connection, where each begins as the one before ends.
   */
  readonly shared: Db;
  /** The same connections for work that nobody waits for: it waits for locks as long as its statements may run. */
  readonly background: Database;
  /** False while the database leaves everybody waiting; who asks for it then would only wait too. */
  readonly isAnswering: boolean;
  /** Somebody has just waited in vain for a lock or a connection; who waits for the database may be in for the same. */
  readonly isObstructed: boolean;
  readonly use: PoolUse;
  /** Asks now. A database that hangs leaves it open until it is asked anew, some seconds later. */
  probe(): Promise<boolean>;
  /** From now on everybody waits as for a free connection, until `release`; what is under way goes on. */
  hold(): void;
  release(): void;
  /** Closes every connection; statements under way have so many seconds to end. */
  end(options: { timeout: number }): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  /** How long anybody waits for a free connection, or for a database that hangs, before being told. */
  patienceMs?: number;
  /** How long a statement waits for a lock, but for those of `background`; unless given as long as it may run. */
  lockTimeoutMs?: number;
  /** Told of every statement as it is sent; its parameters may hold what nobody else should see. */
  onStatement?: (text: string, parameters: readonly unknown[]) => void;
}

const OPTIONS: ConnectionOptions = {
  connect_timeout: 2,
  idle_timeout: 0,
  max_lifetime: null,
  onnotice: () => {},
  connection: { application_name: 'parley', statement_timeout: 30_000 },
  // Columns are named in SQL's way there and in TypeScript's way here.
  transform: { column: { from: postgres.toCamel, to: postgres.fromCamel } },
  fetch_types: false,
  types: {
    ...ARRAY_TYPES,
    bigint: { to: 20, from: [20], serialize: (value: number) => String(value), parse: Number },
  },
};

const DEFAULT_PORT = 5432;
const TICK_MS = 250;
/** As PostgreSQL has it. */
const UNLIMITED = 0;
/** Whoever waits for the database is answered within 2 s (security design): this leaves time for the rest. */
const PATIENCE_MS = 1500;

/** A pool of connections, and one more that feels whether the database answers. None is opened before it is used. */
export function openDatabase(options: DatabaseOptions): Database {
  const { poolSize, patienceMs = PATIENCE_MS, lockTimeoutMs = UNLIMITED, onStatement } = options;
  const { url, ...way } = readAddress(options.url);
  const patienceTicks = patienceMs / TICK_MS;
  const open = () => new Connection(url, { ...OPTIONS, ...way });
  const debug: ConnectionOptions['debug'] =
    onStatement && ((_connection, text, parameters) => onStatement(text, parameters));
  const openWatched = () => new Connection(url, { ...OPTIONS, ...way, ...(debug && { debug }) });
  const pool = new Pool(openWatched, { size: poolSize, patienceTicks });
  const pulse = new Pulse(open, {
    slowTicks: Math.ceil(patienceTicks * (2 / 3)),
    lostTicks: patienceTicks * 2,
    onAnsweredElsewhere: (ticks) => pool.closeLentFor(ticks),
  });
  const ticking = setInterval(() => {
    pool.tick();
    pulse.tick(pool.isLending);
  }, TICK_MS).unref();
  /** Never connects: it makes what statements are made of, such as lists of rows and JSON parameters. */
  const parts = postgres(url, OPTIONS);
  const state = {
    isAnswering: { get: () => pulse.isBeating },
    isObstructed: { get: () => pool.isObstructed },
    use: { get: () => pool.use },
  };
  async function end({ timeout }: { timeout: number }) {
    clearInterval(ticking);
    await Promise.all([pool.close(timeout), pulse.close()]);
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
    const run: Run = (build) => pool.lend(prepared((connection) => connection.run(build)));
    const runShared: Run = (build) => pool.share(prepared((connection) => connection.run(build)));
    const statements = Object.assign(statementsFor(run, parts), {
      begin: <T>(work: (tx: Tx) => Promise<T>) =>
        pool.lend(prepared((connection) => connection.transact(work))),
      shared: statementsFor(runShared, parts),
      probe: () => pulse.probe(),
      hold: () => pool.hold(),
      release: () => pool.release(),
      end,
    });
    return Object.defineProperties(statements, state) as unknown as Database;
  };
  const background = waitingForLocks(UNLIMITED);
  Object.assign(background, { background });
  return lockTimeoutMs === UNLIMITED
    ? background
    : Object.assign(waitingForLocks(lockTimeoutMs), { background });
}

/** One connection, for what belongs to its session. */
export function openConnection(url: string, onLost?: () => void): Connection {
  const { url: read, ...way } = readAddress(url);
  return new Connection(read, { ...OPTIONS, ...way }, onLost);
}

/** A PostgreSQL of this machine may be named by the directory of its Unix socket, as libpq has it: `?host=/run/postgresql`. */
export function readAddress(text: string): { url: string; path?: string } {
  const url = new URL(text);
  const directory = url.searchParams.get('host');
  if (!directory?.startsWith('/')) return { url: text };
  url.searchParams.delete('host');
  return { url: url.href, path: join(directory, `.s.PGSQL.${url.port || DEFAULT_PORT}`) };
}

/** Codes, and classes of codes, that say that the database is away, overloaded or read-only, or what is asked for locked. */
const UNAVAILABLE =
  /^(CONNECT_TIMEOUT|CONNECTION_\w+|ECONN\w+|E(HOST|NET)UNREACH|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ENOENT|EPIPE|(08|53|57|58)...|25006|55P03)$/;

/** Whether an error says that the database is away or overloaded, rather than that the statement is wrong. */
export function isUnavailable(error: unknown): boolean {
  return hasCode(error) && UNAVAILABLE.test(error.code);
}

export function isUniqueViolation(error: unknown): boolean {
  return hasCode(error) && error.code === '23505';
}

export function isForeignKeyViolation(error: unknown): boolean {
  return hasCode(error) && error.code === '23503';
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
