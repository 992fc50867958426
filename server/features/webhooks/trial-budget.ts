import { ApiError } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { openWindow } from '#platform/request-window.ts';

const TRIALS_PER_MINUTE = 30;

/** How often a person may have receivers tried out: nobody's server is a target for practice. */
export function createTrialBudget({
  clock,
  redis,
}: Pick<Platform, 'clock' | 'redis'>): (accountId: string) => Promise<void> {
  const windows = openWindow({ clock, redis }, 'trial', { windowMs: 60_000 });
  return async (accountId) => {
    const { allowed, resetAt } = await windows.hit(accountId, TRIALS_PER_MINUTE);
    if (allowed) return;
    const seconds = String(Math.max(1, Math.ceil((resetAt - clock.now()) / 1000)));
    throw new ApiError(
      429,
      'RATE_LIMIT_EXCEEDED',
      `${TRIALS_PER_MINUTE} pings, simulations and audits per minute are enough; try again in ${seconds} s`,
      { 'retry-after': seconds },
    );
  };
}
