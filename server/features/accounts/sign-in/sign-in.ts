import type { Language } from '#contract/languages.ts';
import type { Tx } from '#platform/database.ts';
import { notSignedIn } from '#platform/errors.ts';
import type { AccountDeps } from '../deps.ts';
import { askToConfirmEmail } from '../email.ts';
import { lockIdentity, type ProvenIdentity, type ProviderSession } from '../identities/proven.ts';
import { selectIsBarred } from '../joining.ts';
import { isPassword, passwordFingerprint, requirePasswords } from '../passwords.ts';
import { findEmailOwner, type Login, lockPassword, selectLogin } from '../queries.ts';
import { type AuthenticationMethod, readEmail, SECOND_STEP_MS } from '../rules.ts';
import { takeCode } from '../second-factor/two-factor.ts';
import { selectSecret } from '../second-factor/two-factor-queries.ts';
import { type DeviceMark, findKnownDevice, markDevice } from '../sessions/devices.ts';
import { deleteSession, type SessionKey } from '../sessions/queries.ts';
import { announceEnd, type ProviderCookie, parseCredential, startSession } from '../sessions/session.ts';
import type { Visitor } from '../throttle/throttle.ts';
import { issueTicket, openTicket, redeemTicket } from '../tickets.ts';

/** The password was right; a code is to follow. */
export interface SecondStep {
  ticket: string;
  expiresAt: number;
}

/** The content of the ticket for the second step. */
type FirstStep = { accountId: string } & (
  | {
      /** The sign-in fails if the password is changed meanwhile. */
      passwordFingerprint: string;
    }
  | { identity: ProvenIdentity }
);

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
  await requirePasswords(deps);
  const accountId = await findEmailOwner(db, email);
  const known = accountId === undefined ? undefined : await findKnownDevice(deps, visitor, accountId);
  const login = accountId === undefined ? undefined : await selectLogin(db, accountId);
  const guess = { what: 'password', account: email.uniqueName, known } as const;
  const isRight = await throttle.guess(visitor, guess, async (inTurn) => ({
    isRight: await isPassword(given.password, login?.passwordHash, inTurn),
    accountId,
  }));
  if (!isRight || login?.passwordHash == null) throw notSignedIn('sign-in.wrong');
  const { passwordHash } = login;
  // The following error says that a mail has been sent.
  if (await selectIsBarred(db, login.accountId))
    await askToConfirmEmail(deps, login.accountId, given.language ?? 'en').catch((error) =>
      deps.log.warn({ err: error, requestId: visitor.requestId }, 'an address was not asked to be confirmed'),
    );
  if ((await selectSecret(db, login.accountId))?.enabledAt != null) {
    return askForCode(deps, {
      accountId: login.accountId,
      passwordFingerprint: passwordFingerprint(login),
    });
  }
  // If the password was changed while this one was verified, all sessions have ended, and no new one may
  // begin.
  const signedIn = await enter(deps, visitor, login, { methods: ['pwd'] }, (tx) =>
    lockPassword(tx, login.accountId, passwordHash),
  );
  if (!signedIn) throw notSignedIn('sign-in.wrong');
  return signedIn;
}

/**
 * The second step: a code of the authenticator application, or a recovery code.
 *
 * @throws ApiError 401 for a wrong code, and for a first step that is too old, was changed or has led to a session; 403 if
 * operators have switched passwords off since then
 */
export async function signInByCode(
  deps: AccountDeps,
  visitor: Visitor,
  given: { ticket: string; code: string },
): Promise<SignedIn> {
  const { db, clock, keyring, throttle } = deps;
  const ticket = openTicket<FirstStep>(deps, SECOND_STEP, given.ticket);
  const login = ticket && (await selectLogin(db, ticket.content.accountId));
  if (!login) throw notSignedIn('sign-in.too-late');
  const { accountId, passwordHash } = login;
  const step = ticket.content;
  await requireMeans(deps, step);
  const proof: Proof = 'identity' in step ? proofOf(step.identity) : { methods: ['pwd'] };
  const isProven = async (tx: Tx) => {
    if ('identity' in step) return lockIdentity(tx, step.identity, accountId);
    return (
      passwordHash !== null &&
      passwordFingerprint(login) === step.passwordFingerprint &&
      lockPassword(tx, accountId, passwordHash)
    );
  };
  let signedIn: SignedIn | undefined;
  const known = await findKnownDevice(deps, visitor, accountId);
  await throttle.guess(visitor, { what: 'code', account: accountId, known }, async () => {
    signedIn = await enter(
      deps,
      visitor,
      login,
      { ...proof, methods: [...proof.methods, 'otp'] },
      async (tx) => {
        if (!(await isProven(tx))) throw notSignedIn('sign-in.too-late');
        if (!(await takeCode(tx, keyring, { accountId, text: given.code, now: clock.now() }))) return false;
        if (!(await redeemTicket(tx, accountId, ticket))) throw notSignedIn('sign-in.too-late');
        return true;
      },
    );
    return { isRight: signedIn !== undefined, accountId };
  });
  if (!signedIn) throw notSignedIn('sign-in.wrong-code');
  return signedIn;
}

/** Whether operators still admit the means of the first step. */
async function requireMeans(deps: AccountDeps, step: FirstStep): Promise<void> {
  if (!('identity' in step)) return requirePasswords(deps);
  if (!(await deps.hasProvider(step.identity.provider.providerId))) throw notSignedIn('sign-in.too-late');
}

/** The second step of a sign-in whose first one has been made. */
export function askForCode(deps: AccountDeps, step: FirstStep): SecondStep {
  return issueTicket(deps, { ...SECOND_STEP, lifetimeMs: SECOND_STEP_MS }, step);
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
  /** Kept by it, sealed, on the way to a provider and back. */
  recall(name: ProviderCookie): string | undefined;
  /** Without a value, it is forgotten. */
  remember(name: ProviderCookie, value?: string): void;
}

/** How somebody proved who they are. */
export interface Proof {
  methods: AuthenticationMethod[];
  /** When, if that was not now but at a provider, and which session it has there. */
  authenticatedAt?: number | undefined;
  provider?: ProviderSession;
}

/** A person who comes from a provider. */
export function proofOf({ isTwoFactor, authenticatedAt, provider }: ProvenIdentity): Proof {
  return { methods: isTwoFactor ? ['fed', 'mfa'] : ['fed'], authenticatedAt, provider };
}

/**
 * Begins a session for an authenticated person, which replaces the browser's current one.
 *
 * @param admit checks and writes in the same transaction; false refuses the sign-in
 */
export async function enter(
  deps: AccountDeps,
  visitor: Visitor,
  { accountId, name, email }: SignedIn['account'],
  { provider, ...proof }: Proof,
  admit: (tx: Tx) => Promise<boolean>,
): Promise<SignedIn | undefined> {
  const { db, clock, live } = deps;
  const entered = await db.begin(async (tx) => {
    if (!(await admit(tx))) return undefined;
    const replaced = parseCredential(visitor.credential);
    const ended = replaced ? await deleteSession(tx, replaced) : [];
    const signInId = ended.find((session) => session.accountId === accountId)?.signInId;
    const session = { ...proof, accountId, userAgent: visitor.userAgent, signInId, now: clock.now() };
    const credential = await startSession(tx, deps, session);
    if (provider) {
      const { providerId, sessionId = null } = provider;
      const { sessionHash } = parseCredential(credential) as SessionKey;
      await tx`insert into provider_sessions ${tx({ accountId, sessionHash, providerId, sessionId })}`;
    }
    return { ended, credential, device: await markDevice(tx, deps, accountId) };
  });
  if (!entered) return undefined;
  const { ended, ...session } = entered;
  announceEnd(live, ended);
  return { account: { accountId, name, email }, ...session };
}
