import { type ApiError, notFound, permissionDenied } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import type { Visitor } from './enter.ts';
import { refuseLeakedPassword } from './leaked-passwords.ts';
import { hashPassword, isPassword } from './password-hash.ts';
import { findNameOwner, type Login, replacePassword, selectLogin } from './queries.ts';
import { readEmail, requirePasswordLength } from './rules.ts';
import { announceEnd, type Person, sessionEnded, startSession } from './session.ts';
import { deleteSessionsOf } from './session-queries.ts';
import type { Throttle } from './throttle.ts';

type Deps = Pick<Platform, 'db' | 'clock' | 'random' | 'live'>;
type ThrottledDeps = Deps & { throttle: Throttle };

/**
 * Changes the person's password and ends all sessions.
 *
 * @returns the credential of a new session for the browser that asked
 */
export async function changePassword(
  deps: ThrottledDeps,
  person: Person,
  visitor: Visitor,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<string> {
  const { db, clock, random, live } = deps;
  const { accountId } = person;
  await refuseLeakedPassword('newPassword', newPassword);
  const { passwordHash } = await provePassword(deps, person, visitor, currentPassword);
  const newHash = await hashPassword(random, newPassword);
  const { credential, ended } = await db.begin(async (tx) => {
    const isChanged = await replacePassword(tx, accountId, { from: passwordHash, to: newHash });
    if (!isChanged) throw wrongPassword();
    return {
      ended: await deleteSessionsOf(tx, accountId),
      credential: await startSession(tx, deps, { accountId, userAgent: visitor.userAgent, now: clock.now() }),
    };
  });
  announceEnd(live, ended);
  return credential;
}

/** The operator gives a person a new password; every session ends. */
export async function resetPassword(
  { db, random, live }: Pick<Deps, 'db' | 'random' | 'live'>,
  email: string,
  newPassword: string,
): Promise<void> {
  requirePasswordLength(newPassword);
  await refuseLeakedPassword('password', newPassword);
  const accountId = await findNameOwner(db, { value: readEmail(email).uniqueName, kind: 'email' });
  const login = accountId === undefined ? undefined : await selectLogin(db, accountId);
  if (!login) throw notFound('email has no account');
  const to = await hashPassword(random, newPassword);
  const ended = await db.begin(async (tx) => {
    const isChanged = await replacePassword(tx, login.accountId, { from: login.passwordHash, to });
    if (!isChanged) throw notFound('the account changed meanwhile; try again');
    return deleteSessionsOf(tx, login.accountId);
  });
  announceEnd(live, ended);
}

/**
 * The operator signs a person out everywhere.
 *
 * @returns how many sessions that were
 */
export async function endSessionsOf({ db, live }: Pick<Deps, 'db' | 'live'>, email: string): Promise<number> {
  const accountId = await findNameOwner(db, { value: readEmail(email).uniqueName, kind: 'email' });
  if (accountId === undefined) throw notFound('email has no account');
  const ended = await db.begin((tx) => deleteSessionsOf(tx, accountId));
  announceEnd(live, ended);
  return ended.length;
}

/**
 * Guesses through a stolen session count apart from sign-in, so that strangers cannot lock the owner out of it.
 *
 * @throws ApiError 403 for a wrong password
 */
export async function provePassword(
  { db, throttle }: Pick<ThrottledDeps, 'db' | 'throttle'>,
  { accountId }: Person,
  { address }: Visitor,
  password: string,
): Promise<Login> {
  const login = await selectLogin(db, accountId);
  if (!login) throw sessionEnded();
  const isRight = await throttle.guess(address, accountId, () => isPassword(password, login.passwordHash));
  if (!isRight) throw wrongPassword();
  return login;
}

/** 403 and not 401: the session is good, and a client must not take it for ended. */
function wrongPassword(): ApiError {
  return permissionDenied('the password is wrong');
}
