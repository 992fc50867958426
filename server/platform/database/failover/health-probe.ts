import type { Connection } from '../connection.ts';

type Asked = Pick<Connection, 'isLost' | 'ask' | 'close'>;

export interface HealthProbeOptions {
  /** A question that has no answer after so many ticks means that the database hangs. */
  slowTicks: number;
  /** After so many ticks it is asked again, on a new connection. */
  lostTicks: number;
  /**
   * The database answers again, but on a new connection: what has been under way for longer than the given ticks may
   * never be answered.
   */
  onAnsweredElsewhere: (ticks: number) => void;
  /** It hangs. */
  onSlow?: () => void;
  /** It still does, after `lostTicks`. */
  onLost?: () => void;
}

/**
 * Probes, on a connection of its own, whether the database answers at all: one that is stopped, or behind a broken
 * network, sends no error. Counts ticks, not time: a process that stood still for a second saw nothing.
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

  /** Called at regular times; asks when somebody waits for the database, or to learn that it is back. */
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

  /** Whether the database answers a question that is asked now; one that refuses it does not. */
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
