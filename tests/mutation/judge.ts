import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Chosen, Loading, News, Request, Surveyed } from './child.ts';
import type { Mutant } from './mutants.ts';

/** A test that takes so much longer than without the mutant never ends. */
const SLOWER = 10;
const LONGER_MS = 15_000;
const LOADING_MS = 120_000;
const LONGEST_TEST_MS = 600_000;

export type Verdict = { mutant: Mutant } & (
  | { isKilled: true; by: string }
  | { isKilled: false; reachedBy: number }
);

/** What the tests do without a mutant. */
export class Survey {
  readonly loading: Loading;
  /** Those that pass, every time. */
  readonly tests: Surveyed[];
  /** They judge nothing. */
  readonly failing: Surveyed[];
  /** Mutants that are reached while the files are loaded. */
  readonly atLoading: ReadonlySet<number>;
  /** How many mutants a test has killed; the next one is often killed by the same. */
  readonly kills = new Map<Surveyed | undefined, number>();

  static async of(loading: Omit<Loading, 'mutant'>): Promise<Survey> {
    return new Survey({ ...loading, mutant: undefined }, await survey({ ...loading, mutant: undefined }));
  }

  private constructor(loading: Loading, { reached, tests }: Awaited<ReturnType<typeof survey>>) {
    this.loading = loading;
    this.failing = tests.filter(isFailing);
    this.tests = tests.filter((test) => !isFailing(test));
    this.atLoading = new Set(reached);
  }

  find({ file, test }: Chosen): Surveyed | undefined {
    return this.tests.find((one) => one.file === file && one.test === test);
  }

  /** The likeliest to fail and the fastest first. */
  inOrder(reaching: readonly Surveyed[]): Chosen[] {
    const killsOf = (test: Surveyed) => this.kills.get(test) ?? 0;
    return reaching
      .toSorted((one, other) => killsOf(other) - killsOf(one) || one.ms - other.ms)
      .map(({ file, test }) => ({ file, test }));
  }
}

async function survey(loading: Loading) {
  using child = new Child(loading);
  const { reached } = await child.loaded();
  const { tests } = await child.ask({ kind: 'survey' }, 'surveyed', () => LONGEST_TEST_MS);
  return { reached, tests };
}

function isFailing({ failure }: Surveyed): boolean {
  return failure !== undefined;
}

/** Judges mutants one after another by the tests that reach them. */
export class Judge implements Disposable {
  readonly #survey: Survey;
  #child: Child | undefined;

  constructor(survey: Survey) {
    this.#survey = survey;
  }

  /** @param mutant one of those of the files */
  async judge(mutant: Mutant): Promise<Verdict> {
    const { tests, atLoading, loading, kills } = this.#survey;
    const isEarly = atLoading.has(mutant.id);
    const reaching = tests.filter(({ reached }) => isEarly || reached.includes(mutant.id));
    if (reaching.length === 0) return { mutant, isKilled: false, reachedBy: 0 };
    try {
      using early = isEarly ? new Child({ ...loading, mutant: mutant.id }) : undefined;
      if (!isEarly) this.#child ??= new Child(loading);
      const child = early ?? (this.#child as Child);
      await child.loaded();
      const { killer } = await child.ask(
        { kind: 'judge', mutant: mutant.id, chosen: this.#survey.inOrder(reaching) },
        'judged',
        (begun) => LONGER_MS + SLOWER * ((begun && this.#survey.find(begun)?.ms) ?? 0),
      );
      if (!killer) return { mutant, isKilled: false, reachedBy: reaching.length };
      const test = this.#survey.find(killer);
      kills.set(test, (kills.get(test) ?? 0) + 1);
      return { mutant, isKilled: true, by: killer.error };
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
      if (!isEarly) this.#child = undefined;
      return { mutant, isKilled: true, by: error.message };
    }
  }

  [Symbol.dispose](): void {
    this.#child?.[Symbol.dispose]();
  }
}

/** The process ended, or did not go on. */
class Ended extends Error {}

class Child implements Disposable {
  readonly #process: ChildProcess;
  #told: (news: News) => void = () => {};
  #failed: (error: Error) => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  #loaded: Promise<Extract<News, { kind: 'loaded' }>> | undefined;

  constructor(loading: Loading) {
    this.#process = fork(join(import.meta.dirname, 'child.ts'), [JSON.stringify(loading)], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // Ends with the processes that the tests have started.
      detached: true,
    });
    let errors = '';
    this.#process.stderr?.on('data', (text) => {
      errors = `${errors}${text}`.slice(-4_000);
    });
    this.#process.on('message', (news: News) => this.#told(news));
    this.#process.on('exit', () =>
      this.#failed(new Ended(`the process ended: ${/^\w*Error.*$/m.exec(errors)?.[0]}`)),
    );
  }

  loaded() {
    this.#loaded ??= this.#wait('loaded', () => LOADING_MS);
    return this.#loaded;
  }

  ask<K extends News['kind']>(
    request: Request,
    kind: K,
    longestMs: (begun: Extract<News, { kind: 'begins' }> | undefined) => number,
  ) {
    const answer = this.#wait(kind, longestMs);
    this.#process.send(request);
    return answer;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    if (this.#process.pid && this.#process.exitCode === null) process.kill(-this.#process.pid, 'SIGKILL');
  }

  async #wait<K extends News['kind']>(
    kind: K,
    longestMs: (begun: Extract<News, { kind: 'begins' }> | undefined) => number,
  ): Promise<Extract<News, { kind: K }>> {
    const limit = (begun?: Extract<News, { kind: 'begins' }>) => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => {
        this[Symbol.dispose]();
        this.#failed(new Ended('it does not end'));
      }, longestMs(begun));
    };
    limit();
    try {
      return await new Promise((resolve, reject) => {
        this.#failed = reject;
        this.#told = (news) => {
          if (news.kind === kind) resolve(news as Extract<News, { kind: K }>);
          else if (news.kind === 'begins') limit(news);
        };
      });
    } finally {
      clearTimeout(this.#timer);
    }
  }
}
