import { timingSafeEqual } from 'node:crypto';
import type { TokenReply } from '#contract/oauth.ts';
import { say } from '#contract/reasons.ts';
import type { GrantedScope } from '#contract/scopes.ts';
import { Batcher } from '#platform/batch.ts';
import { isDeadlock } from '#platform/database.ts';
import { batchKeyOf } from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';
import { readScopes } from '../authorize/authorize.ts';
import type { OAuthDeps } from '../deps.ts';
import { badRefreshToken, type OAuthError, scopeNotGranted } from '../oauth-error.ts';
import { ALL_SCOPES } from '../openid/request.ts';
import { endGrants, type Rotated, type Rotation, rotate } from '../queries.ts';
import { findEnd, isHeld } from '../rules.ts';
import { type PresentedRefreshToken, parseRefreshToken } from '../token-strings.ts';
import { makePair, toTokenReply } from './token-pair.ts';

interface Refresh {
  appId: string;
  refreshToken: string;
  /** Fewer scopes for the new access token; the refresh token keeps all. */
  scope: string | undefined;
}

/**
 * Rotates refresh tokens, a batch in one statement. Of several requests with one token at most one
 * wins; the others count as reuse and end the family (decisions: OAuth).
 *
 * @returns a function that throws OAuthError 401, or 400 for a scope that was not granted
 */
export function createRefresher(deps: OAuthDeps) {
  const batcher = new Batcher<Rotation, GrantedScope[] | undefined>((rotations) =>
    rotateBatch(deps, rotations),
  );
  return async ({ appId, refreshToken, scope }: Refresh): Promise<TokenReply> => {
    const presented = parseRefreshToken(refreshToken);
    if (!presented) throw badRefreshToken(say('token.refresh-malformed'));
    const scopes = scope === undefined ? undefined : readScopes(scope, ALL_SCOPES);
    if (scopes && !Array.isArray(scopes)) throw scopeNotGranted();
    const pair = makePair(deps, presented.familyId, presented.lineage);
    const { familyId, hash: presentedHash } = presented;
    const rotation = { ...pair.row, familyId, appId, presentedHash, scope: scopes?.join(' ') ?? null };
    const granted = await batcher.submit(rotation, batchKeyOf(deps.shards, familyId));
    if (granted) return toTokenReply(pair, granted);
    throw await explain(deps, presented, appId);
  };
}

/**
 * Of several rotations of one token in a batch, the statement performs one; the new token's hash shows which.
 */
async function rotateBatch(
  { db }: OAuthDeps,
  rotations: Rotation[],
): Promise<(GrantedScope[] | undefined)[]> {
  const rotated = await rotateAll(db, rotations);
  const scopesOf = new Map(rotated.map((one) => [one.refreshHash.toString('latin1'), one.accessScopes]));
  return rotations.map(({ refreshHash }) => scopesOf.get(refreshHash.toString('latin1')));
}

/** Two processes that rotate the same families in different orders can deadlock: then one by one. */
async function rotateAll(db: Platform['db'], rotations: Rotation[]): Promise<Rotated[]> {
  try {
    return await db.write((tx) => rotate(tx, rotations));
  } catch (error) {
    if (!isDeadlock(error)) throw error;
    const rotated: Rotated[] = [];
    for (const rotation of rotations) rotated.push(...(await db.write((tx) => rotate(tx, [rotation]))));
    return rotated;
  }
}

/** Why a refresh token was refused. First ends the family of a reused one. */
async function explain(
  { db, clock, findGrant }: OAuthDeps,
  presented: PresentedRefreshToken,
  appId: string,
): Promise<OAuthError> {
  const now = clock.now();
  const grant = await findGrant(presented.familyId);
  const isOurs =
    grant?.appId === appId && grant.lineageHash && timingSafeEqual(grant.lineageHash, presented.lineageHash);
  if (!isOurs || !grant.refreshHash) return badRefreshToken(say('token.refresh-unknown'));
  const end = findEnd(grant, now);
  if (end) return badRefreshToken(say('token.consent-again', { reason: end.endReason }));
  if (timingSafeEqual(grant.refreshHash, presented.hash)) {
    return isHeld(grant, now) ? badRefreshToken(say('token.person-suspended')) : scopeNotGranted();
  }
  await db.write((tx) => endGrants(tx, [grant.familyId], { at: now, reason: 'refresh-token-reused' }));
  return badRefreshToken(say('token.refresh-reused'));
}
