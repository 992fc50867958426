import postgres from 'postgres';
import { statementsFor } from './statement.ts';

/** How values of PostgreSQL types come and go: `bigint` holds epoch milliseconds and counts, as numbers. */
export type Mapped = { bigint: number };
export type Sql = postgres.Sql<Mapped>;
/** What the statements of one transaction are written with. Only a transaction is one, for the compiler. */
export type Transaction = postgres.ISql<Mapped> & { readonly [ofTransaction]: true };
declare const ofTransaction: unique symbol;
export type ConnectionOptions = postgres.Options<{ bigint: postgres.PostgresType<number> }>;

/**
 * One connection, opened by its first statement; once lost it stays lost. Of several statements at one time each is sent
 * at once and run in its turn; a transaction needs it for itself. postgres.js would go on with a lost one, and has three
 * faults there: a statement of a transaction whose connection has closed ends the process, one that starts between a
 * socket's error and its close is never answered, and a connection that closes with something unwritten never writes
 * again.
 */
export class Connection {
  readonly #sql: Sql;
  #isLost = false;
  #lockTimeoutMs = 0;
  /** How to tell those who wait for an answer that there will be none. */
  readonly #waiting = new Set<(error: Error) => void>();

  /** @param onLost is told at once when the other side ends it */
  constructor(url: string, options: ConnectionOptions, onLost = () => {}) {
    const onclose = () => {
      this.#lose();
      onLost();
    };
    this.#sql = postgres(url, { ...options, max: 1, onclose });
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** How long statements wait for a lock from now on; 0 as long as they may run. Goes ahead of the next one, unwaited for. */
  limitLockWaits(timeoutMs: number): void {
    if (this.#lockTimeoutMs === timeoutMs || this.#isLost) return;
    this.#lockTimeoutMs = timeoutMs;
    this.run((sql) => sql.unsafe(`set lock_timeout = ${timeoutMs}`)).catch(() => {
      this.#isLost = true;
    });
  }

  run<T>(work: (sql: Sql) => PromiseLike<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#isLost) return reject(connectionLost());
      this.#waiting.add(reject);
      work(this.#sql).then(
        (answer) => {
          this.#waiting.delete(reject);
          resolve(answer);
        },
        (error) => {
          this.#waiting.delete(reject);
          if (isFatal(error)) this.#isLost = true;
          reject(error);
        },
      );
    });
  }

  /** Resolves when the database answers. */
  async ask(): Promise<void> {
    await this.run((sql) => sql`select 1`);
  }

  /**
   * By statements of its own: `begin` of postgres.js makes a set of functions for each transaction, and assigns some of
   * them to properties, which V8 takes for old at once (see `Statement`).
   */
  transact<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.run(async (sql) => {
      await sql`begin`;
      const statements = statementsFor(
        (build) => (this.#isLost ? Promise.reject(connectionLost()) : build(sql)),
        sql,
      );
      const working = async () => work(statements as unknown as Transaction);
      const [worked] = await Promise.allSettled([working()]);
      // `run` has rejected already, and what would follow were sent on a new connection.
      if (this.#isLost) await new Promise(() => {});
      if (worked.status === 'rejected') {
        await this.#end(sql`rollback`);
        throw worked.reason;
      }
      const { command } = await this.#end(sql`commit`);
      if (command !== 'COMMIT')
        throw new Error('a statement of the transaction had failed, and nothing was committed');
      return worked.value;
    });
  }

  /** Refused, as when it is cancelled, it may leave the transaction open: nobody else may get this connection. */
  async #end<T>(statement: PromiseLike<T>): Promise<T> {
    try {
      return await statement;
    } catch (error) {
      this.#isLost = true;
      throw error;
    }
  }

  /** Lets the statement under way end, for as long as the timeout allows. */
  async close(timeoutSeconds: number): Promise<void> {
    await this.#sql.end({ timeout: timeoutSeconds });
    this.#lose();
  }

  #lose(): void {
    this.#isLost = true;
    for (const reject of this.#waiting) reject(connectionLost());
    this.#waiting.clear();
  }
}

function connectionLost(): Error {
  return Object.assign(new Error('the connection to the database was lost'), { code: 'CONNECTION_CLOSED' });
}

/** Whether an error ends its connection: one of the socket, or the server's last word on it. */
function isFatal(error: unknown): boolean {
  if (error instanceof postgres.PostgresError)
    return error.severity === 'FATAL' || error.severity === 'PANIC';
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall !== undefined || /^CONN/.test(code ?? '');
}
