import type { Accounts, Person } from '#features/accounts/index.ts';
import type { Applications } from '#features/applications/index.ts';
import type { Platform } from '#platform/platform.ts';
import type { OpenIdRequest } from '../openid/request.ts';
import { type Asking, type AuthorizationFault, type Redirection, refuse } from './authorize.ts';
import { findEarlierGrants, grantAgain } from './consent.ts';
import { decideNextStep } from './next-step.ts';
import { demandSignIn, findSignInDemand } from './sign-in-demand.ts';

type Deps = Pick<Platform, 'db' | 'clock' | 'random' | 'config' | 'keyring' | 'newId'> & {
  accounts: Accounts;
  applications: Applications;
};

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
  deps: Deps,
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
