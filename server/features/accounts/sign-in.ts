import { ApiError, alreadyExists } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { hashPassword, isPassword } from './password-hash.ts';
import { findNameOwner, insertAccount, insertUniqueName, lockPassword, selectLogin } from './queries.ts';
import { readEmail } from './rules.ts';
import { announceEnd, parseCredential, startSession } from './session.ts';
import { deleteSession, type SessionKey } from './session-queries.ts';
import type { Throttle } from './throttle.ts';

/** Where a request comes from, as far as sign-in cares. */
export interface Visitor {
  address: string;
  userAgent: string;
  /** The credential that the browser still held. Signing in replaces it. */
  credential: string | undefined;
}

export interface SignedIn {
  account: { accountId: string; name: string; email: string };
  credential: string;
}

type Deps = Pick<Platform, 'db' | 'clock' | 'random' | 'newId' | 'live'> & { throttle: Throttle };

/** Makes a person's account and signs in to it. Of several at once with one e-mail address, one gets it. */
export async function signUp(
  deps: Deps,
  visitor: Visitor,
  given: { email: string; password: string; name: string },
): Promise<SignedIn> {
  const { db, clock, random, newId, live, throttle } = deps;
  const email = readEmail(given.email);
  throttle.countSignUp(visitor.address);
  const passwordHash = await hashPassword(random, given.password);
  const now = clock.now();
  const account = { accountId: newId('usr'), name: given.name, email: email.address };
  const { credential, ended } = await db.begin(async (tx) => {
    const isFree = await insertUniqueName(tx, {
      value: email.uniqueName,
      kind: 'email',
      ownerId: account.accountId,
    });
    if (!isFree) throw alreadyExists('email already has an account');
    await insertAccount(tx, {
      ...account,
      isBot: false,
      appId: null,
      username: null,
      passwordHash,
      createdAt: now,
    });
    return {
      ended: await deleteReplaced(tx, visitor),
      credential: await startSession(tx, deps, {
        accountId: account.accountId,
        userAgent: visitor.userAgent,
        now,
      }),
    };
  });
  announceEnd(live, ended);
  return { account, credential };
}

/** Signs in. Unknown addresses get the same answer after the same work as wrong passwords. */
export async function signIn(
  deps: Deps,
  visitor: Visitor,
  given: { email: string; password: string },
): Promise<SignedIn> {
  const { db, clock, live, throttle } = deps;
  const { uniqueName } = readEmail(given.email);
  const accountId = await findNameOwner(db, { value: uniqueName, kind: 'email' });
  const login = accountId === undefined ? undefined : await selectLogin(db, accountId);
  const isRight = await throttle.guess(visitor.address, uniqueName, () =>
    isPassword(given.password, login?.passwordHash),
  );
  if (!isRight || !login) throw wrongCredentials();
  const { passwordHash, ...account } = login;
  const { credential, ended } = await db.begin(async (tx) => {
    // A password that was changed while this one was being judged has ended all sessions; this must not be one more.
    if (!(await lockPassword(tx, account.accountId, passwordHash))) throw wrongCredentials();
    return {
      ended: await deleteReplaced(tx, visitor),
      credential: await startSession(tx, deps, {
        accountId: account.accountId,
        userAgent: visitor.userAgent,
        now: clock.now(),
      }),
    };
  });
  announceEnd(live, ended);
  return { account, credential };
}

async function deleteReplaced(
  tx: Parameters<typeof deleteSession>[0],
  { credential }: Visitor,
): Promise<SessionKey[]> {
  const replaced = parseCredential(credential);
  return replaced ? deleteSession(tx, replaced) : [];
}

function wrongCredentials(): ApiError {
  return new ApiError(401, 'unauthenticated', 'email or password is wrong');
}
