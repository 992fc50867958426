import { WakeUp } from './concurrency/wake-up.ts';
import { type Database, isUnavailable } from './database.ts';
import { ApiError } from './errors.ts';
import type { Log } from './log.ts';
import type { CounterSeries, Metrics } from './monitoring/metrics.ts';

export interface LoopOptions {
  /** Used in the log, and in the label `loop` of the metric. */
  name: string;
  /** The time from the end of a step to the next one, unless the loop is woken or the step returns another time. */
  everyMs: number;
  /** Delays the first step too. */
  isDelayed?: boolean;
}

/**
 * @param signal aborted when the loop is to end, so that a long step can return early
 * @returns how many milliseconds to wait until the next step, if not the usual interval
 */
export type Step = (signal: AbortSignal) => Promise<number | undefined> | Promise<void>;

const FIRST_RETRY_MS = 1_000;
/** The longest wait before a failed step is retried, or its usual interval if that is longer. */
const LONGEST_RETRY_MS = 5_000;
/** A step that needs the node of a cluster that is away is hardly tried before it is back: each time costs a connection. */
const LONGEST_AWAY_MS = 15_000;

interface LoopDeps {
  log: Log;
  metrics: Metrics;
  /** That of the step, if it uses any. */
  db?: Pick<Database, 'isPartAway'>;
}

/**
 * Repeats a step in the background until it is disposed of, which waits for the step in progress. A failure is logged and
 * counted, and doubles the delay before the next step.
 */
export class Loop implements AsyncDisposable {
  readonly #log: Log;
  readonly #db: LoopDeps['db'];
  readonly #options: LoopOptions;
  readonly #step: Step;
  readonly #failed: CounterSeries;
  readonly #closing = new AbortController();
  readonly #wakeUp = new WakeUp();
  readonly #end = new WakeUp();
  readonly #running: Promise<void>;
  #failures = 0;
  /** Whether the last step failed for want of a node that is away. */
  #needsAway = false;

  constructor({ log, metrics, db }: LoopDeps, options: LoopOptions, step: Step) {
    this.#log = log;
    this.#db = db;
    this.#options = options;
    this.#step = step;
    this.#failed = metrics
      .counter('parley_loop_failures_total', 'Failed steps of the work in the background.')
      .series({ loop: options.name });
    this.#running = this.#run();
  }

  /** Begins the next step at once, or as soon as the one in progress has ended; the delay after a failure still applies. */
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
      if (this.#needsAway) await this.#untilBack();
      await this.#wakeUp.wait(hasFailed ? 0 : waitMs);
      if (this.#closing.signal.aborted) return;
      waitMs = await this.#takeStep();
    }
  }

  async #untilBack(): Promise<void> {
    for (let waitedMs = 0; this.#db?.isPartAway && waitedMs < LONGEST_AWAY_MS; waitedMs += FIRST_RETRY_MS) {
      if (this.#closing.signal.aborted) return;
      await this.#end.wait(FIRST_RETRY_MS);
    }
  }

  async #takeStep(): Promise<number> {
    const { name, everyMs } = this.#options;
    this.#needsAway = false;
    try {
      const waitMs = (await this.#step(this.#closing.signal)) ?? everyMs;
      this.#failures = 0;
      return waitMs;
    } catch (error) {
      this.#failures++;
      this.#needsAway = this.#db?.isPartAway === true && isUnavailable(error) && !(error instanceof ApiError);
      this.#failed.add();
      this.#log.error({ err: error, loop: name }, 'a step of the work in the background failed');
      const retryMs = Math.min(FIRST_RETRY_MS, everyMs) * 2 ** (this.#failures - 1);
      return Math.min(retryMs, Math.max(everyMs, LONGEST_RETRY_MS));
    }
  }
}
