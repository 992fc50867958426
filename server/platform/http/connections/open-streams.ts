import { say } from '#contract/reasons.ts';
import { ApiError } from '../../errors.ts';

/** Clients reopen streams by themselves; earlier attempts are pointless. */
const RETRY_AFTER_SECONDS = '30';

type Refusal =
  | 'http.too-many-streams'
  | 'http.too-many-bodies'
  | 'http.too-many-live-streams'
  | 'mcp.too-many-questions';

/** Counts the open streams of each application or person in one process. */
export class OpenStreams {
  readonly #refusal: Refusal;
  readonly #most: number;
  readonly #taken = new Map<string, number>();

  constructor(refusal: Refusal, most: number) {
    this.#refusal = refusal;
    this.#most = most;
  }

  /**
   * Counts a stream, and returns the function that releases it, to be called once. `most` applies to this owner only.
   *
   * @throws ApiError 429 when the limit is reached
   */
  take(ownerId: string, most = this.#most): () => void {
    const taken = this.#taken.get(ownerId) ?? 0;
    if (taken >= most) {
      throw new ApiError(429, 'resource-exhausted', say(this.#refusal, { count: taken }), {
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
