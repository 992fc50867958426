import type { Connection } from '../connection.ts';

type Asked = Pick<Connection, 'isLost' | 'ask' | 'close'>;

export interface HealthProbeOptions {
  /** The database counts as hanging if a probe has no answer after this many ticks. */
  slowTicks: number;
  /** After this many ticks it is probed again on a new connection. */
  lostTicks: number;
  /**
   * The database answers again, but on a new connection: statements in progress for more than the given ticks may never be
   * answered.
   */
  onAnsweredElsewhere: (ticks: number) => void;
  /** The database hangs. */
  onSlow?: () => void;
  /** It still hangs after `lostTicks`. */
  onLost?: () => void;
}

/**
 * Probes on a separate connection whether the database answers: one that is stopped, or behind a broken
 * network, sends no error. Counts ticks instead of time, so that a pause of the process does not count.
 */
export class HealthProbe {
  readonly #open: () => Asked;
  readonly #options: HealthProbeOptions;
  #connection: Asked;
  #asking: Promise<boolean> | undefined;
  #askedTicks = 0;
  #silentTicks = 0;
  #isAnswering = true;

  constructor(open: () => Asked, options: HealthProbeOptions) {
    this.#open = open;
    this.#options = options;
    this.#connection = open();
  }

  /** False while the database does not answer. One that refuses connections does answer. */
  get isAnswering(): boolean {
    return this.#isAnswering;
  }

  /** Called at regular intervals; probes while requests wait for the database, or until it is back. */
  tick(isSomebodyWaiting: boolean): void {
    const { slowTicks, lostTicks, onSlow, onLost } = this.#options;
    if (!this.#isAnswering && ++this.#silentTicks === lostTicks - slowTicks) onLost?.();
    if (!this.#asking) {
      if (isSomebodyWaiting || !this.#isAnswering) void this.probe();
      return;
    }
    this.#askedTicks++;
    if (this.#askedTicks === slowTicks && this.#isAnswering) {
      this.#isAnswering = false;
      onSlow?.();
    }
    if (this.#askedTicks === lostTicks) void this.#connection.close(0);
  }

  /** Probes now, and returns whether the database answers; false if it refuses the connection. */
  probe(): Promise<boolean> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async close(): Promise<void> {
    await this.#connection.close(0);
  }

  async #ask(): Promise<boolean> {
    const isNew = this.#connection.isLost;
    if (isNew) this.#connection = this.#open();
    this.#askedTicks = 0;
    const isAnswered = await this.#connection.ask().then(
      () => true,
      () => false,
    );
    if (!isAnswered && this.#askedTicks >= this.#options.slowTicks) return false;
    if (!this.#isAnswering && isNew) this.#options.onAnsweredElsewhere(this.#silentTicks);
    this.#isAnswering = true;
    this.#silentTicks = 0;
    return isAnswered;
  }
}
