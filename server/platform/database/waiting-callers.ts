import { currentTurn } from '../concurrency/turn.ts';
import { unavailable } from '../errors.ts';

interface Waiting<C> {
  grant: (connection: C) => void;
  refuse: (error: unknown) => void;
  until: number;
}

/** Callers that wait for a connection, first come, first served. */
export class WaitingCallers<C> {
  #waiting: Waiting<C>[] = [];

  get count(): number {
    return this.#waiting.length;
  }

  /**
   * @param mostMs how long one waits before being refused with 503, unless its request has waited before; nothing of it has
   * been sent then
   * @param longestMs how long one waits whose request has written already
   */
  async wait(mostMs: number, longestMs: number): Promise<C> {
    const turn = currentTurn();
    const mayWaitMs = turn?.hasWritten ? longestMs : (turn?.leftMs ?? mostMs);
    turn?.wait();
    try {
      return await new Promise((grant, refuse) => {
        this.#waiting.push({ grant, refuse, until: performance.now() + mayWaitMs });
      });
    } finally {
      turn?.go();
    }
  }

  grant(connection: C): void {
    this.#waiting.shift()?.grant(connection);
  }

  refuseLate(): void {
    const now = performance.now();
    const waiting = this.#waiting;
    this.#waiting = waiting.filter(({ until }) => until > now);
    for (const { refuse, until } of waiting) if (until <= now) refuse(unavailable());
  }

  refuseAll(error: unknown): void {
    for (const { refuse } of this.#waiting.splice(0)) refuse(error);
  }
}
