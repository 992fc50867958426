import type { Platform } from '#platform/platform.ts';
import { RateLimit } from '#platform/rate-limit.ts';

const TRIALS_PER_MINUTE = 30;

/** How often a person may have receivers tried out: nobody's server is a target for practice. */
export function createTrialBudget(
  platform: Pick<Platform, 'clock' | 'redis'>,
): (accountId: string) => Promise<void> {
  const trials = new RateLimit(platform, {
    name: 'trial',
    limit: TRIALS_PER_MINUTE,
    windowMs: 60_000,
    refusal: `${TRIALS_PER_MINUTE} pings, simulations and audits per minute are enough`,
  });
  return (accountId) => trials.count(accountId);
}
