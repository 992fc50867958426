import { type Said, say } from '#contract/reasons.ts';
import type { Person } from '#features/accounts/index.ts';
import { isId } from '#platform/ids.ts';
import { selectGrantsOf } from '../../connection-queries.ts';
import type { OAuthDeps } from '../../deps.ts';
import { endGrants } from '../../queries.ts';
import { redirectTo } from '../../rules.ts';
import { sessionClaim } from '../claims.ts';
import { type IdTokenHint, readIdTokenHint } from '../id-token.ts';
import { selectLogoutRedirectUris } from '../settings-queries.ts';
import { selectSignIns } from './queries.ts';
import { recordLogouts } from './record-logouts.ts';

/** An application's request to sign a person out here (RP-Initiated Logout §2). */
export interface LogoutRequest {
  appId?: string;
  hint?: IdTokenHint;
  /** Where the browser is redirected. */
  redirectTo?: string;
}

/** No redirect unless the address is known to be the application's. */
export async function readLogoutRequest(
  deps: OAuthDeps,
  query: Readonly<Record<string, string | undefined>>,
): Promise<LogoutRequest | { fault: Said }> {
  const { client_id: clientId, id_token_hint: token, post_logout_redirect_uri: uri, state } = query;
  // A hint that cannot be read proves nothing, and the person is asked.
  const read = token === undefined ? undefined : await readIdTokenHint(deps, token);
  if (read && clientId !== undefined && clientId !== read.appId) return { fault: say('openid.other-client') };
  const asked = read?.appId ?? clientId;
  // An application with OpenID Connect off is treated as unknown.
  const isOn =
    asked !== undefined && isId('app', asked) && (await deps.applications.hasExtension(asked, 'openid'));
  const request = isOn ? { appId: asked, ...(read && { hint: read }) } : {};
  if (uri === undefined) return request;
  const client = isOn ? await deps.applications.findActiveClient(asked) : undefined;
  const isKnown = client && (await selectLogoutRedirectUris(deps.db, client.appId)).includes(uri);
  if (!isKnown) return { fault: say('openid.logout-uri-unknown') };
  return { ...request, redirectTo: state === undefined ? uri : redirectTo(uri, { state }) };
}

/**
 * Whether the hint proves that the request is for the person's current session; then the person is not asked.
 */
export async function isProvenLogout(
  { accounts }: Pick<OAuthDeps, 'accounts'>,
  { hint }: LogoutRequest,
  person: Person,
): Promise<boolean> {
  if (hint?.accountId !== person.accountId) return false;
  const session = await accounts.findAuthentication(person);
  return session !== undefined && sessionClaim(hint.appId, session.signInId) === hint.sid;
}

/**
 * Notifies every application that the person signed in to with this session, and ends the grants of the
 * requesting one. The caller, which has the cookie, ends the session itself.
 */
export async function endSignIn(
  { db, clock, accounts }: OAuthDeps,
  person: Person,
  appId: string | undefined,
): Promise<void> {
  const session = await accounts.findAuthentication(person);
  if (!session) return;
  const families = await selectGrantsOf(db, person.accountId);
  await db.begin(async (tx) => {
    const ofSession = (await selectSignIns(tx, families)).filter(
      ({ signInId }) => signInId === session.signInId,
    );
    const familyIds = ofSession.map(({ familyId }) => familyId);
    await recordLogouts(tx, familyIds);
    const ended = ofSession.filter((one) => one.appId === appId).map(({ familyId }) => familyId);
    await endGrants(tx, ended, { at: clock.now(), reason: 'revoked-by-client' });
  });
}
