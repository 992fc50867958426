import type { Media } from '#features/media/index.ts';
import type { Platform } from '#platform/platform.ts';
import type { RateLimit } from '#platform/rate-limits/rate-limit.ts';
import type { AccountHook } from './hook.ts';
import type { Throttle } from './throttle/throttle.ts';

/** Dependencies of accounts, sign-in and sessions. */
export interface AccountDeps extends Platform {
  media: Media;
  hooks: readonly AccountHook[];
  /** Shared by all ways to sign in, so that nobody gets twice as many guesses. */
  throttle: Throttle;
  emailLinks: RateLimit;
}

/** Dependencies of the operators’ acts; the command line has no more. */
export type OperatorAccountDeps = Pick<Platform, 'db' | 'clock' | 'random' | 'live' | 'newId'>;
