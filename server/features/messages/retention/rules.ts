import { firstIdAt } from '#platform/ids.ts';

export const DAY_MS = 24 * 3_600_000;

/** Messages with ids before this one are older than the given number of days. */
export function expiredBefore(now: number, days: number): string {
  return firstIdAt('msg', Math.max(0, now - days * DAY_MS));
}
