import { Socket } from 'node:net';
import { Client, type ClientConfig, DatabaseError, type QueryArrayResult } from 'pg';
import { type RowList, toRows } from './rows.ts';
import { createSql, type Send, type Sql, type Text } from './statement.ts';
import { encode, type Value } from './values.ts';

/** The tag for statements of one transaction; a type of its own, so that the pool is not taken for one. */
export type Transaction = Sql & { readonly [ofTransaction]: true };
declare const ofTransaction: unique symbol;

export interface ConnectionWatcher {
  /** Told of every statement as it is sent. */
  onStatement?: ((text: string, values: readonly Value[]) => void) | undefined;
  /** Told at once when the connection has ended, whichever side ended it. */
  onLost?: (() => void) | undefined;
}

export type ConnectionOptions = ClientConfig & { connectionTimeoutMillis: number };

/**
 * One connection, opened by its first statement; once lost it stays lost. Of several statements at one time each is sent
 * at once and run in its turn; a transaction needs it for itself.
 */
export class Connection {
  /** Its statements. */
  readonly sql: Sql = createSql((text, values) => this.send(text, values));
  readonly #client: Client;
  readonly #socket = new Socket();
  readonly #connectionTimeoutMillis: number;
  readonly #watcher: ConnectionWatcher;
  #isOpen = false;
  #lockTimeoutMs = 0;
  /** Why nothing more can be sent. */
  #loss: Error | undefined;
  /** Rejects the transaction under way, which may be between two statements. */
  #abandon: ((error: Error) => void) | undefined;

  constructor({ connectionTimeoutMillis, ...config }: ConnectionOptions, watcher: ConnectionWatcher = {}) {
    this.#connectionTimeoutMillis = connectionTimeoutMillis;
    this.#watcher = watcher;
    this.#client = new Client({ ...config, pipeline: true, stream: () => this.#socket });
    this.#client.on('error', (error) => this.#lose(connectionLost(error)));
    this.#socket.once('close', () => {
      this.#lose();
      watcher.onLost?.();
    });
  }

  get isLost(): boolean {
    return this.#loss !== undefined;
  }

  /** How long statements wait for a lock from now on; 0 as long as they may run. Goes ahead of the next one, unwaited for. */
  limitLockWaits(timeoutMs: number): void {
    if (this.#lockTimeoutMs === timeoutMs || this.#loss) return;
    this.#lockTimeoutMs = timeoutMs;
    this.send({ text: `set lock_timeout = ${timeoutMs}` }).catch(() => this.#lose());
  }

  send({ text, name }: Text, values: readonly Value[] = []): Promise<RowList> {
    return new Promise((resolve, reject) => {
      if (this.#loss) return reject(this.#loss);
      const encoded = values.map(encode);
      if (!this.#isOpen) this.#open();
      this.#watcher.onStatement?.(text, values);
      this.#client.query(
        { text, name, values: encoded, rowMode: 'array' },
        (error: Error | null, answer: QueryArrayResult | QueryArrayResult[]) => {
          if (error) reject(this.#explain(error));
          else resolve(toRows(Array.isArray(answer) ? (answer.at(-1) as QueryArrayResult) : answer));
        },
      );
    });
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
      // Of statements sent at once, one that came after the failed one may be heard of first.
      throw isAborted(error) ? failure : error;
    }
    isOver = true;
    const { command } = await this.#end('commit');
    if (command !== 'COMMIT')
      throw new Error('a statement of the transaction had failed, and nothing was committed');
    return result;
  }

  /** Refused, as when it is cancelled, it may leave the transaction open: nobody else may get this connection. */
  async #end(text: 'commit' | 'rollback'): Promise<RowList> {
    try {
      return await this.send({ text });
    } catch (error) {
      this.#lose();
      throw error;
    }
  }

  /** Lets the statements under way end, for as long as the timeout allows. */
  async close(timeoutSeconds: number): Promise<void> {
    if (this.#isOpen && !this.isLost && timeoutSeconds > 0) {
      this.#loss = connectionLost();
      const timeout = setTimeout(() => this.#socket.destroy(), timeoutSeconds * 1000);
      await this.#client.end();
      clearTimeout(timeout);
    }
    this.#lose();
  }

  #open(): void {
    this.#isOpen = true;
    const timeout = setTimeout(
      () => this.#socket.destroy(withCode('CONNECT_TIMEOUT', 'the database did not take the connection')),
      this.#connectionTimeoutMillis,
    );
    this.#client.connect((error: Error | null) => {
      clearTimeout(timeout);
      if (error) this.#lose(error);
    });
  }

  /** Statements under way fail as soon as the socket is gone. */
  #lose(loss = connectionLost()): void {
    this.#loss ??= loss;
    this.#abandon?.(this.#loss);
    this.#socket.destroy();
  }

  #explain(error: Error): Error {
    if (!(error instanceof DatabaseError)) return this.#loss ?? error;
    if (!isFatal(error) && !isUnprepared(error)) return error;
    this.#lose(connectionLost(error));
    return isFatal(error) ? error : connectionLost(error);
  }
}

/** PostgreSQL refuses what follows a failed statement in its transaction. */
function isAborted(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '25P02';
}

/** PostgreSQL's last word on the connection. */
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

function connectionLost(cause?: Error): Error {
  return withCode('CONNECTION_CLOSED', 'the connection to the database was lost', cause);
}

function withCode(code: string, message: string, cause?: Error): Error {
  return Object.assign(new Error(message, { cause }), { code });
}
