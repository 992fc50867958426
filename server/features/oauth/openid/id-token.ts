import { createLocalJWKSet, jwtVerify, SignJWT } from 'jose';
import type { TokenReply } from '#contract/oauth.ts';
import { OPENID_LIMITS } from '#contract/openid.ts';
import type { GrantedScope } from '#contract/scopes.ts';
import { publicUrlOf } from '#platform/public-url.ts';
import type { OAuthDeps } from '../deps.ts';
import { parseAccessToken } from '../token-strings.ts';
import {
  accessTokenHash,
  describeSignIn,
  findPersonClaims,
  selectOpenIdGrant,
  sessionClaim,
} from './claims.ts';
import { SIGNING_ALGORITHM } from './signing-keys.ts';

/**
 * Adds the ID token to the tokens of a grant that has the scope, unless the owner has turned it off.
 *
 * @param isFirst whether it is the first of its grant: later ones have no nonce (Core §12.2)
 */
export async function completeWithIdToken(
  deps: OAuthDeps,
  appId: string,
  reply: TokenReply,
  { isFirst }: { isFirst: boolean },
): Promise<TokenReply> {
  const { access_token: accessToken } = reply;
  const scopes = reply.scope.split(' ') as GrantedScope[];
  if (!scopes.includes('openid') || !(await deps.applications.hasExtension(appId, 'openid'))) return reply;
  const familyId = parseAccessToken(accessToken)?.familyId;
  const grant = familyId === undefined ? undefined : await selectOpenIdGrant(deps.db, familyId);
  if (!grant) return reply;
  const { accountId, signInId, nonce, authenticatedAt } = grant;
  const idToken = await sign(deps, {
    seconds: OPENID_LIMITS.idTokenSeconds,
    appId,
    claims: {
      sub: accountId,
      auth_time: Math.floor(authenticatedAt / 1000),
      ...(isFirst && nonce !== null && { nonce }),
      ...describeSignIn(grant),
      at_hash: accessTokenHash(accessToken),
      sid: sessionClaim(appId, signInId),
      ...(await findPersonClaims(deps, accountId, scopes)),
    },
  });
  return Object.assign(reply, { id_token: idToken });
}

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** Notifies an application that a person's session has ended (Back-Channel Logout §2.4). */
export async function makeLogoutToken(
  deps: OAuthDeps,
  { appId, accountId, signInId }: { appId: string; accountId: string; signInId: string },
): Promise<string> {
  return sign(deps, {
    seconds: OPENID_LIMITS.logoutTokenSeconds,
    appId,
    type: 'logout+jwt',
    claims: {
      sub: accountId,
      sid: sessionClaim(appId, signInId),
      jti: deps.random.bytes(16).toString('base64url'),
      events: { [LOGOUT_EVENT]: {} },
    },
  });
}

async function sign(
  { clock, config, signingKeys }: OAuthDeps,
  given: { appId: string; seconds: number; type?: string; claims: { sub: string; [name: string]: unknown } },
): Promise<string> {
  const { kid, privateKey } = await signingKeys.findActive();
  const now = Math.floor(clock.now() / 1000);
  return new SignJWT(given.claims)
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid, typ: given.type ?? 'JWT' })
    .setIssuer(publicUrlOf(config))
    .setAudience(given.appId)
    .setIssuedAt(now)
    .setExpirationTime(now + given.seconds)
    .sign(privateKey);
}

/** The claims of an ID token of ours, expired or not, which an application sends back as a hint. */
export interface IdTokenHint {
  accountId: string;
  appId: string;
  sid: string;
}

/** Undefined unless this server signed it as an ID token. */
export async function readIdTokenHint(
  { config, signingKeys }: OAuthDeps,
  token: string,
): Promise<IdTokenHint | undefined> {
  try {
    const keys = createLocalJWKSet({ keys: await signingKeys.listPublic() });
    const { payload } = await jwtVerify(token, keys, {
      algorithms: [SIGNING_ALGORITHM],
      issuer: publicUrlOf(config),
      typ: 'JWT',
      // A hint may be old: it identifies the person, but authorises nothing.
      currentDate: new Date(0),
    });
    const { sub, aud, sid } = payload;
    if (typeof sub !== 'string' || typeof aud !== 'string' || typeof sid !== 'string') return undefined;
    return { accountId: sub, appId: aud, sid };
  } catch {
    return undefined;
  }
}
