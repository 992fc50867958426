import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '../errors.ts';
import type { Connection } from './connection.ts';
import type { Host } from './failover/hosts.ts';

type Lendable = Pick<Connection, 'isLost' | 'host' | 'close'>;

export interface PoolOptions {
  size: number;
  /** How many ticks a caller waits for a connection before being refused with 503. */
  waitTimeoutTicks: number;
}

/** The size of the pool, the use of its connections, and the number of waiting callers. */
export interface PoolUse {
  size: number;
  lent: number;
  idle: number;
  waiting: number;
}

/** A connection used by several callers at once. */
interface Sharing<C> {
  lending: Promise<C>;
  users: number;
  /** Once it is lent. */
  connection?: C;
}

const DRAINING_MS = 20;
/** For this many ticks after a wait has timed out, others may time out as well. */
const OBSTRUCTED_TICKS = 8;

interface Waiting<C> {
  grant: (connection: C) => void;
  refuse: (error: Error) => void;
  sinceTick: number;
}

/**
 * Connections, lent to one user at a time, first come, first served. No statement queues behind another
 * caller's on the same connection, except on shared ones; and a caller that waits too long for a connection
 * is refused.
 */
export class Pool<C extends Lendable = Connection> {
  readonly #open: (address: string) => C;
  readonly #options: PoolOptions;
  readonly #idle: C[] = [];
  /** Lent connections, with the tick at which each was lent. */
  readonly #lent = new Map<C, number>();
  readonly #outdated = new WeakSet<C>();
  #waiting: Waiting<C>[] = [];
  /** By host address; empty for any host. */
  readonly #sharings = new Map<string, Sharing<C>>();
  #isClosed = false;
  #isHeld = false;
  #isSuspended = false;
  #ticks = 0;
  #obstructedAtTick = Number.NEGATIVE_INFINITY;

  /** @param open opens a connection to the host with this address, or to any host if it is empty */
  constructor(open: (address: string) => C, options: PoolOptions) {
    this.#open = open;
    this.#options = options;
  }

  get use(): PoolUse {
    const [lent, idle, waiting] = [this.#lent.size, this.#idle.length, this.#waiting.length];
    return { size: this.#options.size, lent, idle, waiting };
  }

  /** Whether connections to this host are in use. */
  isLendingAt(host: Host): boolean {
    return this.#lent.keys().some((connection) => mayBeAt(connection, host));
  }

  /** A caller has just timed out waiting for a connection, or {@link noteObstruction} was called. */
  get isObstructed(): boolean {
    return this.#ticks - this.#obstructedAtTick < OBSTRUCTED_TICKS;
  }

  noteObstruction(): void {
    this.#obstructedAtTick = this.#ticks;
  }

  async lend<T>(use: (connection: C) => Promise<T>): Promise<T> {
    const connection = this.#take() ?? (await this.#wait());
    try {
      return await use(connection);
    } finally {
      this.#giveBack(connection);
    }
  }

  /**
   * Lends the same connection to concurrent callers: their statements are pipelined, so that the database begins the next as
   * soon as it has finished the previous one, before its response has been read.
   *
   * @param address of a host with its own shared connection, opened beyond the pool's size if all are lent, so that it does
   * not wait for callers of another host; empty or unknown for any host
   */
  async share<T>(use: (connection: C) => Promise<T>, address = ''): Promise<T> {
    if (this.#isSuspended) throw unavailable();
    let sharing = this.#sharings.get(address);
    const shared = sharing?.connection;
    if (!sharing || (shared && (this.#isHeld || this.#isOver(shared)))) {
      sharing = { lending: Promise.resolve(this.#take(address) ?? this.#wait()), users: 0 };
      this.#sharings.set(address, sharing);
    }
    sharing.users++;
    try {
      const connection = await sharing.lending;
      sharing.connection = connection;
      this.#lent.set(connection, this.#ticks);
      return await use(connection);
    } finally {
      sharing.users--;
      if (sharing.users === 0) this.#endSharing(address, sharing);
    }
  }

  /** Called at regular intervals; refuses callers that have waited too long. */
  tick(): void {
    this.#ticks++;
    while (this.#waiting[0] && this.#ticks - this.#waiting[0].sinceTick > this.#options.waitTimeoutTicks) {
      this.#waiting.shift()?.refuse(unavailable());
      this.noteObstruction();
    }
  }

  /** Pauses lending: new callers wait as for a free connection. Connections in use stay valid. */
  hold(): void {
    this.#isHeld = true;
  }

  /**
   * Refuses all callers at once: nothing decided before may run after `release`. Resolves when nothing is in
   * progress; existing connections are not reused afterwards.
   */
  async suspend(): Promise<void> {
    this.#isSuspended = true;
    for (const { refuse } of this.#waiting.splice(0)) refuse(unavailable());
    while (this.#lent.size > 0) await pause(DRAINING_MS);
    this.renew();
  }

  /** Resumes lending, first to waiting callers. */
  release(): void {
    this.#isHeld = false;
    this.#isSuspended = false;
    while (this.#waiting.length > 0) {
      const connection = this.#take();
      if (!connection) return;
      this.#waiting.shift()?.grant(connection);
    }
  }

  /**
   * Closes connections lent for at least this many ticks: their users get an error, others a new connection.
   */
  closeLentFor(ticks: number, host: Host): void {
    for (const [connection, since] of this.#lent)
      if (this.#ticks - since >= ticks && mayBeAt(connection, host)) void connection.close(0);
  }

  /** Prevents the reuse of existing connections to this host. */
  closeIdle(host: Host): void {
    for (const connection of this.#idle) if (mayBeAt(connection, host)) void connection.close(0);
  }

  /** Replaces every connection once it is free, so that they spread over the hosts again. */
  renew(): void {
    for (const connection of this.#idle) void connection.close(0);
    for (const connection of this.#lent.keys()) this.#outdated.add(connection);
  }

  async close(timeoutSeconds: number): Promise<void> {
    this.#isClosed = true;
    for (const { refuse } of this.#waiting) refuse(unavailable());
    this.#waiting = [];
    const all = [...this.#idle, ...this.#lent.keys()];
    await Promise.all(all.map((connection) => connection.close(timeoutSeconds)));
  }

  /**
   * Takes the most recently used connection: its prepared statements are warm, and unneeded connections are never opened.
   */
  #take(address = ''): C | undefined {
    if (this.#isClosed) throw unavailable('service.stopping');
    if (this.#isSuspended) throw unavailable();
    if (this.#isHeld) return undefined;
    if (address === '' && this.#lent.size >= this.#options.size) return undefined;
    let connection = this.#takeIdle(address);
    while (connection?.isLost) connection = this.#takeIdle(address);
    if (!connection) {
      if (this.#isFull) void this.#idle.shift()?.close(0);
      connection = this.#open(address);
    }
    this.#lent.set(connection, this.#ticks);
    return connection;
  }

  get #isFull(): boolean {
    return this.#lent.size + this.#idle.length >= this.#options.size;
  }

  #takeIdle(address: string): C | undefined {
    if (address === '') return this.#idle.pop();
    const index = this.#idle.findLastIndex(({ host }) => host?.address === address);
    return index < 0 ? undefined : this.#idle.splice(index, 1)[0];
  }

  #wait(): Promise<C> {
    return new Promise((grant, refuse) => this.#waiting.push({ grant, refuse, sinceTick: this.#ticks }));
  }

  #endSharing(address: string, sharing: Sharing<C>): void {
    if (this.#sharings.get(address) === sharing) this.#sharings.delete(address);
    if (sharing.connection) this.#giveBack(sharing.connection);
  }

  #giveBack(connection: C): void {
    this.#lent.delete(connection);
    if (this.#isOver(connection) || this.#isFull) void connection.close(0);
    else if (!this.#isClosed) this.#idle.push(connection);
    if (this.#isClosed || this.#isHeld || this.#isSuspended || this.#waiting.length === 0) return;
    const next = this.#take();
    if (next) this.#waiting.shift()?.grant(next);
  }

  #isOver(connection: C): boolean {
    return connection.isLost || this.#outdated.has(connection);
  }
}

/** A connection that is being opened may be to any host. */
function mayBeAt({ host }: Lendable, asked: Host): boolean {
  return host === undefined || host === asked;
}
