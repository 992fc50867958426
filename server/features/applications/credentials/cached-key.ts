import { hash } from 'node:crypto';
import type { Clock } from '#platform/clock.ts';

/**
 * An API key that was found in memory and not looked up: which application it belongs to, and in which version the
 * application was then. The statement that does the work compares the version, which every change of the application, of
 * its keys and of its bot raises; so a revoked key is dead with the answer that revoked it (docs/decisions/0035).
 */
export interface CachedKey {
  appId: string;
  version: number;
}

/** Thrown by work whose statement found that a cached key no longer stands for what it did; nothing was done. */
export class KeyChanged extends Error {}

/** Beyond it the oldest is looked up again. */
const MAX_KEYS = 10_000;
/** So that rows changed by hand, or by a process of a version that knows no `version`, are noticed some time. */
const KEPT_MS = 60_000;

export interface KeyAge {
  /** Nobody can look it up for now, nor change its rows by hand. */
  mayBeOld?: boolean;
}

/** For what keys stood when they were last looked up. To be found here admits nobody: see {@link CachedKey}. */
export class KeyCache<T> {
  /** By the hash of the key, a character for each byte. */
  readonly #entries = new Map<string, { value: T; until: number }>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  find(key: string, { mayBeOld = false }: KeyAge = {}): T | undefined {
    const entry = this.#entries.get(hash('sha256', key, 'binary'));
    return entry && (mayBeOld || this.#clock.now() < entry.until) ? entry.value : undefined;
  }

  /** In place of what was kept; `undefined` forgets it. */
  keep(keyHash: Buffer, value: T | undefined): void {
    const name = keyHash.toString('binary');
    this.#entries.delete(name);
    if (value === undefined) return;
    this.#entries.set(name, { value, until: this.#clock.now() + KEPT_MS });
    const [oldest] = this.#entries.size > MAX_KEYS ? this.#entries.keys() : [];
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
