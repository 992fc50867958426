import { say } from '#contract/reasons.ts';
import { type ApiError, rateLimitExceeded } from '#platform/errors.ts';
import { networkOf } from '#platform/http/client-address.ts';
import type { Platform } from '#platform/platform.ts';
import { openWindow, RateLimit, type RequestWindow } from '#platform/rate-limits.ts';
import { FairQueue, type QueueGroups } from './fair-queue.ts';

const QUARTER_HOUR_MS = 15 * 60_000;
const HOUR_MS = 60 * 60_000;
/**
 * Wrong guesses in 15 minutes: from a network at one account, from a known device, and from a network in total. The last
 * only refuses guesses that turn out to be wrong: a network is many people.
 */
const WRONG_PER_NETWORK_AND_ACCOUNT = 10;
const WRONG_PER_NETWORK = 50;
const WRONG_PER_DEVICE = 10;
/** Wrong guesses of all strangers at one account in an hour (OWASP ASVS 2.2.1: no more than 100). */
const WRONG_PER_ACCOUNT = { password: 100, code: 30 };
/** All attempts at one account in 15 minutes, right or wrong: each costs 20 MiB and some 40 ms of a core. */
const TRIES_PER_NETWORK_AND_ACCOUNT = 30;

/** Password mails in an hour, so that strangers cannot flood mailboxes. Requests for unknown addresses send none. */
const RESETS_PER_ACCOUNT = 3;
const RESETS_PER_NETWORK = 30;

/**
 * More concurrent hashes would starve everything else in the process. Use is remembered as long as attempts
 * are.
 */
const HASHES = { atOnce: 2, maxWaiting: 128, windowMs: QUARTER_HOUR_MS };

/** A guess, and at what. */
export interface Guess {
  what: 'password' | 'code' | 'passkey';
  /** The id of the account, or the address that was typed, whether it exists or not. */
  account: string;
  /** A device or session known to be the account's: guesses of strangers do not block it. */
  known?: string | undefined;
}

export interface GuessResult {
  isRight: boolean;
  /** For the log, where the account exists. */
  accountId?: string | undefined;
}

interface Budget {
  window: RequestWindow;
  key: string;
  limit: number;
  /** Right attempts count, too. */
  countsRight?: true;
}

/** Runs expensive work when it is its turn. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Limits how many passwords and codes may be guessed, and how much processor time that may take
 * (docs/decisions/0038).
 */
export class Throttle {
  readonly #platform: Pick<Platform, 'clock' | 'log'>;
  readonly #quarterHours: RequestWindow;
  readonly #hours: RequestWindow;
  readonly #signUps: RateLimit;
  readonly #failedSignUps: RateLimit;
  readonly #resets: RequestWindow;
  readonly #queue: FairQueue;

  constructor(platform: Pick<Platform, 'clock' | 'log' | 'redis' | 'config'>) {
    this.#platform = platform;
    this.#quarterHours = openWindow(platform, 'guess', { windowMs: QUARTER_HOUR_MS });
    this.#hours = openWindow(platform, 'guess-hour', { windowMs: HOUR_MS });
    const signUps = {
      limit: platform.config.signUpsPerHour,
      windowMs: HOUR_MS,
      refusal: say('sign-in.too-many-sign-ups'),
    };
    this.#signUps = new RateLimit(platform, { name: 'sign-up', ...signUps });
    this.#failedSignUps = new RateLimit(platform, { name: 'failed-sign-up', ...signUps });
    this.#resets = openWindow(platform, 'reset', { windowMs: HOUR_MS });
    this.#queue = new FairQueue(platform.clock, HASHES);
  }

  /**
   * Counts the accounts that a network creates.
   *
   * @throws ApiError 429, and whatever the work throws; then nothing is counted
   */
  aroundSignUp<T>({ address }: Pick<Visitor, 'address'>, work: () => Promise<T>): Promise<T> {
    return this.#signUps.around(networkOf(address), 1, work);
  }

  /**
   * Counts separately what could not be an account, so that nobody tries out which addresses have one.
   *
   * @throws ApiError 429
   */
  countFailedSignUp({ address }: Pick<Visitor, 'address'>): Promise<void> {
    return this.#failedSignUps.count(networkOf(address));
  }

  /**
   * Counts a request for a password mail. A network that has been sent too many mails is refused for every account, whether
   * it exists or not.
   *
   * @throws ApiError 429
   */
  async countReset(
    { address }: Pick<Visitor, 'address'>,
    { account, exists }: { account: string; exists: boolean },
  ): Promise<void> {
    const network = networkOf(address);
    const hits = [
      [`account ${account}`, RESETS_PER_ACCOUNT],
      [network, RESETS_PER_NETWORK],
    ] as const;
    for (const [key, limit] of hits) {
      const { allowed, resetAt } = await this.#resets.hit(key, limit);
      if (!allowed) throw this.#tooMany('sign-in.too-many-resets', resetAt);
    }
    // Not waited for, so that the time of the answer does not reveal it.
    if (!exists) void this.#resets.undo(network);
  }

  /**
   * The queue for this address and account. The account is compared first, so that many people behind one
   * network, each with their own account, do not wait for one who signs in again and again.
   */
  turnsOf({ address }: Pick<Visitor, 'address'>, { account, known }: Omit<Guess, 'what'>): InTurn {
    const network = networkOf(address);
    const asker: QueueGroups =
      known === undefined
        ? [`${network} ${account}`, network, address]
        : [`known ${account}`, `known ${account}`, address];
    return (work) => this.#queue.run(asker, work);
  }

  /**
   * Runs an attempt with a password, code or passkey, and logs refusals. The guess is counted before it is
   * verified, so that concurrent ones count, too; if it could not be verified, the count is reverted.
   *
   * @throws ApiError 429
   */
  async guess(
    visitor: Visitor,
    guess: Guess,
    verify: (inTurn: InTurn) => Promise<GuessResult>,
  ): Promise<boolean> {
    const taken = await this.#take(visitor, guess);
    let result: GuessResult;
    try {
      result = await verify(this.turnsOf(visitor, guess));
    } catch (error) {
      await giveBack(taken);
      throw error;
    }
    if (result.isRight) {
      await giveBack(taken.filter(({ countsRight }) => !countsRight));
      return true;
    }
    this.#note(visitor, { what: guess.what, reason: 'wrong', accountId: result.accountId });
    if (guess.known === undefined) await this.#countWrong(visitor);
    return false;
  }

  /** @throws ApiError 429 instead of the answer to a wrong guess, if its network has made too many */
  async #countWrong({ address }: Visitor): Promise<void> {
    const key = `network ${networkOf(address)}`;
    const { allowed, resetAt } = await this.#quarterHours.hit(key, WRONG_PER_NETWORK);
    if (!allowed) throw this.#tooMany('sign-in.too-many-attempts', resetAt);
  }

  /** @throws ApiError 429 if one of the budgets is exhausted; then none is charged */
  async #take(visitor: Visitor, guess: Guess): Promise<Budget[]> {
    const taken: Budget[] = [];
    for (const budget of this.#budgetsOf(visitor, guess)) {
      const { allowed, resetAt } = await budget.window.hit(budget.key, budget.limit);
      if (!allowed) {
        await giveBack(taken);
        this.#note(visitor, { what: guess.what, reason: 'limit' });
        throw this.#tooMany('sign-in.too-many-attempts', resetAt);
      }
      taken.push(budget);
    }
    return taken;
  }

  #budgetsOf({ address }: Visitor, { what, account, known }: Guess): Budget[] {
    const window = this.#quarterHours;
    const at = `${what} ${account}`;
    if (known !== undefined) {
      return [
        { window, key: `tries known ${account}`, limit: TRIES_PER_NETWORK_AND_ACCOUNT, countsRight: true },
        { window, key: `known ${known} ${what}`, limit: WRONG_PER_DEVICE },
      ];
    }
    const network = networkOf(address);
    return [
      { window, key: `tries ${network} ${at}`, limit: TRIES_PER_NETWORK_AND_ACCOUNT, countsRight: true },
      { window, key: `network ${network} ${at}`, limit: WRONG_PER_NETWORK_AND_ACCOUNT },
      // A signature cannot be guessed.
      ...(what === 'passkey'
        ? []
        : [{ window: this.#hours, key: `account ${at}`, limit: WRONG_PER_ACCOUNT[what] }]),
    ];
  }

  /** The address that was typed is left out: it may be a password in the wrong field. */
  #note(
    { address, requestId, isSignedIn }: Visitor,
    { what, reason, accountId }: { what: Guess['what']; reason: string; accountId?: string | undefined },
  ): void {
    const event = isSignedIn ? 'confirmation.failed' : 'sign-in.failed';
    this.#platform.log.warn(
      { event, address, what, reason, ...(accountId && { accountId }), requestId },
      'a sign-in was refused',
    );
  }

  #tooMany(reason: 'sign-in.too-many-attempts' | 'sign-in.too-many-resets', resetAt: number): ApiError {
    return rateLimitExceeded(say(reason), (resetAt - this.#platform.clock.now()) / 1000);
  }
}

async function giveBack(budgets: Budget[]): Promise<void> {
  for (const { window, key } of budgets) await window.undo(key);
}

/** The origin of a request, as relevant for sign-in. */
export interface Visitor {
  address: string;
  userAgent: string;
  /** The site that the browser calls. */
  site: { protocol: string; host: string };
  /** The browser's current credential. Signing in replaces it. */
  credential: string | undefined;
  /** Whether the person is already signed in and only confirms their identity. */
  isSignedIn: boolean;
  requestId: string;
  /** The device cookie of an earlier sign-in to this account. */
  deviceToken: (accountId: string) => string | undefined;
}
