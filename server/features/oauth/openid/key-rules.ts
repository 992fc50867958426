import { OPENID_LIMITS } from '#contract/openid.ts';

/** The age of a signing key, which determines its use. */
interface Aged {
  createdAt: number;
}

/** After this time every process and every cache of the published keys has a new key. */
export const SETTLING_MS = 10 * 60_000;

/**
 * The key that signs now: the newest one that all caches contain by now, or the first.
 *
 * @param keys in the order of their creation
 */
export function activeKey<K extends Aged>(keys: readonly K[], now: number): K | undefined {
  return keys.findLast(({ createdAt }) => now - createdAt >= SETTLING_MS) ?? keys[0];
}

/** Unneeded keys: every token that they signed has expired. */
export function expiredKeys<K extends Aged>(keys: readonly K[], now: number): K[] {
  return keys.filter((_, i) => {
    const next = keys[i + 1];
    const longest = 2 * SETTLING_MS + OPENID_LIMITS.idTokenSeconds * 1000;
    return next !== undefined && now - next.createdAt > longest;
  });
}
