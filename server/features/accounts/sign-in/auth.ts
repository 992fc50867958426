import { Type } from 'typebox';
import { Invitation, InviteParams } from '#contract/accounts/profiles.ts';
import { PasskeyQuestion, SignInByCode, SignInByPasskey } from '#contract/accounts/second-factors.ts';
import {
  AcceptTerms,
  ChangeEmail,
  ChangePassword,
  ConfirmationMail,
  ConfirmEmail,
  ForgottenPassword,
  ResetMail,
  ResetPassword,
  RevokeSession,
  Sessions,
  SignedIn,
  SignIn,
  SignInStep,
  SignUp,
  SignUpRules,
  SignUpStep,
} from '#contract/accounts.ts';
import type { Accounts, Browser, OwnAccountRoutes, SignInRoutes } from '../index.ts';
import type { SignedIn as Entered } from './enter.ts';

const Done = Type.Object({});

/** Signing in and out. */
export function signInRoutes(routes: SignInRoutes, accounts: Accounts): void {
  routes.post(
    '/sign-up',
    {
      body: SignUp,
      reply: SignUpStep,
      message: (step) =>
        'emailConfirmation' in step ? 'account created; its address has to be confirmed' : 'account created',
      status: 201,
    },
    async ({ browser, body }) => {
      const made = await accounts.signUp(browser, body);
      return 'confirmationTo' in made
        ? { emailConfirmation: { email: made.confirmationTo } }
        : begin(browser, made);
    },
  );

  routes.get('/sign-up', { reply: SignUpRules, message: 'who may sign up' }, async () =>
    accounts.showSignUpRules(),
  );

  routes.post(
    '/sign-in',
    {
      duringMaintenance: true,
      body: SignIn,
      reply: SignInStep,
      message: (step) => ('secondFactor' in step ? 'a code is to follow' : 'signed in'),
    },
    async ({ browser, body }) => {
      const step = await accounts.signIn(browser, body);
      return 'ticket' in step ? { secondFactor: step } : begin(browser, step);
    },
  );

  routes.post(
    '/sign-in/code',
    { duringMaintenance: true, body: SignInByCode, reply: SignedIn, message: 'signed in' },
    async ({ browser, body }) => begin(browser, await accounts.signInByCode(browser, body)),
  );

  routes.post(
    '/sign-in/passkey/options',
    { duringMaintenance: true, reply: PasskeyQuestion, message: 'ask for a passkey' },
    ({ browser }) => accounts.askToSignInByPasskey(browser),
  );

  routes.post(
    '/sign-in/passkey',
    { duringMaintenance: true, body: SignInByPasskey, reply: SignedIn, message: 'signed in' },
    async ({ browser, body }) => begin(browser, await accounts.signInByPasskey(browser, body)),
  );

  routes.post(
    '/password/forgotten',
    {
      body: ForgottenPassword,
      reply: ResetMail,
      message: ({ isMailed }) =>
        isMailed ? 'a mail was sent if the address has an account' : 'no mail is sent here',
    },
    ({ browser, body }) => accounts.askForPasswordReset(browser, body),
  );

  routes.post(
    '/password/reset',
    { body: ResetPassword, reply: Done, message: 'password changed; all sessions ended' },
    async ({ browser, body }) => {
      await accounts.resetForgottenPassword(browser, body);
      return {};
    },
  );

  routes.get(
    '/invitations/:token',
    { params: InviteParams, reply: Invitation, message: 'who invites' },
    async ({ params }) => {
      const { name, pictureUrl } = await accounts.resolveInvite(params.token);
      return { name, ...(pictureUrl !== undefined && { pictureUrl }) };
    },
  );

  routes.post(
    '/sign-out',
    { duringMaintenance: true, reply: Done, message: 'signed out' },
    async ({ browser }) => {
      await accounts.signOut(browser.credential);
      browser.forget();
      return {};
    },
  );
}

/** A person's account and sessions. */
export function ownAccountRoutes(routes: OwnAccountRoutes, accounts: Accounts): void {
  routes.get('/session', { reply: SignedIn, message: 'you are signed in' }, async ({ person }) => ({
    account: await accounts.showSignedIn(person.accountId),
  }));

  routes.post(
    '/terms',
    { body: AcceptTerms, reply: Done, message: 'terms accepted' },
    async ({ person, body }) => {
      await accounts.acceptTerms(person.accountId, body.termsUrl);
      return {};
    },
  );

  routes.get('/sessions', { reply: Sessions, message: 'your sessions' }, ({ person }) =>
    accounts.listSessions(person),
  );

  routes.post(
    '/sessions/revoke',
    { duringMaintenance: true, body: RevokeSession, reply: Done, message: 'session ended' },
    async ({ person, browser, body }) => {
      const { isCurrent } = await accounts.revokeSession(person, body.sessionId);
      if (isCurrent) browser.forget();
      return {};
    },
  );

  routes.post(
    '/sign-out-everywhere',
    { duringMaintenance: true, reply: Done, message: 'signed out everywhere' },
    async ({ person, browser }) => {
      await accounts.signOutEverywhere(person);
      browser.forget();
      return {};
    },
  );

  routes.post(
    '/password',
    { body: ChangePassword, reply: Done, message: 'password changed; all other sessions ended' },
    async ({ person, browser, body }) => {
      browser.keep(await accounts.changePassword(person, browser, body));
      return {};
    },
  );
}

/** A person's e-mail address. */
export function emailRoutes(routes: OwnAccountRoutes, accounts: Accounts): void {
  const message = ({ isMailed }: { isMailed: boolean }) => (isMailed ? 'mail sent' : 'no mail was sent');

  routes.post(
    '/email',
    { needsRecentSignIn: true, body: ChangeEmail, reply: ConfirmationMail, message },
    ({ person, body }) => accounts.changeEmail(person.accountId, body),
  );

  routes.post(
    '/email/confirmation',
    { body: ConfirmEmail, reply: ConfirmationMail, message },
    ({ person, body }) => accounts.askToConfirmEmail(person.accountId, body.language),
  );
}

function begin(browser: Browser, signedIn: Entered) {
  browser.keep(signedIn);
  return { account: signedIn.account };
}
