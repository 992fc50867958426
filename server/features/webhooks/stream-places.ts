import { resourceExhausted } from '#platform/errors.ts';

/** Open streams of one application in one process: a developer's machine, a server or two, and what is going away. */
const MAX_STREAMS = 10;

/** Counts the open streams of each application. */
export class StreamPlaces {
  readonly #kind: string;
  readonly #taken = new Map<string, number>();

  constructor(kind: string) {
    this.#kind = kind;
  }

  /**
   * Returns the function that gives the place back.
   *
   * @throws ApiError 429 when there is none left
   */
  take(appId: string): () => void {
    const taken = this.#taken.get(appId) ?? 0;
    if (taken >= MAX_STREAMS) throw resourceExhausted(`there are ${taken} open ${this.#kind} already`);
    this.#taken.set(appId, taken + 1);
    return () => {
      const left = (this.#taken.get(appId) ?? 1) - 1;
      if (left > 0) this.#taken.set(appId, left);
      else this.#taken.delete(appId);
    };
  }
}
