import type { Sql } from './connection.ts';

type Build = (sql: Sql) => PromiseLike<unknown>;
type Run = (build: Build) => Promise<unknown>;

/** A statement that is not bound to a connection yet. It runs when it is first awaited, as in postgres.js. */
export class Statement implements PromiseLike<unknown> {
  readonly #run: Run;
  readonly #build: Build;
  #answer: Promise<unknown> | undefined;

  constructor(run: Run, build: Build) {
    this.#run = run;
    this.#build = build;
  }

  // biome-ignore lint/suspicious/noThenProperty: being awaited is what starts it
  then: Promise<unknown>['then'] = (onAnswer, onError) => this.#start().then(onAnswer, onError);
  catch: Promise<unknown>['catch'] = (onError) => this.#start().catch(onError);
  finally: Promise<unknown>['finally'] = (onEnd) => this.#start().finally(onEnd);

  #start(): Promise<unknown> {
    this.#answer ??= this.#run(this.#build);
    return this.#answer;
  }
}
