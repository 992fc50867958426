import { LIFETIME_SECONDS } from '#contract/oauth.ts';
import { say } from '#contract/reasons.ts';
import type { Scope } from '#contract/scopes.ts';
import type { Accounts, Person } from '#features/accounts/index.ts';
import type { Applications } from '#features/applications/index.ts';
import type { Tx } from '#platform/database.ts';
import type { Keyring } from '#platform/keyring.ts';
import type { Platform } from '#platform/platform.ts';
import { publicUrlOf } from '#platform/public-url.ts';
import { type AuthorizationFault, type AuthorizationRequest, redirectTo } from './authorize.ts';
import { insertAccountGrant, insertApplicationGrant, upsertConnection } from './connection-queries.ts';
import { findConnections } from './connections.ts';
import { insertDecision, insertGrant } from './queries.ts';
import { dayOf } from './rules.ts';
import { makeCode } from './token-strings.ts';

/** How long a person may look at the page before the decision. */
export const CONSENT_MINUTES = 60;

interface Consent {
  familyId: string;
  askedAt: number;
  request: AuthorizationRequest;
}

/**
 * The form of the consent page carries the whole request, sealed, so that nothing is stored for a page that is only
 * looked at. It opens in this person's session alone; changed in any way, it does not open.
 */
export function createConsent(
  { keyring, clock, newId }: Pick<Platform, 'keyring' | 'clock' | 'newId'>,
  { request, person }: { request: AuthorizationRequest; person: Person },
): string {
  const consent: Consent = { familyId: newId('fam'), askedAt: clock.now(), request };
  const { keyId, ciphertext } = keyring.seal(placeOf(person), Buffer.from(JSON.stringify(consent)));
  return `${keyId}.${ciphertext.toString('base64url')}`;
}

/**
 * The person's decision, once per consent: where to send the browser, by a 303.
 *
 * @param consent what {@link createConsent} gave, as the form sent it back
 */
export async function decideConsent(
  deps: Pick<Platform, 'db' | 'keyring' | 'clock' | 'random' | 'config'> & {
    accounts: Accounts;
    applications: Applications;
  },
  { consent, person, isApproved }: { consent: string; person: Person; isApproved: boolean },
): Promise<{ redirectTo: string } | AuthorizationFault> {
  const { db, clock, keyring, accounts, applications } = deps;
  const now = clock.now();
  const opened = open(keyring, consent, person);
  if (!opened) return { page: 400, fault: say('oauth.other-person') };
  const { familyId, askedAt, request } = opened;
  if (now - askedAt >= CONSENT_MINUTES * 60_000) return { page: 400, fault: say('oauth.too-old') };
  return db.begin(async (tx) => {
    const [account] = await accounts.hold(tx, [person.accountId]);
    if (account?.deletedAt !== null) return { page: 400, fault: say('oauth.account-deleted') } as const;
    if (await accounts.isSuspended(tx, person.accountId, now)) {
      return { page: 400, fault: say('oauth.account-suspended') } as const;
    }
    if (!(await applications.holdActiveClient(tx, request.appId))) {
      return { page: 404, fault: say('oauth.application-inactive') } as const;
    }
    if (!(await applications.isRegisteredRedirectUri(request.appId, request.redirectUri, tx))) {
      return { page: 400, fault: say('oauth.redirect-uri-removed') } as const;
    }
    if (!(await insertDecision(tx, familyId, now))) {
      return { page: 400, fault: say('oauth.decided') } as const;
    }
    const { redirectUri, state } = request;
    // Tells a client of several servers which of them answers (RFC 9207).
    const iss = publicUrlOf(deps.config);
    if (!isApproved) return { redirectTo: redirectTo(redirectUri, { error: 'access_denied', state, iss }) };
    const code = await grant(tx, deps, { familyId, request, accountId: person.accountId, now });
    return { redirectTo: redirectTo(redirectUri, { code, state, iss }) };
  });
}

interface Granting {
  familyId: string;
  request: AuthorizationRequest;
  accountId: string;
  now: number;
}

async function grant(
  tx: Tx,
  { random }: Pick<Platform, 'random'>,
  { familyId, request, accountId, now }: Granting,
): Promise<string> {
  const { appId, scopes, redirectUri, codeChallenge } = request;
  const code = makeCode(familyId, random);
  const expiresAt = now + LIFETIME_SECONDS.authorizationCode * 1000;
  await insertGrant(tx, {
    familyId,
    appId,
    accountId,
    scopes,
    codeHash: code.hash,
    codeRedirectUri: redirectUri,
    codeChallenge: codeChallenge ?? null,
    expiresAt,
    expiresOn: dayOf(expiresAt),
    createdAt: now,
  });
  await insertApplicationGrant(tx, { appId, familyId });
  await upsertConnection(tx, { accountId, appId, firstGrantedAt: now });
  await insertAccountGrant(tx, { accountId, appId, familyId });
  return code.text;
}

/** The scopes that the person has granted to the application before and not revoked: the consent page shows them. */
export async function findEarlierGrants(
  deps: Pick<Platform, 'db' | 'clock'> & { applications: Applications },
  accountId: string,
  appId: string,
): Promise<Scope[]> {
  const [connection] = await findConnections(deps, accountId, [appId]);
  return connection?.scopes ?? [];
}

function open(keyring: Keyring, text: string, person: Person): Consent | undefined {
  const [, keyId, sealed] = /^(\d{1,4})\.([A-Za-z0-9_-]+)$/.exec(text) ?? [];
  if (!keyId || !sealed) return undefined;
  try {
    const ciphertext = Buffer.from(sealed, 'base64url');
    return JSON.parse(keyring.open(placeOf(person), { keyId: Number(keyId), ciphertext }).toString());
  } catch {
    return undefined;
  }
}

function placeOf({ accountId, sessionHash }: Person) {
  return { table: 'consents', rowId: `${accountId}:${sessionHash.toString('hex')}` };
}
