import { ApiError } from '../errors.ts';

/** Streams are opened again by themselves; this is when it is worth trying. */
const RETRY_AFTER_SECONDS = '30';

/** Counts the open streams of each application or person in one process. */
export class StreamPlaces {
  readonly #kind: string;
  readonly #most: number;
  readonly #taken = new Map<string, number>();

  constructor(kind: string, most: number) {
    this.#kind = kind;
    this.#most = most;
  }

  /**
   * Returns the function that gives the place back; it is called once.
   *
   * @throws ApiError 429 when there is none left
   */
  take(ownerId: string): () => void {
    const taken = this.#taken.get(ownerId) ?? 0;
    if (taken >= this.#most) {
      throw new ApiError(429, 'resource-exhausted', `there are ${taken} open ${this.#kind} already`, {
        'retry-after': RETRY_AFTER_SECONDS,
      });
    }
    this.#taken.set(ownerId, taken + 1);
    return () => {
      const left = (this.#taken.get(ownerId) ?? 1) - 1;
      if (left > 0) this.#taken.set(ownerId, left);
      else this.#taken.delete(ownerId);
    };
  }
}
