import { hash, timingSafeEqual } from 'node:crypto';
import type { TokenReply } from '#contract/oauth.ts';
import { say } from '#contract/reasons.ts';
import type { Platform } from '#platform/platform.ts';
import { badCode, type OAuthError } from '../oauth-error.ts';
import { consumeCode, endGrants } from '../queries.ts';
import { findEnd, isHeld } from '../rules.ts';
import { type Presented, parseCode } from '../token-strings.ts';
import type { FindGrant } from './find-grant.ts';
import { makePair, toTokenReply } from './token-pair.ts';

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
export async function exchangeCode(
  deps: Pick<Platform, 'db' | 'clock' | 'random'> & { findGrant: FindGrant },
  { appId, code, redirectUri, verifier }: Exchange,
): Promise<TokenReply> {
  const presented = parseCode(code);
  if (!presented) throw badCode(say('token.code-malformed'));
  const pair = makePair(deps, presented.familyId);
  const codeChallenge = verifier === undefined ? null : hash('sha256', verifier, 'base64url');
  const scopes = await deps.db.write((tx) =>
    consumeCode(tx, {
      ...pair.row,
      familyId: presented.familyId,
      appId,
      codeHash: presented.hash,
      redirectUri,
      codeChallenge,
    }),
  );
  if (scopes) return toTokenReply(pair, scopes);
  throw await explain(deps, presented, { appId, redirectUri, codeChallenge });
}

/** Why a code was refused. For another client, the code counts as unknown. */
async function explain(
  { db, clock, findGrant }: Pick<Platform, 'db' | 'clock'> & { findGrant: FindGrant },
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
      await db.write((tx) => endGrants(tx, [grant.familyId], { at: now, reason: 'code-reused' }));
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
