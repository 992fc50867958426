import type { SignInByPasskey } from '#contract/accounts/second-factors.ts';
import { ACCOUNT, SIGN_IN } from '#contract/api/auth.ts';
import { invalidArgument, notSignedIn } from '#platform/errors.ts';
import { serve } from '#platform/http/serve.ts';
import type { AccountDeps } from './deps.ts';
import { askToConfirmEmail, changeEmail } from './email.ts';
import { findTermsToAccept, showSignUpRules, updateTerms } from './joining.ts';
import { resolveInvite } from './profile/invite-link.ts';
import { lockAccountShared, selectLogin } from './queries.ts';
import {
  askForPasskey,
  findRelyingParty,
  provePasskey,
  redeemPasskey,
} from './second-factor/prove-passkey.ts';
import { findOwnAccount } from './service.ts';
import { listSessions, revokeSession, signOut, signOutEverywhere } from './sessions/own-sessions.ts';
import { askForPasswordReset, resetForgottenPassword } from './sign-in/forgotten-password.ts';
import { changePassword } from './sign-in/passwords.ts';
import { type Browser, enter, type SignedIn, signIn, signInByCode } from './sign-in/sign-in.ts';
import { signUp } from './sign-in/sign-up.ts';
import type { Visitor } from './throttle/throttle.ts';

const ASKED = { purpose: 'passkey-sign-in', holder: undefined } as const;

/**
 * Signs in with a passkey, which proves two factors at once: the device, and its user.
 *
 * @throws ApiError 401
 */
async function signInByPasskey(
  deps: AccountDeps,
  visitor: Visitor,
  given: SignInByPasskey,
): Promise<SignedIn> {
  const { db, clock, config, throttle } = deps;
  const party = findRelyingParty(config, visitor.site);
  let signedIn: SignedIn | undefined;
  await throttle.guess(visitor, { what: 'passkey', account: given.response.id }, async () => {
    const proven = await provePasskey(deps, party, given, ASKED);
    const login = proven && (await selectLogin(db, proven.accountId));
    if (!login) return { isRight: false };
    signedIn = await enter(deps, visitor, login, { methods: ['pop'] }, async (tx) => {
      const account = await lockAccountShared(tx, login.accountId);
      if (account?.deletedAt !== null) return false;
      if (await redeemPasskey(tx, proven, clock.now())) return true;
      throw notSignedIn('sign-in.passkey-refused');
    });
    return { isRight: signedIn !== undefined, accountId: login.accountId };
  });
  if (!signedIn) throw notSignedIn('sign-in.passkey-refused');
  return signedIn;
}

/** Signing in and out. */
export function signInRoutes(deps: AccountDeps) {
  return serve(SIGN_IN, {
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
    'POST /sign-in/passkey/options': async ({ browser }) =>
      askForPasskey(deps, findRelyingParty(deps.config, browser.site), ASKED),
    'POST /sign-in/passkey': async ({ browser, body }) =>
      begin(browser, await signInByPasskey(deps, browser, body)),
    'POST /password/forgotten': ({ browser, body }) => askForPasswordReset(deps, browser, body),
    'POST /password/reset': ({ browser, body }) => resetForgottenPassword(deps, browser, body),
    'GET /invitations/:token': async ({ params }) => {
      const { name, pictureUrl } = await resolveInvite(deps, params.token);
      return { name, ...(pictureUrl !== undefined && { pictureUrl }) };
    },
    'POST /sign-out': async ({ browser }) => {
      await signOut(deps, browser.credential);
      browser.forget();
    },
  });
}

/** A person's account, address and sessions. */
export function ownAccountRoutes(deps: AccountDeps) {
  return serve(ACCOUNT, {
    'GET /session': async ({ person }) => ({
      account: await showSignedIn(deps, person.accountId),
    }),
    'POST /terms': ({ person, body }) => acceptTerms(deps, person.accountId, body.termsUrl),
    'GET /sessions': ({ person }) => listSessions(deps, person),
    'POST /sessions/revoke': async ({ person, browser, body }) => {
      const { isCurrent } = await revokeSession(deps, person, body.sessionId);
      if (isCurrent) browser.forget();
    },
    'POST /sign-out-everywhere': async ({ person, browser }) => {
      await signOutEverywhere(deps, person);
      browser.forget();
    },
    'POST /password': async ({ person, browser, body }) => {
      browser.keep(await changePassword(deps, person, browser, body));
    },
    'POST /email': ({ person, body }) => changeEmail(deps, person.accountId, body),
    'POST /email/confirmation': ({ person, body }) =>
      askToConfirmEmail(deps, person.accountId, body.language),
  });
}

function begin(browser: Browser, signedIn: SignedIn) {
  browser.keep(signedIn);
  return { account: signedIn.account };
}

/** Who is signed in, and which terms are still to be accepted. */
async function showSignedIn({ db, config }: AccountDeps, accountId: string) {
  const { termsUrl, ...account } = await findOwnAccount(db, accountId);
  const termsToAccept = findTermsToAccept({ termsUrl }, config);
  return { ...account, ...(termsToAccept !== undefined && { termsToAccept }) };
}

/** @throws ApiError 400 for other terms than those of this server */
async function acceptTerms(
  { db, clock, config }: AccountDeps,
  accountId: string,
  termsUrl: string,
): Promise<void> {
  if (termsUrl !== config.termsUrl)
    throw invalidArgument('termsUrl', 'terms', { url: config.termsUrl ?? '' });
  await db.write((tx) => updateTerms(tx, accountId, { termsUrl, at: clock.now() }));
}
