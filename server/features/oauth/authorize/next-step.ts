import type { Person } from '#features/accounts/index.ts';
import type { OpenIdRefusal, OpenIdRequest } from '../openid/request.ts';

/** `grant`: without asking, as `prompt=none` requires. */
export type NextStep = 'sign-in' | 'ask' | 'grant' | OpenIdRefusal;

interface Situation {
  person: Pick<Person, 'accountId' | 'authenticatedAt'> | undefined;
  /** When this request demanded a sign-in, if it did. */
  signInDemandedAt: number | undefined;
  /** Whether all requested scopes have been granted and are still valid. */
  isGranted: boolean;
  now: number;
}

/** The next step of an OpenID Connect request (Core §3.1.2.3 and §3.1.2.4). */
export function decideNextStep(request: OpenIdRequest, situation: Situation): NextStep {
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
