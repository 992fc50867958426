import type { Sql } from './connection.ts';

type Build = (sql: Sql) => PromiseLike<unknown>;
export type Run = (build: Build) => PromiseLike<unknown>;

/**
 * What statements are written with, wherever they run: their text as a template, and what they are made of, such as names,
 * lists of rows and JSON parameters, as `parts` of postgres.js have it.
 */
export function statementsFor(run: Run, parts: Sql) {
  const tag = (first: TemplateStringsArray | object | string, ...rest: never[]) =>
    typeof first === 'object' && 'raw' in first
      ? new Statement(run, first as TemplateStringsArray, rest)
      : parts(first as never, ...rest);
  const unsafe = (text: string, parameters: never[] = []) =>
    run((sql) => collecting(sql.unsafe(text, parameters)));
  return Object.assign(tag, { json: parts.json, unsafe });
}

interface Query extends PromiseLike<unknown> {
  /** What postgres.js keeps of what it was given. */
  args: readonly unknown[];
  parameters: readonly unknown[];
  /** Starts it; what it resolves to then has no rows but those that the function puts there. */
  forEach(take: (row: unknown, answer: unknown[]) => void): unknown;
}

const NOTHING: readonly unknown[] = [];

/**
 * Left to itself postgres.js counts on where a statement has failed amid its rows: the next answer on the connection
 * would begin with as many holes (its issues 1119 and 1181).
 */
function collecting<Q extends Pick<Query, 'forEach'>>(query: Q): Q {
  query.forEach(collect);
  return query;
}

function collect(row: unknown, answer: unknown[]): void {
  answer.push(row);
}

/**
 * A statement that is bound to no connection yet. As in postgres.js it runs when it is first awaited, once; inside
 * another statement it is a part of that one.
 */
class Statement implements PromiseLike<unknown> {
  readonly #run: Run;
  readonly #strings: TemplateStringsArray;
  readonly #parameters: readonly unknown[];
  #answer: PromiseLike<unknown> | undefined;

  constructor(run: Run, strings: TemplateStringsArray, parameters: readonly unknown[]) {
    this.#run = run;
    this.#strings = strings;
    this.#parameters = parameters;
  }

  // biome-ignore lint/suspicious/noThenProperty: to await a statement is to run it
  then<T, E>(
    onAnswer?: ((answer: unknown) => T | PromiseLike<T>) | null,
    onError?: ((error: unknown) => E | PromiseLike<E>) | null,
  ): Promise<T | E> {
    this.#answer ??= this.#run((sql) => this.#send(sql));
    return this.#answer.then(onAnswer, onError) as Promise<T | E>;
  }

  catch<E>(onError: (error: unknown) => E | PromiseLike<E>): Promise<unknown> {
    return this.then(undefined, onError);
  }

  /**
   * V8 puts functions that are assigned to properties among its old objects at once, and what they refer to lives as
   * long as they do. Queries of postgres.js have two of them each: unless they forgot what they were given, all
   * parameters of all statements would be copied by every collection of the young.
   */
  async #send(sql: Sql): Promise<unknown> {
    const queries: Query[] = [];
    try {
      return await collecting(this.#build(sql, queries));
    } finally {
      for (const query of queries) Object.assign(query, { args: NOTHING, parameters: NOTHING });
    }
  }

  #build(sql: Sql, queries: Query[]): Query {
    const parameters = this.#parameters.map((parameter) =>
      parameter instanceof Statement ? parameter.#build(sql, queries) : parameter,
    );
    const query = sql(this.#strings, ...(parameters as never[])) as unknown as Query;
    queries.push(query);
    return query;
  }
}
