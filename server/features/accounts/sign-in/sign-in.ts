import { hash } from 'node:crypto';
import type { Language } from '#contract/languages.ts';
import { say } from '#contract/reasons.ts';
import type { Tx } from '#platform/database.ts';
import { ApiError } from '#platform/errors.ts';
import type { AccountDeps } from '../deps.ts';
import { askToConfirmEmail } from '../email.ts';
import { selectIsBarred } from '../joining.ts';
import { isPassword } from '../passwords.ts';
import { findEmailOwner, type Login, lockPassword, selectLogin } from '../queries.ts';
import { type AuthenticationMethod, readEmail, SECOND_STEP_MS } from '../rules.ts';
import { takeCode } from '../second-factor/two-factor.ts';
import { selectSecret } from '../second-factor/two-factor-queries.ts';
import { type DeviceMark, findKnownDevice, markDevice } from '../sessions/devices.ts';
import { deleteSession } from '../sessions/queries.ts';
import { announceEnd, parseCredential, startSession } from '../sessions/session.ts';
import type { Visitor } from '../throttle/throttle.ts';
import { issueTicket, openTicket, redeemTicket } from '../tickets.ts';

/** The password was right; a code is to follow. */
export interface SecondStep {
  ticket: string;
  expiresAt: number;
}

/** The content of the ticket for the second step. */
interface FirstStep {
  accountId: string;
  /** The sign-in fails if the password is changed meanwhile. */
  passwordFingerprint: string;
}

const SECOND_STEP = { purpose: 'second-factor', holder: undefined } as const;

/**
 * Signs in, or returns the second step. Unknown addresses get the same answer after the same work as wrong
 * passwords; only the right password reveals whether two-factor sign-in is on.
 */
export async function signIn(
  deps: AccountDeps,
  visitor: Visitor,
  given: { email: string; password: string; language?: Language },
): Promise<SignedIn | SecondStep> {
  const { db, throttle } = deps;
  const email = readEmail(given.email);
  const accountId = await findEmailOwner(db, email);
  const known = accountId === undefined ? undefined : await findKnownDevice(deps, visitor, accountId);
  const login = accountId === undefined ? undefined : await selectLogin(db, accountId);
  const guess = { what: 'password', account: email.uniqueName, known } as const;
  const isRight = await throttle.guess(visitor, guess, async (inTurn) => ({
    isRight: await isPassword(given.password, login?.passwordHash, inTurn),
    accountId,
  }));
  if (!isRight || !login) throw wrongCredentials();
  // The following error says that a mail has been sent.
  if (await selectIsBarred(db, login.accountId))
    await askToConfirmEmail(deps, login.accountId, given.language ?? 'en').catch((error) =>
      deps.log.warn({ err: error, requestId: visitor.requestId }, 'an address was not asked to be confirmed'),
    );
  if ((await selectSecret(db, login.accountId))?.enabledAt != null) {
    const step: FirstStep = {
      accountId: login.accountId,
      passwordFingerprint: fingerprint(login.passwordHash),
    };
    return issueTicket(deps, { ...SECOND_STEP, lifetimeMs: SECOND_STEP_MS }, step);
  }
  // If the password was changed while this one was verified, all sessions have ended, and no new one may
  // begin.
  const signedIn = await enter(deps, visitor, login, ['pwd'], (tx) =>
    lockPassword(tx, login.accountId, login.passwordHash),
  );
  if (!signedIn) throw wrongCredentials();
  return signedIn;
}

/**
 * The second step: a code of the authenticator application, or a recovery code.
 *
 * @throws ApiError 401 for a wrong code, and for a first step that is too old, was changed or has led to a session
 */
export async function signInByCode(
  deps: AccountDeps,
  visitor: Visitor,
  given: { ticket: string; code: string },
): Promise<SignedIn> {
  const { db, clock, keyring, throttle } = deps;
  const ticket = openTicket<FirstStep>(deps, SECOND_STEP, given.ticket);
  const login = ticket && (await selectLogin(db, ticket.content.accountId));
  if (!login || fingerprint(login.passwordHash) !== ticket.content.passwordFingerprint) throw ticketEnded();
  const { accountId, passwordHash } = login;
  let signedIn: SignedIn | undefined;
  const known = await findKnownDevice(deps, visitor, accountId);
  await throttle.guess(visitor, { what: 'code', account: accountId, known }, async () => {
    signedIn = await enter(deps, visitor, login, ['pwd', 'otp'], async (tx) => {
      if (!(await lockPassword(tx, accountId, passwordHash))) throw ticketEnded();
      if (!(await takeCode(tx, keyring, { accountId, text: given.code, now: clock.now() }))) return false;
      if (!(await redeemTicket(tx, accountId, ticket))) throw ticketEnded();
      return true;
    });
    return { isRight: signedIn !== undefined, accountId };
  });
  if (!signedIn) throw new ApiError(401, 'unauthenticated', say('sign-in.wrong-code'));
  return signedIn;
}

function fingerprint(passwordHash: string): string {
  return hash('sha256', passwordHash, 'base64url');
}

function wrongCredentials(): ApiError {
  return new ApiError(401, 'unauthenticated', say('sign-in.wrong'));
}

function ticketEnded(): ApiError {
  return new ApiError(401, 'unauthenticated', say('sign-in.too-late'));
}

export interface SignedIn {
  account: Pick<Login, 'accountId' | 'name' | 'email'>;
  credential: string;
  device: DeviceMark;
}

/** The calling browser, and the cookies to set in it. */
export interface Browser extends Visitor {
  keep(signedIn: Pick<SignedIn, 'credential' | 'device'>): void;
  forget(): void;
}

/**
 * Begins a session for an authenticated person, which replaces the browser's current one.
 *
 * @param methods of the authentication
 * @param admit checks and writes in the same transaction; false refuses the sign-in
 */
export async function enter(
  deps: AccountDeps,
  visitor: Visitor,
  { accountId, name, email }: SignedIn['account'],
  methods: AuthenticationMethod[],
  admit: (tx: Tx) => Promise<boolean>,
): Promise<SignedIn | undefined> {
  const { db, clock, live } = deps;
  const entered = await db.begin(async (tx) => {
    if (!(await admit(tx))) return undefined;
    const replaced = parseCredential(visitor.credential);
    const ended = replaced ? await deleteSession(tx, replaced) : [];
    const signInId = ended.find((session) => session.accountId === accountId)?.signInId;
    const session = { accountId, userAgent: visitor.userAgent, methods, signInId, now: clock.now() };
    const credential = await startSession(tx, deps, session);
    return { ended, credential, device: await markDevice(tx, deps, accountId) };
  });
  if (!entered) return undefined;
  const { ended, ...session } = entered;
  announceEnd(live, ended);
  return { account: { accountId, name, email }, ...session };
}
