import { hash } from 'node:crypto';
import { findTermsToAccept, type Person } from '#features/accounts/index.ts';
import { openText, sealText } from '#platform/crypto/sealed-text.ts';
import type { OAuthDeps } from '../deps.ts';
import type { OpenIdRefusal, OpenIdRequest } from '../openid/request.ts';
import { type Asking, type AuthorizationFault, type Redirection, refuse } from './authorize.ts';
import { findEarlierGrants, settle } from './consent.ts';

const PARAMETER = 'sign_in_demanded';
/** The same as for the consent page that follows. */
const LIFETIME_MS = 60 * 60_000;

/**
 * The address of an authorization request, with the time at which it demanded a sign-in: after signing in,
 * the person returns to it and continues. The time is sealed, so that nobody can forge one that skips the
 * sign-in.
 */
function demandSignIn({ keyring, clock }: OAuthDeps, url: string): string {
  const plain = withoutDemand(url);
  const demand = sealText(keyring, contextOf(plain), { at: clock.now() });
  return `${plain}${plain.includes('?') ? '&' : '?'}${PARAMETER}=${demand}`;
}

/** When this request demanded a sign-in; undefined when it did not, or too long ago. */
function findSignInDemand({ keyring, clock }: OAuthDeps, url: string): number | undefined {
  const [, text] = new RegExp(`[?&]${PARAMETER}=([^&]*)`).exec(url) ?? [];
  if (text === undefined) return undefined;
  const demand = openText<{ at: number }>(keyring, contextOf(withoutDemand(url)), text);
  return demand && clock.now() - demand.at < LIFETIME_MS ? demand.at : undefined;
}

function withoutDemand(url: string): string {
  return url.replace(new RegExp(`&${PARAMETER}=[^&]*`, 'g'), '');
}

function contextOf(url: string) {
  return { table: 'sign_in_demands', rowId: hash('sha256', url) };
}

/** The person signs in, possibly again, and returns by this path. */
export interface SignInFirst {
  returnTo: string;
  loginHint: string | undefined;
}

/**
 * Handles the parts of an OpenID Connect request before, or instead of, the consent page.
 *
 * @param url of the request, unchanged
 * @returns undefined to ask the person
 */
export async function proceedWithOpenId(
  deps: OAuthDeps,
  {
    asking,
    openId,
    person,
    url,
  }: { asking: Asking; openId: OpenIdRequest; person: Person | undefined; url: string },
): Promise<Redirection | AuthorizationFault | SignInFirst | undefined> {
  const { request } = asking;
  const isSilent = openId.prompts.includes('none');
  const granted = isSilent && person ? await findEarlierGrants(deps, person.accountId, request.appId) : [];
  const step = decideNextStep(openId, {
    person,
    signInDemandedAt: findSignInDemand(deps, url),
    isGranted: request.scopes.every((scope) => granted.includes(scope)),
    hasTermsToAccept: person !== undefined && findTermsToAccept(person, deps.config) !== undefined,
    now: deps.clock.now(),
  });
  if (step === 'sign-in') return { returnTo: demandSignIn(deps, url), loginHint: openId.loginHint };
  if (typeof step === 'object') return refuse(deps, request, step);
  if (step !== 'grant' || !person) return undefined;
  return settle(deps, { familyId: deps.newId('fam'), request, person, isApproved: true });
}

/** `grant`: without asking, as `prompt=none` requires. */
type NextStep = 'sign-in' | 'ask' | 'grant' | OpenIdRefusal;

interface Situation {
  person: Pick<Person, 'accountId' | 'authenticatedAt'> | undefined;
  /** When this request demanded a sign-in, if it did. */
  signInDemandedAt: number | undefined;
  /** Whether all requested scopes have been granted and are still valid. */
  isGranted: boolean;
  hasTermsToAccept: boolean;
  now: number;
}

/** The next step of an OpenID Connect request (Core §3.1.2.3 and §3.1.2.4). */
function decideNextStep(request: OpenIdRequest, situation: Situation): NextStep {
  const { person, signInDemandedAt, isGranted, hasTermsToAccept } = situation;
  const isSilent = request.prompts.includes('none');
  if (!person || !isFresh(request, situation, person)) {
    return isSilent ? loginRequired('the person has to sign in') : 'sign-in';
  }
  const { hintedAccountId } = request;
  if (hintedAccountId !== undefined && hintedAccountId !== person.accountId) {
    if (isSilent || signInDemandedAt !== undefined) return loginRequired('somebody else is signed in');
    return 'sign-in';
  }
  if (!isSilent) return 'ask';
  if (hasTermsToAccept)
    return { error: 'interaction_required', description: 'the person has to accept the terms of the server' };
  if (isGranted) return 'grant';
  return { error: 'consent_required', description: 'the person has not granted all of this' };
}

/** A sign-in demanded by this request counts as fresh, however long the person takes afterwards. */
function isFresh(
  { prompts, maxAgeSeconds }: OpenIdRequest,
  { signInDemandedAt, now }: Situation,
  { authenticatedAt }: Pick<Person, 'authenticatedAt'>,
): boolean {
  if (signInDemandedAt !== undefined && authenticatedAt >= signInDemandedAt) return true;
  if (prompts.includes('login')) return false;
  return maxAgeSeconds === undefined || now - authenticatedAt <= maxAgeSeconds * 1000;
}

function loginRequired(description: string): OpenIdRefusal {
  return { error: 'login_required', description };
}
