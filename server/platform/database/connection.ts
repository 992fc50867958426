import postgres from 'postgres';

export type Options = postgres.Options<{ bigint: postgres.PostgresType<number> }>;
export type Sql = postgres.Sql<{ bigint: number }>;
export type Transaction = postgres.TransactionSql<{ bigint: number }>;

/**
 * One connection, opened by its first statement, with one user at a time; once lost it is thrown away. postgres.js
 * keeps lost connections instead, with three faults that this class is there for: a statement of a transaction whose
 * connection has closed ends the process, a statement that starts between a socket's error and its close is never
 * answered, and a connection that closes with something unwritten never writes again.
 */
export class Connection {
  readonly #sql: Sql;
  #isLost = false;
  #onLost = (_error: Error) => {};

  constructor(url: string, options: Options) {
    this.#sql = postgres(url, { ...options, max: 1, onclose: () => this.#lose() });
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  run<T>(work: (sql: Sql) => PromiseLike<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#onLost = reject;
      work(this.#sql).then(resolve, reject);
    });
  }

  transact<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.run(async (sql) => {
      const result = await sql.begin(async (tx) => {
        try {
          return { value: await work(this.#guard(tx)) };
        } finally {
          // A commit or rollback now would be written to a socket that is gone; `run` has rejected already.
          if (this.#isLost) await new Promise(() => {});
        }
      });
      return result.value;
    });
  }

  /** Ends the connection once its statement is answered, or without an answer when that takes longer. */
  async end(timeoutSeconds: number): Promise<void> {
    await this.#sql.end({ timeout: timeoutSeconds });
    this.#lose();
  }

  #lose(): void {
    this.#isLost = true;
    this.#onLost(Object.assign(new Error('the connection to the database was lost'), { code: 'CONNECTION_CLOSED' }));
  }

  #guard(tx: Transaction): Transaction {
    const refuseWhenLost = () => {
      if (this.#isLost) throw Object.assign(new Error('the transaction was lost'), { code: 'CONNECTION_CLOSED' });
    };
    return new Proxy(tx, {
      apply(target, _this, args) {
        refuseWhenLost();
        return Reflect.apply(target, undefined, args);
      },
      get(target, name) {
        refuseWhenLost();
        return Reflect.get(target, name);
      },
    });
  }
}
