import { isIPv6 } from 'node:net';
import type { Clock } from '#platform/clock.ts';
import { ApiError } from '#platform/errors.ts';
import type { Redis } from '#platform/redis.ts';
import { openWindow, type RequestWindow } from '#platform/request-window.ts';

const GUESS_WINDOW_MS = 15 * 60_000;
const GUESSES_PER_ADDRESS = 50;
const GUESSES_PER_ACCOUNT = 10;
const SIGN_UP_WINDOW_MS = 60 * 60_000;

/** Limits how many passwords and codes may be guessed, and how many accounts one address may make. */
export class Throttle {
  readonly #clock: Clock;
  readonly #guesses: RequestWindow;
  readonly #signUps: RequestWindow;
  readonly #signUpsPerHour: number;

  constructor(clock: Clock, { signUpsPerHour }: { signUpsPerHour: number }, redis?: Redis) {
    this.#clock = clock;
    this.#guesses = openWindow({ clock, redis }, 'guess', { windowMs: GUESS_WINDOW_MS });
    this.#signUps = openWindow({ clock, redis }, 'sign-up', { windowMs: SIGN_UP_WINDOW_MS });
    this.#signUpsPerHour = signUpsPerHour;
  }

  /** @throws ApiError 429 */
  async countSignUp(address: string): Promise<void> {
    const { allowed, resetAt } = await this.#signUps.hit(networkOf(address), this.#signUpsPerHour);
    if (!allowed) throw this.#tooMany('sign-ups', resetAt);
  }

  /**
   * Lets a password or code be tried. The guess counts before it is judged, so that a hundred at once count too; it is taken
   * back when it was right, or when it could not be judged.
   *
   * @param account what is guessed at, whether it exists or not
   * @throws ApiError 429
   */
  async guess(address: string, account: string, isRight: () => Promise<boolean>): Promise<boolean> {
    const budgets = [
      { key: `address ${networkOf(address)}`, limit: GUESSES_PER_ADDRESS },
      { key: `account ${account}`, limit: GUESSES_PER_ACCOUNT },
    ];
    const taken: string[] = [];
    let counts = false;
    try {
      for (const { key, limit } of budgets) {
        const { allowed, resetAt } = await this.#guesses.hit(key, limit);
        if (!allowed) throw this.#tooMany('wrong attempts', resetAt);
        taken.push(key);
      }
      counts = !(await isRight());
    } finally {
      if (!counts) for (const key of taken) await this.#guesses.undo(key);
    }
    return !counts;
  }

  #tooMany(what: string, resetAt: number): ApiError {
    const seconds = String(Math.max(1, Math.ceil((resetAt - this.#clock.now()) / 1000)));
    return new ApiError(429, 'RATE_LIMIT_EXCEEDED', `too many ${what}; try again in ${seconds} s`, {
      'retry-after': seconds,
    });
  }
}

/** Who an address stands for: one IPv4 address, or the /64 that one IPv6 customer has to himself. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [head = '', tail] = address.split('::');
  const first = head.split(':').filter(Boolean);
  // A `::` stands for as many zeros as are missing; what follows it counts only where it reaches the first half.
  const last = tail === undefined ? [] : tail.split(':').filter(Boolean);
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  const groups = [...first, ...zeros, ...last].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
