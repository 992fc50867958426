import { ACCOUNT, SIGN_IN } from '#contract/api/auth.ts';
import { serve } from '#platform/http/serve.ts';
import type { AccountDeps } from './deps.ts';
import { askToConfirmEmail, changeEmail } from './email/confirmation.ts';
import { showSignUpRules } from './joining/policy.ts';
import { acceptTerms, showSignedIn } from './joining/terms.ts';
import { resolveInvite } from './profile/invite-link.ts';
import { listSessions, revokeSession, signOut, signOutEverywhere } from './sessions/own-sessions.ts';
import type { Browser, SignedIn } from './sign-in/enter.ts';
import { askForPasswordReset, resetForgottenPassword } from './sign-in/forgotten-password.ts';
import { changePassword } from './sign-in/passwords.ts';
import { signIn, signInByCode } from './sign-in/sign-in.ts';
import { askToSignInByPasskey, signInByPasskey } from './sign-in/sign-in-by-passkey.ts';
import { signUp } from './sign-in/sign-up.ts';

/** Signing in and out. */
export function signInRoutes(deps: AccountDeps) {
  return [
    serve(SIGN_IN, {
      'POST /sign-up': async ({ browser, body }) => {
        const made = await signUp(deps, browser, body);
        return 'confirmationTo' in made
          ? { emailConfirmation: { email: made.confirmationTo } }
          : begin(browser, made);
      },
      'GET /sign-up': async () => showSignUpRules(deps),
      'POST /sign-in': async ({ browser, body }) => {
        const step = await signIn(deps, browser, body);
        return 'ticket' in step ? { secondFactor: step } : begin(browser, step);
      },
      'POST /sign-in/code': async ({ browser, body }) =>
        begin(browser, await signInByCode(deps, browser, body)),
      'POST /sign-in/passkey/options': ({ browser }) => askToSignInByPasskey(deps, browser),
      'POST /sign-in/passkey': async ({ browser, body }) =>
        begin(browser, await signInByPasskey(deps, browser, body)),
      'POST /password/forgotten': ({ browser, body }) => askForPasswordReset(deps, browser, body),
      'POST /password/reset': async ({ browser, body }) => {
        await resetForgottenPassword(deps, browser, body);
        return {};
      },
      'GET /invitations/:token': async ({ params }) => {
        const { name, pictureUrl } = await resolveInvite(deps, params.token);
        return { name, ...(pictureUrl !== undefined && { pictureUrl }) };
      },
      'POST /sign-out': async ({ browser }) => {
        await signOut(deps, browser.credential);
        browser.forget();
        return {};
      },
    }),
  ];
}

/** A person's account and sessions. */
export function ownAccountRoutes(deps: AccountDeps) {
  return [
    serve(ACCOUNT, {
      'GET /session': async ({ person }) => ({
        account: await showSignedIn(deps, person.accountId),
      }),
      'POST /terms': async ({ person, body }) => {
        await acceptTerms(deps, person.accountId, body.termsUrl);
        return {};
      },
      'GET /sessions': ({ person }) => listSessions(deps, person),
      'POST /sessions/revoke': async ({ person, browser, body }) => {
        const { isCurrent } = await revokeSession(deps, person, body.sessionId);
        if (isCurrent) browser.forget();
        return {};
      },
      'POST /sign-out-everywhere': async ({ person, browser }) => {
        await signOutEverywhere(deps, person);
        browser.forget();
        return {};
      },
      'POST /password': async ({ person, browser, body }) => {
        browser.keep(await changePassword(deps, person, browser, body));
        return {};
      },
    }),
  ];
}

/** A person's e-mail address. */
export function emailRoutes(deps: AccountDeps) {
  return [
    serve(ACCOUNT, {
      'POST /email': ({ person, body }) => changeEmail(deps, person.accountId, body),
      'POST /email/confirmation': ({ person, body }) =>
        askToConfirmEmail(deps, person.accountId, body.language),
    }),
  ];
}

function begin(browser: Browser, signedIn: SignedIn) {
  browser.keep(signedIn);
  return { account: signedIn.account };
}
