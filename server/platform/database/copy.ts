import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { Client, QueryResultRow } from 'pg';
import { from, to } from 'pg-copy-streams';
import { type Connected, connect } from './connect.ts';
import { Hosts } from './failover/hosts.ts';

export interface CopyOptions {
  url: string;
  /** The name of the session in `pg_stat_activity`. */
  name: string;
  /** Ends the connection, whatever it is doing. */
  signal: AbortSignal;
}

/**
 * One connection for bulk work with COPY, which the pool does not offer. One statement at a time, without a time limit: the
 * caller's signal cancels it, and the database then releases its snapshot and locks.
 */
export class CopyConnection implements AsyncDisposable {
  readonly #client: Client;
  readonly #socket: Socket;
  readonly #signal: AbortSignal;
  readonly #cutOff = () => void this.#socket.destroy();

  private constructor({ client, socket }: Connected, signal: AbortSignal) {
    this.#client = client;
    this.#socket = socket;
    this.#signal = signal;
    signal.addEventListener('abort', this.#cutOff, { once: true });
  }

  static async open({ url, name, signal }: CopyOptions): Promise<CopyConnection> {
    const connection = new CopyConnection(
      await connect(new Hosts(url), { application_name: name }, { signal }),
      signal,
    );
    await connection.rows(
      'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0',
    );
    // Ends even a waiting or sorting statement soon after its client disconnects; not every system supports
    // it.
    await connection.rows("set client_connection_check_interval = '1s'").catch(() => {});
    return connection;
  }

  async rows<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]> {
    this.#signal.throwIfAborted();
    return (await this.#client.query<Row>(text, values)).rows;
  }

  /**
   * Reads the output of `COPY … TO STDOUT`, with backpressure.
   *
   * @returns the number of rows
   */
  async copyOut(text: string, take: (chunk: Buffer) => Promise<void> | void): Promise<number> {
    this.#signal.throwIfAborted();
    const stream = this.#client.query(to(text));
    try {
      for await (const chunk of stream) await take(chunk);
    } catch (error) {
      // Unread data would come before the answer to every later statement.
      this.#cutOff();
      throw error;
    }
    // The count follows the last byte, so it has arrived once another statement is answered.
    await this.rows('select 1');
    return stream.rowCount;
  }

  /** Feeds `COPY … FROM STDIN`, with backpressure. */
  async copyIn(text: string, source: AsyncIterable<Buffer>): Promise<void> {
    this.#signal.throwIfAborted();
    await pipeline(source, this.#client.query(from(text)));
  }

  /** Commits the writes of `work`, or rolls all of them back. */
  async transaction<T>(mode: string, work: () => Promise<T>): Promise<T> {
    await this.rows(`begin ${mode}`);
    try {
      const done = await work();
      await this.rows('commit');
      return done;
    } catch (error) {
      // If that fails, closing the connection rolls back.
      await this.rows('rollback').catch(() => {});
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#signal.removeEventListener('abort', this.#cutOff);
    await this.#client.end();
  }
}
