import type { Clock } from '#platform/clock.ts';
import { Slots } from '#platform/concurrency/slots.ts';

/** A receiver that has not answered for so long keeps nobody else's events waiting. */
const HELD_MS = 1_000;
/** Nor does one that takes so many times as long as the others do at present. Where all are slow, it is the machine that is. */
const TIMES_AS_LONG = 8;
/** So many answers tell how long they take at present. */
const TELLING_ANSWERS = 64;
const LOOK_EVERY_MS = 100;

/** One event in flight. */
export interface Flight {
  readonly since: number;
  /** From then on it waits for the database and not for its receiver. */
  isAnswered: boolean;
  /** Undefined while it does not count. */
  slot: number | undefined;
}

type Begin = (flight: Flight) => void;

/**
 * Bounds how many events are between their request and the record of its outcome, since those are sent again after a crash.
 * The others wait, and applications take turns. Receivers that take their time do not count until they have answered: what is
 * delivered and not recorded always does.
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

  /** One to a receiver that is known to take its time. */
  beginSlow(): Flight {
    return { since: this.#clock.now(), isAnswered: false, slot: undefined };
  }

  /** It has its answer, or will get none any more. */
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

  /** Those that have waited for their receiver for long are no longer counted. */
  #passOver(): void {
    const before = this.#clock.now() - Math.max(HELD_MS, TIMES_AS_LONG * this.#usualMs);
    for (const [, flight] of this.#flights) {
      if (!flight.isAnswered && flight.since <= before) this.#forget(flight);
    }
    this.#beginNext();
  }
}
