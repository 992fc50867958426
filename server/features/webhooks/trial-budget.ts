import { ApiError } from '#platform/errors.ts';
import { FixedWindow } from '#platform/fixed-window.ts';
import type { Platform } from '#platform/platform.ts';

const TRIALS_PER_MINUTE = 30;

/** How often a person may have receivers tried out: nobody's server is a target for practice. */
export function createTrialBudget({ clock }: Pick<Platform, 'clock'>): (accountId: string) => void {
  const windows = new FixedWindow(clock, { windowMs: 60_000 });
  return (accountId) => {
    const { allowed, resetAt } = windows.hit(accountId, TRIALS_PER_MINUTE);
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
