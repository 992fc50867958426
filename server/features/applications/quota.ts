import { LIMITS } from '#contract/limits.ts';
import { ApiError } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { openWindow } from '#platform/request-window.ts';
import type { Credential } from './actor.ts';

export type QuotaCount = (
  credential: Credential,
  route: string,
) => Promise<{ headers: Record<string, string>; exceeded?: ApiError }>;

/**
 * Counts requests per application, kind of credential and route (contract §8, decisions: Transport). Keys count for
 * their application, so that a regenerated key goes on with the same counters.
 */
export function createQuota({ clock, redis }: Pick<Platform, 'clock' | 'redis'>): QuotaCount {
  const windows = openWindow({ clock, redis }, 'quota', { windowMs: LIMITS.quotaWindowSeconds * 1000 });
  return async ({ kind, appId, requestsPerMinute }, route) => {
    const { allowed, remaining, resetAt } = await windows.hit(`${kind} ${appId} ${route}`, requestsPerMinute);
    const resetSeconds = String(Math.max(1, Math.ceil((resetAt - clock.now()) / 1000)));
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
  };
}
