import type { Clock } from '#platform/clock.ts';
import { Slots } from '#platform/slots.ts';

/** A receiver that has not answered for so long keeps nobody else's events waiting. */
const HELD_MS = 1_000;
const LOOK_EVERY_MS = 100;

/** One event in flight. */
export interface Flight {
  readonly since: number;
  /** From then on it waits for the database and not for its receiver. */
  isAnswered: boolean;
  /** Undefined once it no longer counts. */
  slot: number | undefined;
}

type Begin = (flight: Flight) => void;

/**
 * Bounds how many events are between their request and the record of its outcome, since those are sent again after a crash.
 * The others wait, and applications take turns.
 */
export class InFlight implements Disposable {
  readonly #clock: Clock;
  readonly #atOnce: number;
  /** Those that count. */
  readonly #flights = new Slots<Flight>();
  #count = 0;
  /** By application; the first is the one that has waited longest for its turn. */
  readonly #waiting = new Map<string, Begin[]>();
  #looking: NodeJS.Timeout | undefined;

  constructor(clock: Clock, atOnce: number) {
    this.#clock = clock;
    this.#atOnce = atOnce;
  }

  begin(appId: string): Flight | Promise<Flight> {
    if (this.#count < this.#atOnce && this.#waiting.size === 0) return this.#hold();
    this.#looking ??= setInterval(() => this.#passOver(), LOOK_EVERY_MS).unref();
    return new Promise((begin) => {
      const others = this.#waiting.get(appId);
      if (others) others.push(begin);
      else this.#waiting.set(appId, [begin]);
    });
  }

  end(flight: Flight): void {
    this.#forget(flight);
    this.#beginNext();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#looking);
  }

  #hold(): Flight {
    this.#count++;
    const flight: Flight = { since: this.#clock.now(), isAnswered: false, slot: undefined };
    flight.slot = this.#flights.add(flight);
    return flight;
  }

  #forget(flight: Flight): void {
    if (flight.slot === undefined) return;
    this.#flights.remove(flight.slot);
    flight.slot = undefined;
    this.#count--;
  }

  #beginNext(): void {
    for (const [appId, begins] of this.#waiting) {
      if (this.#count >= this.#atOnce) return;
      this.#waiting.delete(appId);
      begins.shift()?.(this.#hold());
      if (begins.length > 0) this.#waiting.set(appId, begins);
    }
    clearInterval(this.#looking);
    this.#looking = undefined;
  }

  /** Those that have waited for their receiver for long are no longer counted. */
  #passOver(): void {
    const before = this.#clock.now() - HELD_MS;
    for (const [, flight] of this.#flights) {
      if (!flight.isAnswered && flight.since <= before) this.#forget(flight);
    }
    this.#beginNext();
  }
}
