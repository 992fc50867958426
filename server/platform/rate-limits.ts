import type { Said } from '#contract/reasons.ts';
import { Batcher } from './batch.ts';
import type { Clock } from './clock.ts';
import { rateLimitExceeded } from './errors.ts';
import type { Redis, Script } from './redis.ts';

interface WindowState {
  allowed: boolean;
  remaining: number;
  /** When the window ends, in epoch milliseconds. */
  resetAt: number;
}

interface Window {
  count: number;
  resetAt: number;
}

const SWEPT_PER_NEW_KEY = 2;

/**
 * Counts hits per key in windows of one length, in memory. A key's window begins with its first hit (decisions: Transport),
 * and a refused hit does not extend it.
 */
export class FixedWindow {
  readonly #clock: Clock;
  readonly #windowMs: number;
  /** In order of their ends: a restarted window moves to the end of the map. */
  readonly #windows = new Map<string, Window>();

  constructor(clock: Clock, { windowMs }: { windowMs: number }) {
    this.#clock = clock;
    this.#windowMs = windowMs;
  }

  /** Counts one hit. `allowed` is false for every hit beyond `limit` in the same window. */
  hit(key: string, limit: number): WindowState {
    const now = this.#clock.now();
    const window = this.#windows.get(key);
    if (window && this.#isOpen(window, now)) {
      if (window.count >= limit) return { allowed: false, remaining: 0, resetAt: window.resetAt };
      window.count++;
      return { allowed: true, remaining: limit - window.count, resetAt: window.resetAt };
    }
    if (window) this.#windows.delete(key);
    else this.#sweep(now);
    const resetAt = now + this.#windowMs;
    this.#windows.set(key, { count: 1, resetAt });
    return limit > 0
      ? { allowed: true, remaining: limit - 1, resetAt }
      : { allowed: false, remaining: 0, resetAt };
  }

  /** The state that a hit would get now, without counting it. */
  peek(key: string, limit: number): WindowState {
    const now = this.#clock.now();
    const window = this.#windows.get(key);
    if (!window || !this.#isOpen(window, now)) {
      return { allowed: limit > 0, remaining: limit, resetAt: now + this.#windowMs };
    }
    return {
      allowed: window.count < limit,
      remaining: Math.max(0, limit - window.count),
      resetAt: window.resetAt,
    };
  }

  /** Reverts one hit of the key's window, if it turned out not to count. */
  undo(key: string): void {
    const window = this.#windows.get(key);
    if (window && window.count > 0) window.count--;
  }

  forget(key: string): void {
    this.#windows.delete(key);
  }

  /** The number of keys, including expired ones that have not been swept yet. */
  get size(): number {
    return this.#windows.size;
  }

  /** One that begins later is from before the clock was set back. */
  #isOpen({ resetAt }: Window, now: number): boolean {
    return now < resetAt && now >= resetAt - this.#windowMs;
  }

  /**
   * Each new key removes up to two expired ones, so that memory stays proportional to the last window's keys, without
   * pauses.
   */
  #sweep(now: number): void {
    let swept = 0;
    for (const [key, window] of this.#windows) {
      if (this.#isOpen(window, now) || swept === SWEPT_PER_NEW_KEY) return;
      this.#windows.delete(key);
      swept++;
    }
  }
}

/** Counts hits per key, as {@link FixedWindow} does: in Redis for all processes, or in memory if there is only one. */
export interface RequestWindow {
  /** Counts one hit. `allowed` is false, and nothing is counted, for every hit beyond `limit` in the same window. */
  hit(key: string, limit: number): Promise<WindowState>;
  /** Reverts one hit of the key's window, if it turned out not to count. */
  undo(key: string): Promise<void>;
}

interface Call {
  key: string;
  /** {@link TAKE_BACK} reverts a hit. */
  limit: number;
  windowMs: number;
}

type Counted = [isAllowed: number, remaining: number, leftMs: number];

const TAKE_BACK = -1;

/** The same rules as FixedWindow. A window ends when its key expires, by Redis's clock. */
const COUNT: Script = {
  name: 'parleyCount',
  lua: `
    local answers = {}
    for i, key in ipairs(KEYS) do
      local limit, length = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
      local count = tonumber(redis.call('GET', key))
      if limit == ${TAKE_BACK} then
        if count and count > 0 then redis.call('DECR', key) end
        answers[i] = {1, 0, 0}
      elseif not count then
        redis.call('SET', key, 1, 'PX', length)
        answers[i] = {limit > 0 and 1 or 0, math.max(limit - 1, 0), length}
      elseif count >= limit then
        answers[i] = {0, 0, redis.call('PTTL', key)}
      else
        redis.call('INCR', key)
        answers[i] = {1, limit - count - 1, redis.call('PTTL', key)}
      end
    end
    return answers`,
};

/** One counter for each connection, so that concurrent hits share one script call. */
const COUNTERS = new WeakMap<Redis, Batcher<Call, Counted>>();

/**
 * Opens the windows of one purpose.
 *
 * @param name separates its keys from those of other purposes
 */
export function openWindow(
  { clock, redis }: { clock: Clock; redis: Redis | undefined },
  name: string,
  { windowMs }: { windowMs: number },
): RequestWindow {
  const own = new FixedWindow(clock, { windowMs });
  const inMemory: RequestWindow = {
    hit: async (key, limit) => own.hit(key, limit),
    undo: async (key) => own.undo(key),
  };
  if (!redis) return inMemory;
  const counter = counterOf(redis);
  const count = (key: string, limit: number) => {
    const shard = String(redis.shardOf(key));
    return counter.submit({ key: `parley:{${shard}}:${name}:${key}`, limit, windowMs }, shard);
  };
  return {
    async hit(key, limit) {
      // While Redis is unreachable, each process counts separately and the service continues (docs/decisions/0016).
      if (!redis.isAnswering) return inMemory.hit(key, limit);
      try {
        const [isAllowed, remaining, leftMs] = await count(key, limit);
        return { allowed: isAllowed === 1, remaining, resetAt: clock.now() + leftMs };
      } catch {
        return inMemory.hit(key, limit);
      }
    },
    async undo(key) {
      own.undo(key);
      if (redis.isAnswering) await count(key, TAKE_BACK).catch(() => {});
    },
  };
}

function counterOf(redis: Redis): Batcher<Call, Counted> {
  const known = COUNTERS.get(redis);
  if (known) return known;
  const counter = new Batcher<Call, Counted>(async (calls) => {
    const keys = calls.map(({ key }) => key);
    const args = calls.flatMap(({ limit, windowMs }) => [limit, windowMs]);
    return (await redis.run(COUNT, keys, args)) as Counted[];
  });
  COUNTERS.set(redis, counter);
  return counter;
}

interface RateLimitOptions {
  /** Separates its keys from those of other limits. */
  name: string;
  limit: number;
  /** A different limit for this key, if there is one. */
  findLimit?: (key: string) => Promise<number | undefined>;
  windowMs: number;
  /** The message of the 429; the time to wait is added. */
  refusal: Said;
}

/** Limits the hits per key and window; more get a 429. Processes share the count as in {@link openWindow}. */
export class RateLimit {
  readonly #clock: Clock;
  readonly #window: RequestWindow;
  readonly #options: RateLimitOptions;

  constructor({ clock, redis }: { clock: Clock; redis: Redis | undefined }, options: RateLimitOptions) {
    this.#clock = clock;
    this.#window = openWindow({ clock, redis }, options.name, options);
    this.#options = options;
  }

  /**
   * Counts a number of hits at once: all or none.
   *
   * @throws ApiError 429
   */
  async count(key: string, times = 1): Promise<void> {
    const { findLimit, refusal } = this.#options;
    const limit = (await findLimit?.(key)) ?? this.#options.limit;
    const states = await Promise.all(Array.from({ length: times }, () => this.#window.hit(key, limit)));
    const refused = states.find(({ allowed }) => !allowed);
    if (!refused) return;
    await this.#undo(key, states.filter(({ allowed }) => allowed).length);
    throw rateLimitExceeded(refusal, (refused.resetAt - this.#clock.now()) / 1000);
  }

  /**
   * The same around some work; failed work does not count.
   *
   * @throws ApiError 429, and whatever the work throws
   */
  async around<T>(key: string, times: number, work: () => Promise<T>): Promise<T> {
    await this.count(key, times);
    try {
      return await work();
    } catch (error) {
      await this.#undo(key, times);
      throw error;
    }
  }

  /**
   * Counts a search without a result. What exists is found however often others have missed.
   *
   * @throws ApiError 429 instead of too many misses, and whatever the search throws
   */
  async aroundMisses<T>(key: string, search: () => Promise<T | undefined>): Promise<T | undefined> {
    const found = await search();
    if (found === undefined) await this.count(key);
    return found;
  }

  async #undo(key: string, times: number): Promise<void> {
    await Promise.all(Array.from({ length: times }, () => this.#window.undo(key)));
  }
}
