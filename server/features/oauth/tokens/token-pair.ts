import { LIFETIME_SECONDS, type TokenReply } from '#contract/oauth.ts';
import type { GrantedScope } from '#contract/scopes.ts';
import type { OAuthDeps } from '../deps.ts';
import type { TokenPairRow } from '../queries.ts';
import { dayOf } from '../rules.ts';
import { makeAccessToken, makeRefreshToken } from '../token-strings.ts';

/** A new pair of tokens: the tokens for the client, and the row for the database. */
export interface TokenPair {
  accessToken: string;
  refreshToken: string;
  row: TokenPairRow & { lineageHash: Buffer };
}

/** @param lineage of the refresh token that the pair is exchanged for; missing for the first of a family */
export function makePair({ clock, random }: OAuthDeps, familyId: string, lineage?: string): TokenPair {
  const now = clock.now();
  const access = makeAccessToken(familyId, random);
  const refresh = makeRefreshToken(familyId, random, lineage);
  const expiresAt = now + LIFETIME_SECONDS.refreshToken * 1000;
  return {
    accessToken: access.text,
    refreshToken: refresh.text,
    row: {
      accessHash: access.hash,
      accessExpiresAt: now + LIFETIME_SECONDS.accessToken * 1000,
      refreshHash: refresh.hash,
      lineageHash: refresh.lineageHash,
      issuedAt: now,
      expiresAt,
      expiresOn: dayOf(expiresAt),
    },
  };
}

export function toTokenReply(
  { accessToken, refreshToken }: TokenPair,
  scopes: readonly GrantedScope[],
): TokenReply {
  return {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: LIFETIME_SECONDS.accessToken,
    scope: scopes.join(' '),
  };
}
