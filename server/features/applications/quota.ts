import { HIGHEST_LIMIT } from '#contract/accounts/person-limits.ts';
import { LIMITS } from '#contract/limits.ts';
import { say } from '#contract/reasons.ts';
import { type ApiError, rateLimitExceeded } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { openWindow, type RequestWindow } from '#platform/rate-limits.ts';
import type { Credential } from './actor.ts';

/** The headers that say how much of a quota is left. */
export const QUOTA_HEADERS = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'] as const;

const WINDOW_MS = LIMITS.quotaWindowSeconds * 1000;

/** The remainder of a quota. */
export interface QuotaLeft {
  limit: number;
  remaining: number;
  /** When the window ends, in epoch milliseconds. */
  resetAt: number;
}

type Counted = Pick<Credential, 'kind' | 'appId'>;

/**
 * Counts requests per application, kind of credential and route (contract §8, decisions: Transport). Keys count towards
 * their application, so that a regenerated key continues with the same counters.
 */
export class Quota {
  readonly #platform: Platform;
  /** By route, one map for each kind: a lookup by two existing strings is faster than one by a composed key. */
  readonly #windows = { bot: new Map<string, RequestWindow>(), user: new Map<string, RequestWindow>() };

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  async count(
    counted: Counted & Pick<Credential, 'requestsPerMinute' | 'quotaOf'>,
    route: string,
    times = 1,
  ): Promise<{ left: QuotaLeft; headers: Record<string, string>; exceeded?: ApiError }> {
    const { appId, quotaOf = appId } = counted;
    // An endpoint with a multiple of the quota could otherwise exceed what the usage counts can store.
    const limit = Math.min(counted.requestsPerMinute * times, HIGHEST_LIMIT);
    const { allowed, remaining, resetAt } = await this.#windowOf(counted, route).hit(quotaOf, limit);
    const left = { limit, remaining, resetAt };
    const resetSeconds = String(Math.max(1, Math.ceil((resetAt - this.#platform.clock.now()) / 1000)));
    const headers = {
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': resetSeconds,
    };
    if (allowed) return { left, headers };
    return {
      left,
      headers,
      exceeded: rateLimitExceeded(say('quota.exceeded', { limit, route }), Number(resetSeconds)),
    };
  }

  /** Reverts the count of a request that turned out not to be from this application. */
  async uncount(counted: Counted, route: string): Promise<void> {
    await this.#windowOf(counted, route).undo(counted.appId);
  }

  #windowOf({ kind }: Counted, route: string): RequestWindow {
    const windows = this.#windows[kind];
    let window = windows.get(route);
    if (!window) {
      window = openWindow(this.#platform, `quota:${kind} ${route}`, { windowMs: WINDOW_MS });
      windows.set(route, window);
    }
    return window;
  }
}
