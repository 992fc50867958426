import type { Media } from '#features/media/index.ts';
import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import type { RateLimit } from '#platform/rate-limits.ts';
import type { Throttle } from './throttle/throttle.ts';

/** Dependencies of accounts, sign-in and sessions. */
export interface AccountDeps extends Platform {
  media: Media;
  hooks: readonly AccountHook[];
  /** Shared by all ways to sign in, so that nobody gets twice as many guesses. */
  throttle: Throttle;
  emailLinks: RateLimit;
  /** Whether passwords begin sessions; a provider can replace them. */
  takesPasswords: () => Promise<boolean>;
  /** Whether the operators still have the provider. */
  hasProvider: (providerId: string) => Promise<boolean>;
}

/** Dependencies of the operators’ acts; the command line has no more. */
export type OperatorAccountDeps = Pick<Platform, 'db' | 'clock' | 'random' | 'live' | 'newId'>;

/** Of those that concern other features. */
export type SuspensionDeps = OperatorAccountDeps & Pick<AccountDeps, 'hooks'>;

/**
 * The lifecycle hook of a feature with data of people: its part in the export of a person's data and in the
 * deletion of an account. The composition, which knows all features, passes the hooks in.
 */
export interface AccountHook {
  /** Its data about a person, by the names of its sections in the document. */
  sections?: Record<string, (accountId: string) => AsyncIterable<object>>;
  /** After the commit of a changed name, picture or text format; for a bot, also of its deletion. */
  profileChanged?(userId: string): Promise<void>;
  /** After the commit of a change in whether others see the person's read marker. */
  receiptsChanged?(accountId: string): Promise<void>;
  /** In the transaction that suspends a person until then, or lifts the suspension: null. */
  suspensionChanged?(tx: Tx, suspension: { accountId: string; until: number | null }): Promise<void>;
  /** In the transaction in which the owner of an address takes over the account that somebody made with it. */
  takenOver?(tx: Tx, account: { accountId: string; at: number }): Promise<void>;
  /**
   * Before the transaction that deletes the account: work that needs separate transactions. May be called
   * more than once.
   */
  beforeDeletion?(accountId: string): Promise<void>;
  /** In the transaction that deletes it, which holds the account. */
  deleted?(tx: Tx, account: { accountId: string; at: number }): Promise<void>;
  /** After the commit that deleted it. */
  afterDeletion?(accountId: string): Promise<void>;
}
