import type { Connection } from '../connection.ts';

/** A connection for one question at a time. */
export type Asked = Pick<Connection, 'isLost' | 'ask' | 'close'>;

/** Without an answer for so many ticks, the question is repeated on a second connection. */
const REPEAT_TICKS = 12;
/** If only the second is answered, and the first is not after so many ticks more, the first connection is dead. */
const DEAD_TICKS = 8;
/** A longer answer counts as this long: what is usual does not follow from one failure. */
const LONGEST_TICKS = 8;
/** The share of the last answer in what is usual. */
const WEIGHT = 1 / 8;
/** Answers within the interval between ticks take none. */
const TICK_MS = 250;

export interface HealthProbeOptions {
  /** The host refuses the connection, or has answered. */
  onAnswer: (refusal: Error | undefined) => void;
  /** The host answers, but not over connections opened before. */
  onDead: () => void;
}

/**
 * Asks a host on a separate connection whether it answers: one that is stopped, or behind a broken network, sends no error.
 * Counts ticks instead of time, so that a pause or the load of this process does not count.
 */
export class HealthProbe {
  readonly #open: () => Asked;
  readonly #options: HealthProbeOptions;
  #connection: Asked;
  #asking: Promise<boolean> | undefined;
  #askedMs = 0;
  #askedTicks = 0;
  #second: Asked | undefined;
  /** Ticks since only the second connection was answered. */
  #deadTicks: number | undefined;
  /** The time of the last answer, and the usual one, in ticks. */
  #lastTicks = 0;
  #usualTicks = 0;
  latencyMs = 0;

  constructor(open: () => Asked, options: HealthProbeOptions) {
    this.#open = open;
    this.#options = options;
    this.#connection = open();
  }

  /** For how many ticks the host has owed an answer. */
  get silentTicks(): number {
    return this.#asking && this.#deadTicks === undefined ? this.#askedTicks : 0;
  }

  /** How slow it is at the moment, in ticks. */
  get slowTicks(): number {
    return Math.max(this.silentTicks, this.#lastTicks);
  }

  get usualTicks(): number {
    return this.#usualTicks;
  }

  tick(): void {
    if (!this.#asking) return;
    this.#askedTicks++;
    if (this.#deadTicks === undefined) {
      if (this.#askedTicks % REPEAT_TICKS === 0) void this.#askAgain();
    } else if (++this.#deadTicks >= DEAD_TICKS) this.#replace();
  }

  /** Asks, unless an answer is still owed; returns whether the host answers, and false if it refuses the connection. */
  ask(): Promise<boolean> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
      this.#deadTicks = undefined;
      void this.#second?.close(0);
      this.#second = undefined;
    });
    return this.#asking;
  }

  async close(): Promise<void> {
    await Promise.all([this.#connection.close(0), this.#second?.close(0)]);
  }

  async #ask(): Promise<boolean> {
    if (this.#connection.isLost) this.#connection = this.#open();
    this.#askedTicks = 0;
    this.#askedMs = performance.now();
    try {
      await this.#connection.ask();
    } catch (error) {
      if (this.#deadTicks === undefined) this.#options.onAnswer(error as Error);
      return this.#deadTicks !== undefined;
    }
    this.#note();
    return true;
  }

  #note(): void {
    this.latencyMs = performance.now() - this.#askedMs;
    this.#lastTicks = Math.min(LONGEST_TICKS, this.#askedTicks, Math.floor(this.latencyMs / TICK_MS));
    this.#usualTicks += (this.#lastTicks - this.#usualTicks) * WEIGHT;
    this.#options.onAnswer(undefined);
  }

  async #askAgain(): Promise<void> {
    void this.#second?.close(0);
    const second = this.#open();
    this.#second = second;
    await second.ask().then(
      () => {
        if (this.#second !== second) return;
        this.#deadTicks = 0;
        this.#options.onAnswer(undefined);
      },
      () => {},
    );
  }

  /** The first connection fails, and with it the question. */
  #replace(): void {
    this.#options.onDead();
    const first = this.#connection;
    if (this.#second) this.#connection = this.#second;
    this.#second = undefined;
    void first.close(0);
  }
}
