import { WakeUp } from './concurrency/wake-up.ts';
import type { Log } from './log.ts';
import type { CounterSeries, Metrics } from './monitoring/metrics.ts';

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
  readonly #wakeUp = new WakeUp();
  readonly #end = new WakeUp();
  readonly #running: Promise<void>;
  /** In a row. */
  #failures = 0;

  constructor({ log, metrics }: { log: Log; metrics: Metrics }, options: LoopOptions, step: Step) {
    this.#log = log;
    this.#options = options;
    this.#step = step;
    this.#failed = metrics
      .counter('parley_loop_failures_total', 'Failed steps of the work in the background.')
      .series({ loop: options.name });
    this.#running = this.#run();
  }

  /** The next step begins at once, or as soon as the one under way has ended; after a failure it keeps its time. */
  wake(): void {
    this.#wakeUp.request();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    for (const wakeUp of [this.#wakeUp, this.#end]) wakeUp.request();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { isDelayed, everyMs } = this.#options;
    let waitMs = isDelayed ? everyMs : 0;
    for (;;) {
      const hasFailed = this.#failures > 0;
      if (hasFailed) await this.#end.wait(waitMs);
      await this.#wakeUp.wait(hasFailed ? 0 : waitMs);
      if (this.#closing.signal.aborted) return;
      waitMs = await this.#takeStep();
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
}
