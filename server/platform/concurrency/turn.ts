import { AsyncLocalStorage } from 'node:async_hooks';

/** A request's use of the time that it may wait before its work is sent to the database. */
export class Turn {
  /** Once something was written, the request waits for what follows: a refusal would deny what is stored. */
  hasWritten = false;
  readonly #limitMs: number;
  readonly #since = performance.now();
  #waitedMs = 0;
  #waiting = 0;
  #waitsSince = 0;
  #isOver = false;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get ageMs(): number {
    return performance.now() - this.#since;
  }

  /** The rest of the time to wait. */
  get leftMs(): number {
    return this.#limitMs - this.#waitedMs;
  }

  /** How long it has been waiting now. */
  get waitingMs(): number {
    return this.#waiting === 0 ? 0 : performance.now() - this.#waitsSince;
  }

  /** Something of it waits; call {@link go} when that is over. */
  wait(): void {
    if (this.#waiting++ === 0) this.#waitsSince = performance.now();
  }

  go(): void {
    if (--this.#waiting === 0) this.#waitedMs += performance.now() - this.#waitsSince;
  }

  /** The request is answered: what still runs on its behalf is work in the background. */
  end(): void {
    this.#isOver = true;
  }
}

const turns = new AsyncLocalStorage<Turn | undefined>();

/** Of the request that the running code serves; undefined in the background. */
export function currentTurn(): Turn | undefined {
  const turn = turns.getStore();
  return turn?.isOver ? undefined : turn;
}

/** Without a turn, the work serves several requests, or none. */
export function inTurn<T>(turn: Turn | undefined, work: () => T): T {
  return turns.run(turn, work);
}
