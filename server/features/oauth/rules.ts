import type { EndReason } from '#contract/oauth.ts';
import type { GrantRow } from './queries.ts';

const DAY_MS = 86_400_000;

/** How long ended grants and the call log are kept for people to read. */
export const KEPT_MS = 30 * DAY_MS;

/** Days since 1970, in UTC, for the index on an expiry that changes with every refresh. */
export function dayOf(time: number): number {
  return Math.floor(time / DAY_MS);
}

export type GrantEnding = Pick<GrantRow, 'refreshedAt' | 'expiresAt' | 'endedAt' | 'endReason'>;

/**
 * When and why a grant ended; undefined while it is valid. Expiry takes effect at once, although the worker
 * records it later.
 */
export function findEnd(
  { refreshedAt, expiresAt, endedAt, endReason }: GrantEnding,
  now: number,
): { endedAt: number; endReason: EndReason } | undefined {
  if (endedAt !== null && endReason !== null) return { endedAt, endReason };
  if (now < expiresAt) return undefined;
  return { endedAt: expiresAt, endReason: refreshedAt === null ? 'code-expired' : 'refresh-token-expired' };
}

/** Whether its tokens are refused because the person is suspended. */
export function isHeld({ heldUntil }: { heldUntil: number | null }, now: number): boolean {
  return heldUntil !== null && now < heldUntil;
}

/** The registered URI unchanged, with the parameters appended to its query (decisions: OAuth). */
export function redirectTo(uri: string, parameters: Record<string, string | undefined>): string {
  const added = Object.entries(parameters)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  if (!uri.includes('?')) return `${uri}?${added}`;
  return /[?&]$/.test(uri) ? uri + added : `${uri}&${added}`;
}
