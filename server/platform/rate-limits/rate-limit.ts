import type { Said } from '#contract/reasons.ts';
import type { Clock } from '../clock.ts';
import { rateLimitExceeded } from '../errors.ts';
import type { Redis } from '../redis.ts';
import { openWindow, type RequestWindow } from './request-window.ts';

export interface RateLimitOptions {
  /** Separates its keys from those of other limits. */
  name: string;
  limit: number;
  /** A different limit for this key, if there is one. */
  findLimit?: (key: string) => Promise<number | undefined>;
  windowMs: number;
  /** The message of the 429; the time to wait is added. */
  refusal: Said;
}

/** Limits the hits per key and window; more get a 429. Processes share the count as in {@link openWindow}. */
export class RateLimit {
  readonly #clock: Clock;
  readonly #window: RequestWindow;
  readonly #options: RateLimitOptions;

  constructor({ clock, redis }: { clock: Clock; redis: Redis | undefined }, options: RateLimitOptions) {
    this.#clock = clock;
    this.#window = openWindow({ clock, redis }, options.name, options);
    this.#options = options;
  }

  /**
   * Counts a number of hits at once: all or none.
   *
   * @throws ApiError 429
   */
  async count(key: string, times = 1): Promise<void> {
    const { findLimit, refusal } = this.#options;
    const limit = (await findLimit?.(key)) ?? this.#options.limit;
    const states = await Promise.all(Array.from({ length: times }, () => this.#window.hit(key, limit)));
    const refused = states.find(({ allowed }) => !allowed);
    if (!refused) return;
    await this.#undo(key, states.filter(({ allowed }) => allowed).length);
    throw rateLimitExceeded(refusal, (refused.resetAt - this.#clock.now()) / 1000);
  }

  /**
   * The same around some work; failed work does not count.
   *
   * @throws ApiError 429, and whatever the work throws
   */
  async around<T>(key: string, times: number, work: () => Promise<T>): Promise<T> {
    await this.count(key, times);
    try {
      return await work();
    } catch (error) {
      await this.#undo(key, times);
      throw error;
    }
  }

  /**
   * Counts a search without a result. What exists is found however often others have missed.
   *
   * @throws ApiError 429 instead of too many misses, and whatever the search throws
   */
  async aroundMisses<T>(key: string, search: () => Promise<T | undefined>): Promise<T | undefined> {
    const found = await search();
    if (found === undefined) await this.count(key);
    return found;
  }

  async #undo(key: string, times: number): Promise<void> {
    await Promise.all(Array.from({ length: times }, () => this.#window.undo(key)));
  }
}
