import { ACCOUNT, SIGN_IN } from '#contract/api/auth.ts';
import { serve } from '#platform/http/serve.ts';
import type { Accounts, Browser } from '../index.ts';
import type { SignedIn as Entered } from './enter.ts';

/** Signing in and out. */
export function signInRoutes(accounts: Accounts) {
  return [
    serve(SIGN_IN, {
      'POST /sign-up': async ({ browser, body }) => {
        const made = await accounts.signUp(browser, body);
        return 'confirmationTo' in made
          ? { emailConfirmation: { email: made.confirmationTo } }
          : begin(browser, made);
      },
      'GET /sign-up': async () => accounts.showSignUpRules(),
      'POST /sign-in': async ({ browser, body }) => {
        const step = await accounts.signIn(browser, body);
        return 'ticket' in step ? { secondFactor: step } : begin(browser, step);
      },
      'POST /sign-in/code': async ({ browser, body }) =>
        begin(browser, await accounts.signInByCode(browser, body)),
      'POST /sign-in/passkey/options': ({ browser }) => accounts.askToSignInByPasskey(browser),
      'POST /sign-in/passkey': async ({ browser, body }) =>
        begin(browser, await accounts.signInByPasskey(browser, body)),
      'POST /password/forgotten': ({ browser, body }) => accounts.askForPasswordReset(browser, body),
      'POST /password/reset': async ({ browser, body }) => {
        await accounts.resetForgottenPassword(browser, body);
        return {};
      },
      'GET /invitations/:token': async ({ params }) => {
        const { name, pictureUrl } = await accounts.resolveInvite(params.token);
        return { name, ...(pictureUrl !== undefined && { pictureUrl }) };
      },
      'POST /sign-out': async ({ browser }) => {
        await accounts.signOut(browser.credential);
        browser.forget();
        return {};
      },
    }),
  ];
}

/** A person's account and sessions. */
export function ownAccountRoutes(accounts: Accounts) {
  return [
    serve(ACCOUNT, {
      'GET /session': async ({ person }) => ({
        account: await accounts.showSignedIn(person.accountId),
      }),
      'POST /terms': async ({ person, body }) => {
        await accounts.acceptTerms(person.accountId, body.termsUrl);
        return {};
      },
      'GET /sessions': ({ person }) => accounts.listSessions(person),
      'POST /sessions/revoke': async ({ person, browser, body }) => {
        const { isCurrent } = await accounts.revokeSession(person, body.sessionId);
        if (isCurrent) browser.forget();
        return {};
      },
      'POST /sign-out-everywhere': async ({ person, browser }) => {
        await accounts.signOutEverywhere(person);
        browser.forget();
        return {};
      },
      'POST /password': async ({ person, browser, body }) => {
        browser.keep(await accounts.changePassword(person, browser, body));
        return {};
      },
    }),
  ];
}

/** A person's e-mail address. */
export function emailRoutes(accounts: Accounts) {
  return [
    serve(ACCOUNT, {
      'POST /email': ({ person, body }) => accounts.changeEmail(person.accountId, body),
      'POST /email/confirmation': ({ person, body }) =>
        accounts.askToConfirmEmail(person.accountId, body.language),
    }),
  ];
}

function begin(browser: Browser, signedIn: Entered) {
  browser.keep(signedIn);
  return { account: signedIn.account };
}
