import type { Clock } from '#platform/clock.ts';
import { Slots } from '#platform/concurrency/slots.ts';

/** A receiver that has not answered for this long no longer delays other events. */
const HELD_MS = 1_000;
/**
 * The same for a receiver that takes this many times as long as the others. If all are slow, the machine is.
 */
const TIMES_AS_LONG = 8;
/** The number of recent answers from which the usual time is taken. */
const TELLING_ANSWERS = 64;
const LOOK_EVERY_MS = 100;

/** One event in flight. */
export interface Flight {
  readonly since: number;
  /** From then on it waits for the database instead of its receiver. */
  isAnswered: boolean;
  /** Undefined while it does not count. */
  slot: number | undefined;
}

type Begin = (flight: Flight) => void;

/**
 * Limits how many events are between their request and the record of its outcome, since those are sent again
 * after a crash. The others wait, and applications take turns. Slow receivers do not count until they have
 * answered; delivered but unrecorded events always count.
 */
export class InFlight implements Disposable {
  readonly #clock: Clock;
  readonly #atOnce: number;
  /** Those that count. */
  readonly #flights = new Slots<Flight>();
  #count = 0;
  #usualMs = 0;
  /** By application; the first is the one that has waited longest for its turn. */
  readonly #waiting = new Map<string, Begin[]>();
  #looking: NodeJS.Timeout | undefined;

  constructor(clock: Clock, atOnce: number) {
    this.#clock = clock;
    this.#atOnce = atOnce;
  }

  begin(appId: string): Flight | Promise<Flight> {
    if (this.#count < this.#atOnce && this.#waiting.size === 0) return this.#hold(this.beginSlow());
    this.#looking ??= setInterval(() => this.#passOver(), LOOK_EVERY_MS).unref();
    return new Promise((begin) => {
      const others = this.#waiting.get(appId);
      if (others) others.push(begin);
      else this.#waiting.set(appId, [begin]);
    });
  }

  /** An event to a receiver known to be slow. */
  beginSlow(): Flight {
    return { since: this.#clock.now(), isAnswered: false, slot: undefined };
  }

  /** The receiver has answered, or will not. */
  answer(flight: Flight): void {
    flight.isAnswered = true;
    if (flight.slot === undefined) this.#hold(flight);
    else this.#usualMs += (this.#clock.now() - flight.since - this.#usualMs) / TELLING_ANSWERS;
  }

  end(flight: Flight): void {
    this.#forget(flight);
    this.#beginNext();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#looking);
  }

  #hold(flight: Flight): Flight {
    this.#count++;
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
      begins.shift()?.(this.#hold(this.beginSlow()));
      if (begins.length > 0) this.#waiting.set(appId, begins);
    }
    clearInterval(this.#looking);
    this.#looking = undefined;
  }

  /** Events that have waited too long for their receiver are no longer counted. */
  #passOver(): void {
    const before = this.#clock.now() - Math.max(HELD_MS, TIMES_AS_LONG * this.#usualMs);
    for (const [, flight] of this.#flights) {
      if (!flight.isAnswered && flight.since <= before) this.#forget(flight);
    }
    this.#beginNext();
  }
}
