import { setTimeout as pause } from 'node:timers/promises';
import { isRefusedOrAway, openConnection } from '../database.ts';
import type { Log } from '../log.ts';
import type { Connection } from './connection.ts';
import { findCoordinator } from './coordinator.ts';
import { isWantedByAnother, startServing, stopServing, untilServing } from './serving.ts';
import type { Sql } from './statement.ts';

/** Any number will do, as long as nothing else of this database is locked by it. */
export const CLAIM = 0x5061726c6579;
const ASK_EVERY_MS = 250;
const HEARTBEAT_MS = 1_000;
/** After so many heartbeats without an answer the session counts as lost. */
const SILENT_HEARTBEATS = 2;
/** A server that was told to stop drains: its last attempts take 10 s. */
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
  /** The server shares what it counts with others. */
  isShared: boolean;
  waitTimeoutMs?: number;
}

export interface Claimed {
  /** Nobody may be served until `release`: another server may have the database by now. */
  hold(): void;
  /** The same at once; resolves when nothing is under way any more. */
  suspend(): Promise<void>;
  /** The tables may have been distributed meanwhile; returns whether they are. */
  learn(sql: Sql): Promise<boolean>;
  release(): void;
}

/**
 * A server's claim to its database: exclusive without Redis, shared among servers with Redis. It is a
 * lock of a session, so that it ends with the server, however that ends. Should the session end before the server,
 * nothing is served until the claim is made again; if another server was quicker, {@link lost} says so.
 *
 * On Citus such a lock is of one node: all servers take it on the coordinator, wherever they enter. While that is away
 * nobody else can claim the database, and the server serves on (decision 0058).
 */
export class Claim implements AsyncDisposable {
  readonly #options: ClaimOptions;
  readonly #lost = Promise.withResolvers<Error>();
  readonly #heartbeat: NodeJS.Timeout;
  #connection: Connection | undefined;
  #isDistributed = false;
  /** The one that claims, or did. */
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

  /** Resolves when another server has the database: this one has to stop. */
  get lost(): Promise<Error> {
    return this.#lost.promise;
  }

  /** From now on this is held while the claim is not certain. */
  protect(claimed: Claimed): void {
    this.#claimed = claimed;
    if (!this.#isHeld && !this.#isDistributed) claimed.hold();
  }

  /** @throws Error when the other has not ended in time */
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
        throw new Error(
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

  /** A session of ours that PostgreSQL believes in, although this end has given it up, would be in the way. */
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
    while (!this.#isEnding) {
      try {
        if (!(await this.#try())) return this.#lost.resolve(new Error(TAKEN));
        await this.#goOn(this.#connection as Connection);
        return this.#options.log.warn('claimed the database again');
      } catch {
        await pause(ASK_EVERY_MS);
      }
    }
  }

  /** A session may end without a word, as when the network forgets its connection. */
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

  /** Somebody changes all tables: nobody is served until that is done. */
  async #standAside(connection: Connection): Promise<void> {
    const { log } = this.#options;
    this.#isAside = true;
    try {
      log.warn('the tables are being distributed over a Citus cluster: nobody is served until that is done');
      await this.#claimed?.suspend();
      await stopServing(connection);
      await untilServing(connection);
      await this.#goOn(connection);
      log.warn('the tables are free again: everybody is served');
    } finally {
      this.#isAside = false;
      this.#silentHeartbeats = 0;
    }
  }

  async #goOn({ sql }: Connection): Promise<void> {
    if (!this.#claimed) return;
    this.#isDistributed = await this.#claimed.learn(sql);
    this.#claimed.release();
  }
}

/**
 * Claims the database for a server.
 *
 * @throws Error when another has it and does not end in time
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
