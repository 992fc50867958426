import type { Profile } from './wire.ts';

const LIFETIME_MS = 5 * 60_000;
const MOST = 1_000;

/** Profiles of the last five minutes, so that a conversation does not need a call for each message. */
export class ProfileCache {
  readonly #find: (userId: string) => Promise<Profile>;
  readonly #now: () => number;
  readonly #kept = new Map<string, { profile: Promise<Profile>; until: number }>();

  constructor(find: (userId: string) => Promise<Profile>, now: () => number) {
    this.#find = find;
    this.#now = now;
  }

  find(userId: string): Promise<Profile> {
    const kept = this.#kept.get(userId);
    if (kept && this.#now() < kept.until) return kept.profile;
    this.#kept.delete(userId);
    const profile = this.#find(userId);
    this.#kept.set(userId, { profile, until: this.#now() + LIFETIME_MS });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST && oldest !== undefined) this.#kept.delete(oldest);
    // A failure is not kept.
    profile.catch(() => this.#kept.delete(userId));
    return profile;
  }
}
