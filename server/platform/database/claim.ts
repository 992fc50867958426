import { setTimeout as pause } from 'node:timers/promises';
import { isRefusedOrAway, openConnection } from '../database.ts';
import type { Log } from '../log.ts';
import type { Connection } from './connection.ts';
import { withCode } from './connection-errors.ts';
import { findCoordinator } from './coordinator.ts';
import { isWantedByAnother, startServing, stopServing, untilServing } from './serving.ts';
import type { Sql } from './statement.ts';

/** Any number, as long as nothing else in this database uses it as a lock. */
export const CLAIM = 0x5061726c6579;
const ASK_EVERY_MS = 250;
const HEARTBEAT_MS = 1_000;
/** After so many heartbeats without an answer the session counts as lost. */
const SILENT_HEARTBEATS = 2;
/** A server that is stopping drains: its last delivery attempts take up to 10 s. */
const WAIT_TIMEOUT_MS = 15_000;

const TAKEN =
  'another Parley server uses this database, and quotas and live events are not shared without Redis: ' +
  'stop the other, or set REDIS_URL for both';

/** How long PostgreSQL may take to end a session. */
const ENDING_MS = 1_000;

interface Session {
  pid: number;
  startedAt: string;
}

export interface ClaimOptions {
  url: string;
  log: Log;
  /** The server shares its counters with others. */
  isShared: boolean;
  waitTimeoutMs?: number;
}

export interface Claimed {
  /** Stops serving until `release`, since another server may have claimed the database. */
  hold(): void;
  /** The same, refusing waiting requests at once; resolves when nothing is in progress any more. */
  suspend(): Promise<void>;
  /** Rereads the distribution of the tables, which may have changed; returns whether they are distributed. */
  learn(sql: Sql): Promise<boolean>;
  release(): void;
}

/**
 * A server's claim to its database: exclusive without Redis, shared among servers with Redis. It is a session lock, so that
 * it ends with the server, even after a crash. If the session ends before the server, no request is served until the claim
 * is made again; if another server was faster, {@link lost} resolves.
 *
 * On Citus such a lock exists on one node only: all servers take it on the coordinator, whichever nodes they connect to.
 * While that is unreachable nobody else can claim the database, and the server continues (decision 0058).
 */
export class Claim implements AsyncDisposable {
  readonly #options: ClaimOptions;
  readonly #lost = Promise.withResolvers<Error>();
  readonly #heartbeat: NodeJS.Timeout;
  #connection: Connection | undefined;
  #isDistributed = false;
  /** The claiming session, possibly ended. */
  #session: Session | undefined;
  #claimed: Claimed | undefined;
  #isHeld = false;
  #isEnding = false;
  #isAside = false;
  #silentHeartbeats = 0;

  constructor(options: ClaimOptions) {
    this.#options = options;
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS).unref();
  }

  /** Resolves when another server has claimed the database: this one must stop. */
  get lost(): Promise<Error> {
    return this.#lost.promise;
  }

  /** From now on the pool is paused while the claim is uncertain. */
  protect(claimed: Claimed): void {
    this.#claimed = claimed;
    if (!this.#isHeld && !this.#isDistributed) claimed.hold();
  }

  /** @throws Error when the other server has not stopped in time */
  async take(): Promise<void> {
    const { log, isShared, waitTimeoutMs = WAIT_TIMEOUT_MS } = this.#options;
    const until = performance.now() + waitTimeoutMs;
    try {
      for (let isFirst = true; !(await this.#try()); isFirst = false) {
        if (performance.now() >= until) throw new Error(TAKEN);
        if (isFirst) log.info('waiting for another server of this database to end');
        await pause(ASK_EVERY_MS);
      }
    } catch (error) {
      if (!this.#isDistributed || !isRefusedOrAway(error)) throw error;
      if (!isShared)
        throw withCode(
          'CONNECTION_REFUSED',
          `the coordinator of Citus is away, where a server without REDIS_URL claims the database: ${(error as Error).message}`,
        );
      log.warn('the coordinator of Citus is away: the database is claimed once it is back');
      void this.#retake();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnding = true;
    clearInterval(this.#heartbeat);
    await this.#connection?.close(1);
  }

  async #open(): Promise<Connection> {
    const { url, isDistributed } = await findCoordinator(this.#options.url);
    this.#isDistributed = isDistributed;
    const connection = openConnection(url, () => {
      if (connection === this.#connection) this.#lose();
    });
    return connection;
  }

  async #try(): Promise<boolean> {
    if (!this.#connection || this.#connection.isLost) this.#connection = await this.#open();
    const connection = this.#connection;
    this.#silentHeartbeats = 0;
    await this.#endForgotten(connection);
    const [row] = await connection.sql<(Session & { isTaken: boolean })[]>`
      select pid, backend_start::text as started_at,
        case when ${this.#options.isShared} then pg_try_advisory_lock_shared(${CLAIM}::bigint)
          else pg_try_advisory_lock(${CLAIM}::bigint) end as is_taken
      from pg_stat_activity where pid = pg_backend_pid()`;
    if (connection.isLost) throw new Error('the session ended as it claimed the database');
    this.#silentHeartbeats = 0;
    this.#session = row;
    if (row?.isTaken !== true) return false;
    if (!(await startServing(connection)))
      throw new Error('the tables are being distributed over a Citus cluster: start again once that is done');
    this.#isHeld = true;
    return true;
  }

  /** Otherwise our own session, which PostgreSQL still considers alive, would block the claim. */
  async #endForgotten({ sql }: Connection): Promise<void> {
    if (!this.#session) return;
    const { pid, startedAt } = this.#session;
    await sql`
      select pg_terminate_backend(pid, ${ENDING_MS}) from pg_stat_activity
      where pid = ${pid} and backend_start::text = ${startedAt} and pid <> pg_backend_pid()`;
    this.#session = undefined;
  }

  #lose(): void {
    if (!this.#isHeld || this.#isEnding) return;
    this.#isHeld = false;
    const { log } = this.#options;
    if (this.#isDistributed)
      log.warn('lost the session that claims the database on the coordinator of Citus: claiming it again');
    else {
      this.#claimed?.hold();
      log.error('lost the session that claims the database: nobody is served until it is claimed again');
    }
    void this.#retake();
  }

  async #retake(): Promise<void> {
    for (let reason = ''; !this.#isEnding; ) {
      try {
        if (!(await this.#try())) return this.#lost.resolve(new Error(TAKEN));
        await this.#continue(this.#connection as Connection);
        return this.#options.log.warn('claimed the database again');
      } catch (err) {
        const { message } = err as Error;
        if (message !== reason) this.#options.log.warn({ err }, 'the database cannot be claimed yet');
        reason = message;
        await pause(ASK_EVERY_MS);
      }
    }
  }

  /** A session may end silently, as when the network forgets its connection. */
  #beat(): void {
    if (this.#isAside) return;
    this.#silentHeartbeats++;
    if (this.#silentHeartbeats > SILENT_HEARTBEATS) {
      this.#silentHeartbeats = 0;
      void this.#connection?.close(0);
      this.#lose();
    } else if (this.#isHeld && this.#silentHeartbeats === 1) void this.#ask();
  }

  async #ask(): Promise<void> {
    const connection = this.#connection;
    if (!connection) return;
    try {
      const isWanted = await isWantedByAnother(connection);
      if (connection !== this.#connection) return;
      this.#silentHeartbeats = 0;
      if (isWanted) await this.#standAside(connection);
    } catch {
      if (connection === this.#connection) this.#lose();
    }
  }

  /** A conversion changes all tables: no request is served until it is done. */
  async #standAside(connection: Connection): Promise<void> {
    const { log } = this.#options;
    this.#isAside = true;
    try {
      log.warn('the tables are being distributed over a Citus cluster: nobody is served until that is done');
      await this.#claimed?.suspend();
      await stopServing(connection);
      await untilServing(connection);
      await this.#continue(connection);
      log.warn('the tables are free again: everybody is served');
    } finally {
      this.#isAside = false;
      this.#silentHeartbeats = 0;
    }
  }

  async #continue({ sql }: Connection): Promise<void> {
    if (!this.#claimed) return;
    this.#isDistributed = await this.#claimed.learn(sql);
    this.#claimed.release();
  }
}

/**
 * Claims the database for a server.
 *
 * @throws Error when another server has it and does not stop in time
 */
export async function claimDatabase(options: ClaimOptions): Promise<Claim> {
  const claim = new Claim(options);
  try {
    await claim.take();
    return claim;
  } catch (error) {
    await claim[Symbol.asyncDispose]();
    throw error;
  }
}
