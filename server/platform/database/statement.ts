import type { Sql } from './connection.ts';

type Build = (sql: Sql) => PromiseLike<unknown>;
type Run = (build: Build) => Promise<unknown>;

/**
 * A statement that is bound to no connection yet. As in postgres.js it runs when it is first awaited, once; inside
 * another statement it is a part of that one.
 */
export class Statement implements PromiseLike<unknown> {
  readonly #run: Run;
  readonly #strings: TemplateStringsArray;
  readonly #parameters: readonly unknown[];
  #answer: Promise<unknown> | undefined;

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
    this.#answer ??= this.#run((sql) => this.#build(sql));
    return this.#answer.then(onAnswer, onError) as Promise<T | E>;
  }

  catch<E>(onError: (error: unknown) => E | PromiseLike<E>): Promise<unknown> {
    return this.then(undefined, onError);
  }

  #build(sql: Sql): PromiseLike<unknown> {
    const parameters = this.#parameters.map((parameter) =>
      parameter instanceof Statement ? parameter.#build(sql) : parameter,
    );
    return sql(this.#strings, ...(parameters as never[]));
  }
}
