import { hash } from 'node:crypto';
import type { Clock } from '#platform/clock.ts';
import { NotDone } from '#platform/errors.ts';

/**
 * An API key from the cache: its application and the version that the application had at the lookup. The statement that does
 * the work compares the version, which increases with every change of the application, its keys or its bot; so a revoked key
 * is refused as soon as the request that revoked it is answered (docs/decisions/0035).
 */
export interface CachedKey {
  appId: string;
  version: number;
}

/** Thrown by work whose statement found that a cached key is out of date. */
export class KeyChanged extends NotDone {}

/** Beyond this number the oldest key is evicted. */
const MAX_KEYS = 10_000;
/** Limits how long changes by hand, or by an older version that does not maintain `version`, go unnoticed. */
const KEPT_MS = 60_000;

export interface KeyAge {
  /** Accepts expired entries, while the database that could change or confirm them is unreachable. */
  mayBeOld?: boolean;
}

/** The results of the last lookups of keys. An entry alone does not authorize anything: see {@link CachedKey}. */
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

  /** Replaces the entry; `undefined` removes it. */
  keep(keyHash: Buffer, value: T | undefined): void {
    const name = keyHash.toString('binary');
    this.#entries.delete(name);
    if (value === undefined) return;
    this.#entries.set(name, { value, until: this.#clock.now() + KEPT_MS });
    const [oldest] = this.#entries.size > MAX_KEYS ? this.#entries.keys() : [];
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
