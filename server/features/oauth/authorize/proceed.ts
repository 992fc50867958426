import type { Person } from '#features/accounts/index.ts';
import type { OAuthDeps } from '../deps.ts';
import type { OpenIdRefusal, OpenIdRequest } from '../openid/request.ts';
import { type Asking, type AuthorizationFault, type Redirection, refuse } from './authorize.ts';
import { findEarlierGrants, grantAgain } from './consent.ts';
import { demandSignIn, findSignInDemand } from './sign-in-demand.ts';

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
    now: deps.clock.now(),
  });
  if (step === 'sign-in') return { returnTo: demandSignIn(deps, url), loginHint: openId.loginHint };
  if (typeof step === 'object') return refuse(deps, request, step);
  return step === 'grant' && person ? grantAgain(deps, { request, person }) : undefined;
}

/** `grant`: without asking, as `prompt=none` requires. */
type NextStep = 'sign-in' | 'ask' | 'grant' | OpenIdRefusal;

interface Situation {
  person: Pick<Person, 'accountId' | 'authenticatedAt'> | undefined;
  /** When this request demanded a sign-in, if it did. */
  signInDemandedAt: number | undefined;
  /** Whether all requested scopes have been granted and are still valid. */
  isGranted: boolean;
  now: number;
}

/** The next step of an OpenID Connect request (Core §3.1.2.3 and §3.1.2.4). */
function decideNextStep(request: OpenIdRequest, situation: Situation): NextStep {
  const { person, signInDemandedAt, isGranted } = situation;
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
