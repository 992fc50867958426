import { hash, timingSafeEqual } from 'node:crypto';
import { OAUTH } from '#contract/api/oauth.ts';
import type { TokenReply } from '#contract/oauth.ts';
import { say } from '#contract/reasons.ts';
import { serve } from '#platform/http/serve.ts';
import type { OAuthDeps } from './deps.ts';
import { badCode, type OAuthError, unauthorizedClient } from './oauth-error.ts';
import { completeWithIdToken } from './openid/id-token.ts';
import { consumeCode, endGrants } from './queries.ts';
import { findEnd, isHeld } from './rules.ts';
import { type Presented, parseAccessToken, parseCode, parseRefreshToken } from './token-strings.ts';
import { createRefresher, makePair, readTokenRequest, required, toTokenReply } from './tokens.ts';

/** Tokens. What a request lacks is refused before its client is authenticated (decisions: order of checks). */
export function clientRoutes(deps: OAuthDeps) {
  const refresh = createRefresher(deps);
  return serve(OAUTH, {
    'POST /oauth/token': async ({ fields, authenticate, reply }) => {
      const asked = readTokenRequest(fields);
      const { appId, state } = await authenticate();
      if (state !== 'active') throw unauthorizedClient(state);
      const isFirst = asked.grantType === 'authorization_code';
      const issued = await (isFirst ? exchangeCode(deps, { ...asked, appId }) : refresh({ ...asked, appId }));
      const tokens = await completeWithIdToken(deps, appId, issued, { isFirst });
      // An extension of the contract, whose schema would drop the field.
      if ('id_token' in tokens) reply.type('application/json; charset=utf-8').serializer(JSON.stringify);
      return tokens;
    },
    // A disabled application may still revoke: its tokens are refused anyway, so revoking them is harmless.
    'POST /oauth/revoke': async ({ fields, authenticate }) => {
      const token = required(fields, 'token');
      const { appId } = await authenticate();
      await revokeToken(deps, appId, token);
    },
  });
}

/**
 * Ends the family of a token, if it is the client's own; the answer does not reveal whether it was (contract
 * §4, RFC 7009). An expired access token and an old refresh token end it, too: a sign-out applies to the whole
 * family.
 */
async function revokeToken(
  { db, clock, shards, findGrant }: OAuthDeps,
  appId: string,
  token: string,
): Promise<void> {
  const access = parseAccessToken(token);
  const refresh = parseRefreshToken(token);
  const presented = access ?? refresh;
  const grant = presented && (await findGrant(presented.familyId));
  if (grant?.appId !== appId) return;
  const isGenuine = isSame(grant.accessHash, access?.hash) || isSame(grant.lineageHash, refresh?.lineageHash);
  if (!isGenuine) return;
  const end = { at: clock.now(), reason: 'revoked-by-client' } as const;
  await db.write((tx) => endGrants(tx, shards, [grant.familyId], end));
}

function isSame(stored: Buffer | null, given: Buffer | undefined): boolean {
  return stored !== null && given !== undefined && timingSafeEqual(stored, given);
}

interface Exchange {
  appId: string;
  code: string;
  redirectUri: string;
  verifier: string | undefined;
}

/**
 * Exchanges a code for the first pair of tokens of its family. A code reused by its client ends the family
 * and its tokens (decisions: OAuth). A wrong redirect URI or verifier consumes nothing.
 *
 * @throws OAuthError 400
 */
async function exchangeCode(
  deps: OAuthDeps,
  { appId, code, redirectUri, verifier }: Exchange,
): Promise<TokenReply> {
  const presented = parseCode(code);
  if (!presented) throw badCode(say('token.code-malformed'));
  const { familyId, hash: codeHash } = presented;
  const pair = makePair(deps, familyId);
  const codeChallenge = verifier === undefined ? null : hash('sha256', verifier, 'base64url');
  const exchange = { ...pair.row, familyId, appId, codeHash, redirectUri, codeChallenge };
  const scopes = await deps.db.write((tx) => consumeCode(tx, exchange));
  if (scopes) return toTokenReply(pair, scopes);
  throw await explain(deps, presented, { appId, redirectUri, codeChallenge });
}

/** Why a code was refused. For another client, the code counts as unknown. */
async function explain(
  { db, clock, shards, findGrant }: OAuthDeps,
  presented: Presented,
  asked: { appId: string; redirectUri: string; codeChallenge: string | null },
): Promise<OAuthError> {
  const now = clock.now();
  const grant = await findGrant(presented.familyId);
  if (grant?.appId !== asked.appId || !timingSafeEqual(grant.codeHash, presented.hash)) {
    return badCode(say('token.code-unknown'));
  }
  if (grant.codeConsumedAt !== null) {
    if (grant.endedAt === null)
      await db.write((tx) => endGrants(tx, shards, [grant.familyId], { at: now, reason: 'code-reused' }));
    return badCode(say('token.code-used'));
  }
  const end = findEnd(grant, now);
  if (end?.endReason === 'code-expired') return badCode(say('token.code-expired'));
  if (end) return badCode(say('token.grant-ended', { reason: end.endReason }));
  if (isHeld(grant, now)) return badCode(say('token.person-suspended'));
  if (grant.codeRedirectUri !== asked.redirectUri) {
    return badCode(say('token.other-redirect-uri'));
  }
  return asked.codeChallenge !== null && grant.codeChallenge === null
    ? badCode(say('token.verifier-unasked'))
    : badCode(say('token.verifier-wrong'));
}
