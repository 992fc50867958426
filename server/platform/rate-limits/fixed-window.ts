import type { Clock } from '../clock.ts';

/** The state of a key's window. */
export interface WindowState {
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
    if (window && now < window.resetAt) {
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
    if (!window || now >= window.resetAt) {
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
    if (window && window.count > 0 && this.#clock.now() < window.resetAt) window.count--;
  }

  forget(key: string): void {
    this.#windows.delete(key);
  }

  /** The number of keys, including expired ones that have not been swept yet. */
  get size(): number {
    return this.#windows.size;
  }

  /**
   * Each new key removes up to two expired ones, so that memory stays proportional to the last window's keys, without
   * pauses.
   */
  #sweep(now: number): void {
    let swept = 0;
    for (const [key, window] of this.#windows) {
      if (window.resetAt > now || swept === SWEPT_PER_NEW_KEY) return;
      this.#windows.delete(key);
      swept++;
    }
  }
}
