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
  const unsafe = (text: string, parameters: never[] = []) => run((sql) => sql.unsafe(text, parameters));
  return Object.assign(tag, { json: parts.json, unsafe });
}

/** What postgres.js keeps in a query of what it was given. */
interface Query extends PromiseLike<unknown> {
  args: readonly unknown[];
  parameters: readonly unknown[];
}

const NOTHING: readonly unknown[] = [];

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
      return await this.#build(sql, queries);
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
