import type { Socket } from 'node:net';
import { type Client, type ClientConfig, DatabaseError, type QueryArrayResult } from 'pg';
import { connect } from './connect.ts';
import { connectionLost } from './connection-errors.ts';
import type { Host, Route } from './failover/hosts.ts';
import { type RowList, toRows } from './rows.ts';
import { createSql, type Send, type Sql, type Text } from './statement.ts';
import { encode, type Value } from './values.ts';

/** The driver's error for statements after the socket has failed; it has no code. */
const NOT_QUERYABLE = /is not queryable$/;

/** The tag for statements of one transaction; a separate type, so that the pool cannot be passed instead. */
export type Transaction = Sql & { readonly [ofTransaction]: true };
declare const ofTransaction: unique symbol;

export interface ConnectionWatcher {
  /** Called with every statement as it is sent. */
  onStatement?: ((text: string, values: readonly Value[]) => void) | undefined;
  /** Called at once when the connection has ended, whichever side closed it. */
  onLost?: (() => void) | undefined;
}

export interface ConnectionOptions extends ClientConfig {
  /** How long all hosts together may take to accept it; unlimited unless given. */
  connectionTimeoutMillis?: number;
}

/**
 * One connection, opened by its first statement, to the first host that accepts it; never reconnects. Concurrent statements
 * are pipelined; a transaction needs the connection exclusively.
 */
export class Connection {
  readonly sql: Sql = createSql((text, values) => this.send(text, values));
  readonly #route: Route;
  readonly #options: ConnectionOptions;
  readonly #watcher: ConnectionWatcher;
  #client: Client | undefined;
  #socket: Socket | undefined;
  #host: Host | undefined;
  /** Statements sent before it was open. */
  #unsent: (() => void)[] | undefined;
  #opening: Promise<void> | undefined;
  #lockTimeoutMs = 0;
  /** The reason why nothing more can be sent. */
  #loss: Error | undefined;
  readonly #closing = new AbortController();
  /** Rejects the transaction in progress, which may be between two statements. */
  #abandon: ((error: Error) => void) | undefined;

  constructor(route: Route, options: ConnectionOptions, watcher: ConnectionWatcher = {}) {
    this.#route = route;
    this.#options = options;
    this.#watcher = watcher;
  }

  /** The host, once the connection is open. */
  get host(): Host | undefined {
    return this.#host;
  }

  get isLost(): boolean {
    return this.#loss !== undefined;
  }

  /**
   * Sets how long further statements wait for a lock; 0 means until the statement timeout. Sent ahead of the next statement,
   * without waiting for the response.
   */
  limitLockWaits(timeoutMs: number): void {
    if (this.#lockTimeoutMs === timeoutMs || this.#loss) return;
    this.#lockTimeoutMs = timeoutMs;
    this.#set('lock_timeout', timeoutMs);
  }

  /** Sets after how long the database ends a transaction in which nothing happens: its process stands still, or is gone. */
  limitIdleTransactions(timeoutMs: number): void {
    this.#set('idle_in_transaction_session_timeout', timeoutMs);
  }

  #set(parameter: string, value: number): void {
    this.send({ text: `set ${parameter} = ${value}` }).catch(() => this.#lose());
  }

  send(statement: Text, values: readonly Value[] = []): Promise<RowList> {
    return new Promise((resolve, reject) => {
      if (this.#loss) return reject(this.#loss);
      const encoded = values.map(encode);
      this.#watcher.onStatement?.(statement.text, values);
      if (this.#client) return this.#submit(statement, encoded, resolve, reject);
      this.#opening ??= this.#connect();
      this.#unsent ??= [];
      this.#unsent.push(() => this.#submit(statement, encoded, resolve, reject));
    });
  }

  #submit(
    { text, name }: Text,
    values: unknown[],
    resolve: (rows: RowList) => void,
    reject: (error: Error) => void,
  ): void {
    if (this.#loss) return void reject(this.#loss);
    this.#client?.query(
      { text, name, values, rowMode: 'array' },
      (error: Error | null, answer: QueryArrayResult | QueryArrayResult[]) => {
        if (error) reject(this.#explain(error));
        else resolve(toRows(Array.isArray(answer) ? (answer.at(-1) as QueryArrayResult) : answer));
      },
    );
  }

  /** Resolves once it is open; the first statement opens it as well. */
  async open(): Promise<void> {
    this.#opening ??= this.#connect();
    await this.#opening;
    if (this.#loss) throw this.#loss;
  }

  /** Resolves when the database answers. */
  async ask(): Promise<void> {
    await this.send({ text: 'select 1' });
  }

  transact<T>(work: (tx: Transaction) => PromiseLike<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#abandon = reject;
      this.#commit(work).then(resolve, reject);
    }).finally(() => {
      this.#abandon = undefined;
    });
  }

  async #commit<T>(work: (tx: Transaction) => PromiseLike<T>): Promise<T> {
    await this.send({ text: 'begin' });
    let isOver = false;
    let failure: unknown;
    const send: Send = async (text, values) => {
      if (isOver) throw new Error('a statement came after the end of its transaction');
      try {
        return await this.send(text, values);
      } catch (error) {
        failure ??= error;
        throw error;
      }
    };
    let result: T;
    try {
      result = await work(createSql(send) as Transaction);
    } catch (error) {
      isOver = true;
      await this.#end('rollback');
      // Of pipelined statements, the failure of a later one may be reported first.
      throw isAborted(error) ? failure : error;
    }
    isOver = true;
    const { command } = await this.#end('commit');
    if (command !== 'COMMIT')
      throw new Error('a statement of the transaction had failed, and nothing was committed');
    return result;
  }

  /**
   * If it fails, for example when cancelled, the transaction may stay open: the connection must not be
   * reused.
   */
  async #end(text: 'commit' | 'rollback'): Promise<RowList> {
    try {
      return await this.send({ text });
    } catch (error) {
      this.#lose();
      throw error;
    }
  }

  /** Lets the statements in progress end, for as long as the timeout allows. */
  async close(timeoutSeconds: number): Promise<void> {
    if (this.#client && !this.isLost && timeoutSeconds > 0) {
      this.#loss = connectionLost();
      const timeout = setTimeout(() => this.#socket?.destroy(), timeoutSeconds * 1000);
      await this.#client.end();
      clearTimeout(timeout);
    }
    this.#lose();
  }

  async #connect(): Promise<void> {
    const { connectionTimeoutMillis: timeoutMs, ...config } = this.#options;
    const { signal } = this.#closing;
    try {
      const { client, socket, host } = await connect(
        this.#route,
        { ...config, pipeline: true },
        { timeoutMs, signal },
      );
      this.#client = client;
      this.#socket = socket;
      this.#host = host;
      client.on('error', (error) => this.#lose(connectionLost(error)));
      socket.once('close', () => {
        this.#lose();
        this.#watcher.onLost?.();
      });
      if (this.#loss || socket.destroyed) this.#lose();
    } catch (error) {
      this.#lose(error instanceof Error && !('code' in error) ? connectionLost(error) : (error as Error));
      this.#watcher.onLost?.();
    }
    for (const submit of this.#unsent ?? []) submit();
    this.#unsent = undefined;
  }

  /** Statements in progress fail as soon as the socket is closed. */
  #lose(loss = connectionLost()): void {
    this.#loss ??= loss;
    this.#abandon?.(this.#loss);
    this.#closing.abort();
    this.#socket?.destroy();
  }

  #explain(error: Error): Error {
    if (!(error instanceof DatabaseError)) {
      // A statement sent between the end of the socket and its event.
      if (NOT_QUERYABLE.test(error.message)) this.#lose(connectionLost(error));
      return this.#loss ?? error;
    }
    // The primary has become a standby: the next connection finds the new primary.
    if (error.code === '25006' && this.#route.mustTakeWrites) this.#lose();
    if (!isFatal(error) && !isUnprepared(error)) return error;
    this.#lose(connectionLost(error));
    return isFatal(error) ? error : connectionLost(error);
  }
}

/** PostgreSQL rejects statements after a failed one in the same transaction. */
function isAborted(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '25P02';
}

/** Whether PostgreSQL ended the connection with this error. */
function isFatal({ severity }: DatabaseError): boolean {
  return severity === 'FATAL' || severity === 'PANIC';
}

/**
 * The connection has not prepared the statement as needed: an earlier one with this name was cancelled while it
 * was prepared, or the types of its columns have changed since.
 */
function isUnprepared({ code, routine }: DatabaseError): boolean {
  return code === '26000' || code === '42P05' || routine === 'RevalidateCachedQuery';
}
