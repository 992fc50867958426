import { LIFETIME_SECONDS } from '#contract/oauth.ts';
import { say } from '#contract/reasons.ts';
import type { GrantedScope } from '#contract/scopes.ts';
import type { Accounts, Person } from '#features/accounts/index.ts';
import type { Applications } from '#features/applications/index.ts';
import { openText, sealText } from '#platform/crypto/sealed-text.ts';
import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { publicUrlOf } from '#platform/public-url.ts';
import { findConnections } from '../connections/connections.ts';
import { insertOpenIdGrant } from '../openid/claims.ts';
import { insertDecision } from '../queries.ts';
import { dayOf, redirectTo } from '../rules.ts';
import { makeCode } from '../token-strings.ts';
import type { AuthorizationFault, AuthorizationRequest, Redirection } from './authorize.ts';

/** How long the page is valid before the decision. */
export const CONSENT_MINUTES = 60;

interface Consent {
  familyId: string;
  askedAt: number;
  request: AuthorizationRequest;
}

type Deciding = Platform & {
  accounts: Accounts;
  applications: Applications;
};

interface Decision {
  familyId: string;
  request: AuthorizationRequest;
  person: Person;
  isApproved: boolean;
}

/**
 * The form of the consent page carries the whole request, sealed, so that nothing is stored for a page that
 * is only viewed. It is valid only in this person's session, and only unchanged.
 */
export function createConsent(
  { keyring, clock, newId }: Platform,
  { request, person }: { request: AuthorizationRequest; person: Person },
): string {
  const consent: Consent = { familyId: newId('fam'), askedAt: clock.now(), request };
  return sealText(keyring, contextOf(person), consent);
}

/**
 * The person's decision, once per consent: where to send the browser, by a 303.
 *
 * @param consent the value from {@link createConsent}, as sent back by the form
 */
export async function decideConsent(
  deps: Deciding,
  { consent, person, isApproved }: { consent: string; person: Person; isApproved: boolean },
): Promise<Redirection | AuthorizationFault> {
  const { clock, keyring } = deps;
  const now = clock.now();
  const opened = openText<Consent>(keyring, contextOf(person), consent);
  if (!opened) return { page: 400, fault: say('oauth.other-person') };
  const { familyId, askedAt, request } = opened;
  if (now - askedAt >= CONSENT_MINUTES * 60_000) return { page: 400, fault: say('oauth.too-old') };
  return settle(deps, { familyId, request, person, isApproved });
}

/**
 * Settles a decision, once: that of the person, or an approval without a page, as `prompt=none` of OpenID Connect asks for, of
 * scopes that the person has granted before.
 *
 * @returns where to send the browser, by a 303
 */
export async function settle(deps: Deciding, decision: Decision): Promise<Redirection | AuthorizationFault> {
  const { familyId, request, person, isApproved } = decision;
  const { db, clock, accounts, applications } = deps;
  const now = clock.now();
  return db.begin(async (tx) => {
    const [account] = await accounts.lockShared(tx, [person.accountId]);
    if (account?.deletedAt !== null) return { page: 400, fault: say('oauth.account-deleted') } as const;
    if (await accounts.isSuspended(tx, person.accountId, now)) {
      return { page: 400, fault: say('oauth.account-suspended') } as const;
    }
    const { appId, published, redirectUri, state } = request;
    if (published && isApproved) await applications.admitPublishedClient(tx, { appId, ...published });
    // A client that was never approved is not an application yet.
    const isNew = published && !isApproved;
    if (!isNew && !(await applications.lockActiveClient(tx, appId))) {
      return { page: 404, fault: say('oauth.application-inactive') } as const;
    }
    if (!published && !(await applications.isRegisteredRedirectUri(appId, redirectUri, tx))) {
      return { page: 400, fault: say('oauth.redirect-uri-removed') } as const;
    }
    const isSignIn = request.scopes.includes('openid');
    const signIn = isSignIn ? await accounts.findAuthentication(person, tx) : undefined;
    if (isSignIn && !signIn) return { page: 400, fault: say('oauth.other-person') } as const;
    if (!(await insertDecision(tx, familyId, now))) {
      return { page: 400, fault: say('oauth.decided') } as const;
    }
    // Shows a client of several servers which of them answers (RFC 9207).
    const iss = publicUrlOf(deps.config);
    if (!isApproved) return { redirectTo: redirectTo(redirectUri, { error: 'access_denied', state, iss }) };
    const code = await grant(tx, deps, decision, now);
    if (signIn) await insertOpenIdGrant(tx, { familyId, nonce: request.nonce ?? null, ...signIn });
    return { redirectTo: redirectTo(redirectUri, { code, state, iss }) };
  });
}

/** Stores a grant. Returns its code. */
async function grant(
  tx: Tx,
  { random }: Platform,
  { familyId, request, person: { accountId } }: Decision,
  now: number,
): Promise<string> {
  const { appId, scopes, redirectUri, codeChallenge } = request;
  const code = makeCode(familyId, random);
  const expiresAt = now + LIFETIME_SECONDS.authorizationCode * 1000;
  const times = { expiresAt, expiresOn: dayOf(expiresAt), createdAt: now };
  const bound = { codeHash: code.hash, codeRedirectUri: redirectUri, codeChallenge: codeChallenge ?? null };
  await tx`insert into grants ${tx({ familyId, appId, accountId, scopes, ...bound, ...times })}`;
  await tx`insert into application_grants ${tx({ appId, familyId })}`;
  await tx`
    insert into connected_applications ${tx({ accountId, appId, firstGrantedAt: now })}
    on conflict (account_id, app_id) do nothing`;
  await tx`insert into account_grants ${tx({ accountId, appId, familyId })}`;
  return code.text;
}

/** The scopes that the person has granted to the application before and not revoked: the consent page shows them. */
export async function findEarlierGrants(
  deps: Platform & { applications: Applications },
  accountId: string,
  appId: string,
): Promise<GrantedScope[]> {
  const [connection] = await findConnections(deps, accountId, [appId]);
  return connection?.scopes ?? [];
}

function contextOf({ accountId, sessionHash }: Person) {
  return { table: 'consents', rowId: `${accountId}:${sessionHash.toString('hex')}` };
}
