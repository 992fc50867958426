import { say } from '#contract/reasons.ts';
import { type ApiError, rateLimitExceeded } from '#platform/errors.ts';
import { networkOf } from '#platform/http/client-address.ts';
import type { Platform } from '#platform/platform.ts';
import { openWindow, type RequestWindow } from '#platform/rate-limits/request-window.ts';
import { type Asker, FairQueue } from './fair-queue.ts';
import type { Visitor } from './visitor.ts';

const QUARTER_HOUR_MS = 15 * 60_000;
const HOUR_MS = 60 * 60_000;
/** Wrong guesses in a quarter of an hour: from a network at one account, and at all; on a device that is known. */
const WRONG_PER_NETWORK_AND_ACCOUNT = 10;
const WRONG_PER_NETWORK = 50;
const WRONG_PER_DEVICE = 10;
/** Wrong guesses of strangers at one account in an hour, wherever they come from (OWASP ASVS 2.2.1: no more than 100). */
const WRONG_PER_ACCOUNT = { password: 100, code: 30 };
/** All tries in a quarter of an hour, right or wrong: each costs 20 MiB and some 40 ms of a core. */
const TRIES_PER_NETWORK_AND_ACCOUNT = 30;
const TRIES_PER_NETWORK = 600;

/** Mails with a link to a new password in an hour: nobody's mailbox is filled by strangers. */
const RESETS_PER_ACCOUNT = 3;
const RESETS_PER_NETWORK = 30;

/** More hashes at once would starve everything else in the process. What somebody had is remembered as long as what was tried. */
const HASHES = { atOnce: 2, maxWaiting: 128, windowMs: QUARTER_HOUR_MS };

/** A guess, and at what. */
export interface Guess {
  what: 'password' | 'code' | 'passkey';
  /** The id of the account, or the address that was typed, whether it exists or not. */
  account: string;
  /** A device or session that is known to be the account's own: the guesses of strangers do not bar it. */
  known?: string | undefined;
}

export interface Judged {
  isRight: boolean;
  /** For the log, where the account exists. */
  accountId?: string | undefined;
}

interface Budget {
  window: RequestWindow;
  key: string;
  limit: number;
  /** Also what was right counts. */
  countsRight?: true;
}

/** Runs costly work when it is its turn. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Limits how many passwords and codes may be guessed, and what of the processor that may take (docs/decisions/0038). */
export class Throttle {
  readonly #platform: Pick<Platform, 'clock' | 'log'>;
  readonly #quarterHours: RequestWindow;
  readonly #hours: RequestWindow;
  readonly #signUps: RequestWindow;
  readonly #resets: RequestWindow;
  readonly #signUpsPerHour: number;
  readonly #queue: FairQueue;

  constructor(platform: Pick<Platform, 'clock' | 'log' | 'redis' | 'config'>) {
    this.#platform = platform;
    this.#quarterHours = openWindow(platform, 'guess', { windowMs: QUARTER_HOUR_MS });
    this.#hours = openWindow(platform, 'guess-hour', { windowMs: HOUR_MS });
    this.#signUps = openWindow(platform, 'sign-up', { windowMs: HOUR_MS });
    this.#resets = openWindow(platform, 'reset', { windowMs: HOUR_MS });
    this.#signUpsPerHour = platform.config.signUpsPerHour;
    this.#queue = new FairQueue(platform.clock, HASHES);
  }

  /** @throws ApiError 429 */
  async countSignUp({ address }: Pick<Visitor, 'address'>): Promise<void> {
    const { allowed, resetAt } = await this.#signUps.hit(networkOf(address), this.#signUpsPerHour);
    if (!allowed) throw this.#tooMany('sign-in.too-many-sign-ups', resetAt);
  }

  /** @throws ApiError 429 */
  async countReset({ address }: Pick<Visitor, 'address'>, account: string): Promise<void> {
    const hits = [
      [networkOf(address), RESETS_PER_NETWORK],
      [`account ${account}`, RESETS_PER_ACCOUNT],
    ] as const;
    for (const [key, limit] of hits) {
      const { allowed, resetAt } = await this.#resets.hit(key, limit);
      if (!allowed) throw this.#tooMany('sign-in.too-many-resets', resetAt);
    }
  }

  /**
   * The turns of whoever comes from this address with this account. The account is compared first: many people behind one
   * network, each with an account of their own, do not wait for one who signs in again and again.
   */
  turnsOf({ address }: Pick<Visitor, 'address'>, { account, known }: Omit<Guess, 'what'>): InTurn {
    const network = networkOf(address);
    const asker: Asker =
      known === undefined
        ? [`${network} ${account}`, network, address]
        : [`known ${account}`, `known ${account}`, address];
    return (work) => this.#queue.run(asker, work);
  }

  /**
   * Lets a password, code or passkey be tried, and logs what was refused. The guess counts before it is judged, so that a
   * hundred at once count too; what could not be judged is taken back.
   *
   * @throws ApiError 429
   */
  async guess(visitor: Visitor, guess: Guess, judge: (inTurn: InTurn) => Promise<Judged>): Promise<boolean> {
    const taken = await this.#take(visitor, guess);
    let judged: Judged;
    try {
      judged = await judge(this.turnsOf(visitor, guess));
    } catch (error) {
      await giveBack(taken);
      throw error;
    }
    if (judged.isRight) await giveBack(taken.filter(({ countsRight }) => !countsRight));
    else this.#note(visitor, { what: guess.what, reason: 'wrong', accountId: judged.accountId });
    return judged.isRight;
  }

  /** @throws ApiError 429 when one of the budgets is used up; none of them is charged then */
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
      { window, key: `tries ${network}`, limit: TRIES_PER_NETWORK, countsRight: true },
      { window, key: `tries ${network} ${at}`, limit: TRIES_PER_NETWORK_AND_ACCOUNT, countsRight: true },
      { window, key: `network ${network}`, limit: WRONG_PER_NETWORK },
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

  #tooMany(
    reason: 'sign-in.too-many-attempts' | 'sign-in.too-many-sign-ups' | 'sign-in.too-many-resets',
    resetAt: number,
  ): ApiError {
    return rateLimitExceeded(say(reason), (resetAt - this.#platform.clock.now()) / 1000);
  }
}

async function giveBack(budgets: Budget[]): Promise<void> {
  for (const { window, key } of budgets) await window.undo(key);
}
