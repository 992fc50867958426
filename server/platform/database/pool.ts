import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '../errors.ts';
import type { Connection } from './connection.ts';
import type { Host } from './failover/hosts.ts';
import { WaitingCallers } from './waiting-callers.ts';

type Lendable = Pick<Connection, 'isLost' | 'host' | 'open' | 'close'>;

export interface PoolOptions {
  size: number;
  /** How long a caller waits for a connection before being refused with 503; nothing of it has been sent then. */
  waitTimeoutMs: number;
  /** How long one waits that has written already: as long as a statement may take. */
  longestWaitMs: number;
}

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
  /** Since when its users have waited for the next answer: who joins them does not change it. */
  sinceTick: number;
  /** Once it is there. */
  connection?: C;
}

const DRAINING_MS = 20;

/**
 * Connections, lent to one user at a time, first come, first served. No statement queues behind another
 * caller's on the same connection, except on shared ones; and a caller that waits too long for a connection
 * is refused.
 */
export class Pool<C extends Lendable = Connection> {
  readonly #open: (address: string) => C | undefined;
  readonly #options: PoolOptions;
  readonly #opening = new Set<C>();
  readonly #idle: C[] = [];
  /** Lent connections, with the tick at which each was lent. */
  readonly #lent = new Map<C, number>();
  readonly #outdated = new WeakSet<C>();
  readonly #waiting = new WaitingCallers<C>();
  /** By host address; empty for any host. */
  readonly #sharings = new Map<string, Sharing<C>>();
  #isClosed = false;
  #isHeld = false;
  #isSuspended = false;
  #ticks = 0;

  /**
   * @param open begins to open a connection to the host with this address, or to any host if it is empty; returns undefined
   * while there may be no further one, and throws if no host can be used
   */
  constructor(open: (address: string) => C | undefined, options: PoolOptions) {
    this.#open = open;
    this.#options = options;
  }

  get use(): PoolUse {
    const [lent, idle, waiting] = [this.#lent.size, this.#idle.length, this.#waiting.count];
    return { size: this.#options.size, lent, idle, waiting };
  }

  get isInUse(): boolean {
    return this.#lent.size + this.#opening.size + this.#waiting.count > 0 || this.#isSharing;
  }

  /** @param waitMs how long a caller waits that is no request */
  async lend<T>(use: (connection: C) => Promise<T>, waitMs?: number): Promise<T> {
    const connection = this.#take() ?? (await this.#wait(waitMs));
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
   * @param hostAddress of a host with its own shared connection, kept beside the pool's, so that it does not wait for callers of
   * another host; empty for any host
   */
  async share<T>(use: (connection: C) => Promise<T>, hostAddress = ''): Promise<T> {
    if (this.#isClosed) throw unavailable('service.stopping');
    if (this.#isSuspended) throw unavailable();
    const address = this.#isHeld ? '' : hostAddress;
    let sharing = this.#sharings.get(address);
    const shared = sharing?.connection;
    const isLate = address === '' && shared?.host?.isLate === true;
    if (!sharing || (shared && (this.#isHeld || isLate || this.#isOver(shared)))) {
      sharing = this.#beginSharing(address);
    }
    if (sharing.users++ === 0) sharing.sinceTick = this.#ticks;
    try {
      sharing.connection ??= await this.#inTime(sharing.lending);
      return await use(sharing.connection);
    } finally {
      sharing.users--;
      sharing.sinceTick = this.#ticks;
      if (sharing.users === 0) this.#endSharing(address, sharing);
    }
  }

  /** Called at regular intervals; refuses callers that have waited too long. */
  tick(): void {
    this.#ticks++;
    this.#waiting.refuseLate();
    this.#openMore();
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
    this.#waiting.refuseAll(unavailable());
    while (this.#lent.size > 0 || this.#isSharing) await pause(DRAINING_MS);
    this.#renew();
  }

  release(): void {
    this.#isHeld = false;
    this.#isSuspended = false;
    this.#serve();
  }

  /**
   * Closes connections that were lent, or whose users have waited for the next answer, for at least this many ticks: their
   * users get an error, others a new connection.
   */
  closeLentFor(ticks: number): void {
    const shared = this.#sharings.values().filter(({ users }) => users > 0);
    const used = new Map<C | undefined, number>(this.#lent);
    for (const { connection, sinceTick } of shared) used.set(connection, sinceTick);
    for (const [connection, since] of used) if (this.#ticks - since >= ticks) void connection?.close(0);
  }

  /** Gives up one connection to this host, as soon as it is free. */
  leave(host: Host): void {
    const idle = this.#idle.find((one) => one.host === host && !one.isLost);
    if (idle) return void idle.close(0);
    const lent = this.#lent.keys().find((one) => one.host === host && !this.#isOver(one));
    if (lent) this.#outdated.add(lent);
  }

  async close(timeoutSeconds: number): Promise<void> {
    this.#isClosed = true;
    this.#waiting.refuseAll(unavailable());
    await Promise.all(this.#all().map((connection) => connection.close(timeoutSeconds)));
  }

  /**
   * The most recently used connection: its prepared statements are warm, and unneeded ones are never opened. One to a host
   * that is late comes last.
   */
  #take(): C | undefined {
    if (this.#isClosed) throw unavailable('service.stopping');
    if (this.#isSuspended) throw unavailable();
    if (this.#isHeld) return undefined;
    for (let i = this.#idle.length - 1; i >= 0; i--) {
      const one = this.#idle[i] as C;
      if (this.#isOver(one)) this.#idle.splice(i, 1);
      else if (!one.host?.isLate) return this.#lendIdle(i);
    }
    return this.#idle.length === 0 ? undefined : this.#lendIdle(this.#idle.length - 1);
  }

  #lendIdle(index: number): C {
    const [connection] = this.#idle.splice(index, 1) as [C];
    this.#lent.set(connection, this.#ticks);
    return connection;
  }

  #wait(waitMs = this.#options.waitTimeoutMs): Promise<C> {
    const granted = this.#waiting.wait(waitMs, this.#options.longestWaitMs);
    this.#openMore();
    return granted;
  }

  #openMore(): void {
    if (this.#isClosed || this.#isHeld || this.#isSuspended) return;
    while (this.#waiting.count > this.#opening.size && !this.#isFull) {
      try {
        const connection = this.#open('');
        if (!connection) return;
        void this.#openOne(connection);
      } catch (error) {
        if (this.#lent.size + this.#opening.size === 0) this.#waiting.refuseAll(error);
        return;
      }
    }
  }

  async #openOne(connection: C): Promise<void> {
    this.#opening.add(connection);
    try {
      await connection.open();
      this.#opening.delete(connection);
      this.#keep(connection);
    } catch {
      this.#opening.delete(connection);
      this.#openMore();
    }
  }

  get #isSharing(): boolean {
    return this.#sharings.values().some(({ users }) => users > 0);
  }

  get #isFull(): boolean {
    return this.#lent.size + this.#idle.length + this.#opening.size >= this.#options.size;
  }

  #beginSharing(address: string): Sharing<C> {
    const lending = address === '' ? Promise.resolve(this.#take() ?? this.#wait()) : this.#openFor(address);
    const sharing: Sharing<C> = { lending, users: 0, sinceTick: this.#ticks };
    this.#sharings.set(address, sharing);
    return sharing;
  }

  /** Opens a connection beside the pool's; its callers may have been refused by the time it is open. */
  #openFor(address: string): Promise<C> {
    const connection = this.#open(address);
    if (!connection) throw unavailable();
    const lending = connection.open().then(() => {
      const sharing = this.#sharings.get(address);
      if (this.#isClosed || sharing?.lending !== lending) {
        void connection.close(0);
        throw unavailable();
      }
      sharing.connection = connection;
      return connection;
    });
    lending.catch(() => {
      if (this.#sharings.get(address)?.lending === lending) this.#sharings.delete(address);
    });
    return lending;
  }

  /** Nothing has been sent while a connection is being opened. */
  #inTime<T>(lending: Promise<T>): Promise<T> {
    const { promise: late, reject } = Promise.withResolvers<T>();
    const timer = setTimeout(() => reject(unavailable()), this.#options.waitTimeoutMs);
    return Promise.race([lending, late]).finally(() => clearTimeout(timer));
  }

  #endSharing(address: string, { connection, lending }: Sharing<C>): void {
    const isCurrent = this.#sharings.get(address)?.lending === lending;
    if (address === '') {
      if (isCurrent) this.#sharings.delete(address);
      // It may come after all who waited for it have been refused.
      return void lending.then((lent) => this.#giveBack(lent)).catch(() => {});
    }
    if (!connection || (isCurrent && !this.#isOver(connection) && !this.#isClosed)) return;
    if (isCurrent) this.#sharings.delete(address);
    void connection.close(0);
  }

  #giveBack(connection: C): void {
    this.#lent.delete(connection);
    this.#keep(connection);
  }

  #keep(connection: C): void {
    if (this.#isClosed || this.#isOver(connection)) void connection.close(0);
    else this.#idle.push(connection);
    this.#serve();
  }

  #serve(): void {
    if (this.#isClosed || this.#isHeld || this.#isSuspended) return;
    while (this.#waiting.count > 0) {
      const connection = this.#take();
      if (!connection) break;
      this.#waiting.grant(connection);
    }
    this.#openMore();
  }

  #isOver(connection: C): boolean {
    return connection.isLost || this.#outdated.has(connection);
  }

  #all(): C[] {
    const shared = [...this.#sharings.values()].flatMap(({ connection }) => connection ?? []);
    return [...new Set([...this.#opening, ...this.#idle, ...this.#lent.keys(), ...shared])];
  }

  #renew(): void {
    for (const connection of this.#all()) {
      this.#outdated.add(connection);
      if (!this.#lent.has(connection)) void connection.close(0);
    }
    this.#sharings.clear();
  }
}
