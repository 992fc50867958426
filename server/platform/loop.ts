import type { Log } from './log.ts';
import type { CounterSeries, Metrics } from './metrics.ts';

export interface LoopOptions {
  /** In the log, and in the label `loop` of the metric. */
  name: string;
  /** From the end of a step to the next one, unless it is woken, or the step says otherwise. */
  everyMs: number;
  /** The first step waits, too. */
  isDelayed?: boolean;
}

/**
 * @param signal aborted when the loop is to end: a step that takes long returns early
 * @returns how many milliseconds to wait until the next step, where that is not the usual time
 */
export type Step = (signal: AbortSignal) => Promise<number | undefined> | Promise<void>;

const FIRST_RETRY_MS = 1_000;
/** A step that keeps failing is retried so often at least, or as often as it would run. */
const LONGEST_RETRY_MS = 5_000;

/**
 * Work that is repeated in the background, one step after another, until it is disposed of, which waits for the step under
 * way. A failure is logged and counted, and delays the next step by twice as much as the failure before.
 */
export class Loop implements AsyncDisposable {
  readonly #log: Log;
  readonly #options: LoopOptions;
  readonly #step: Step;
  readonly #failed: CounterSeries;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  /** In a row. */
  #failures = 0;
  #isWoken = false;
  #endSleep = () => {};

  constructor({ log, metrics }: { log: Log; metrics: Metrics }, options: LoopOptions, step: Step) {
    this.#log = log;
    this.#options = options;
    this.#step = step;
    this.#failed = metrics
      .counter('parley_loop_failures_total', 'Failed steps of the work in the background.')
      .series({ loop: options.name });
    this.#running = this.#run();
  }

  /** The next step begins at once, or as soon as the one under way has ended; after a failure no earlier than it would. */
  wake(): void {
    this.#isWoken = true;
    if (this.#failures === 0) this.#endSleep();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    this.#endSleep();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    const { isDelayed, everyMs } = this.#options;
    await this.#sleep(isDelayed ? everyMs : 0);
    while (!signal.aborted) {
      this.#isWoken = false;
      const waitMs = await this.#takeStep();
      if (signal.aborted) return;
      if (this.#failures > 0 || !this.#isWoken) await this.#sleep(waitMs);
    }
  }

  async #takeStep(): Promise<number> {
    const { name, everyMs } = this.#options;
    try {
      const waitMs = (await this.#step(this.#closing.signal)) ?? everyMs;
      this.#failures = 0;
      return waitMs;
    } catch (error) {
      this.#failures++;
      this.#failed.add();
      this.#log.error({ err: error, loop: name }, 'a step of the work in the background failed');
      const retryMs = Math.min(FIRST_RETRY_MS, everyMs) * 2 ** (this.#failures - 1);
      return Math.min(retryMs, Math.max(everyMs, LONGEST_RETRY_MS));
    }
  }

  async #sleep(ms: number): Promise<void> {
    if (ms <= 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#endSleep = resolve;
    await promise;
    clearTimeout(timer);
  }
}
