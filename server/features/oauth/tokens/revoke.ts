import { timingSafeEqual } from 'node:crypto';
import type { Platform } from '#platform/platform.ts';
import { endGrants, type GrantRow } from '../queries.ts';
import { parseAccessToken, parseRefreshToken } from '../token-strings.ts';
import type { FindGrant } from './find-grant.ts';

type Deps = Pick<Platform, 'db' | 'clock'> & { findGrant: FindGrant };

/**
 * Ends the family of a token, if it is the client's own; the answer does not reveal whether it was (contract
 * §4, RFC 7009). An expired access token and an old refresh token end it, too: a sign-out applies to the whole
 * family.
 */
export async function revokeToken(
  { db, clock, findGrant }: Deps,
  appId: string,
  token: string,
): Promise<void> {
  const parsed = parseToken(token);
  if (!parsed) return;
  const grant = await findGrant(parsed.familyId);
  if (grant?.appId !== appId || !parsed.matches(grant)) return;
  const end = { at: clock.now(), reason: 'revoked-by-client' } as const;
  await db.write((tx) => endGrants(tx, [grant.familyId], end));
}

function parseToken(token: string): { familyId: string; matches: (grant: GrantRow) => boolean } | undefined {
  const access = parseAccessToken(token);
  if (access) {
    return { familyId: access.familyId, matches: ({ accessHash }) => isSame(accessHash, access.hash) };
  }
  const refresh = parseRefreshToken(token);
  if (!refresh) return undefined;
  return {
    familyId: refresh.familyId,
    matches: ({ lineageHash }) => isSame(lineageHash, refresh.lineageHash),
  };
}

function isSame(stored: Buffer | null, given: Buffer): boolean {
  return stored !== null && timingSafeEqual(stored, given);
}
