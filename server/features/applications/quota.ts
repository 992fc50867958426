import { LIMITS } from '#contract/limits.ts';
import { ApiError } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { openWindow, type RequestWindow } from '#platform/request-window.ts';
import type { Credential } from './actor.ts';

/** The headers that say how much of a quota is left. */
export const QUOTA_HEADERS = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'] as const;

type Counted = Pick<Credential, 'kind' | 'appId'>;

/**
 * Counts requests per application, kind of credential and route (contract §8, decisions: Transport). Keys count for
 * their application, so that a regenerated key goes on with the same counters.
 */
export class Quota {
  readonly #clock: Platform['clock'];
  readonly #windows: RequestWindow;

  constructor({ clock, redis }: Pick<Platform, 'clock' | 'redis'>) {
    this.#clock = clock;
    this.#windows = openWindow({ clock, redis }, 'quota', { windowMs: LIMITS.quotaWindowSeconds * 1000 });
  }

  async count(
    counted: Counted & Pick<Credential, 'requestsPerMinute'>,
    route: string,
  ): Promise<{ headers: Record<string, string>; exceeded?: ApiError }> {
    const { requestsPerMinute } = counted;
    const { allowed, remaining, resetAt } = await this.#windows.hit(keyOf(counted, route), requestsPerMinute);
    const resetSeconds = String(Math.max(1, Math.ceil((resetAt - this.#clock.now()) / 1000)));
    const headers = {
      'ratelimit-limit': String(requestsPerMinute),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': resetSeconds,
    };
    if (allowed) return { headers };
    const message = `quota of ${requestsPerMinute} requests per minute for ${route} exceeded; try again in ${resetSeconds} s`;
    return {
      headers,
      exceeded: new ApiError(429, 'RATE_LIMIT_EXCEEDED', message, { 'retry-after': resetSeconds }),
    };
  }

  /** Takes back what was counted for a request that turned out not to be this application's. */
  async uncount(counted: Counted, route: string): Promise<void> {
    await this.#windows.undo(keyOf(counted, route));
  }
}

function keyOf({ kind, appId }: Counted, route: string): string {
  return `${kind} ${appId} ${route}`;
}
