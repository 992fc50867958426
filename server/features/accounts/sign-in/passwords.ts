import type { Tx } from '#platform/database.ts';
import { type ApiError, notFound, permissionDenied } from '#platform/errors.ts';
import type { AccountDeps, OperatorAccountDeps } from '../deps.ts';
import { hashPassword, isPassword, refuseLeakedPassword } from '../passwords.ts';
import { type Login, replacePassword, selectLogin } from '../queries.ts';
import { requirePasswordLength } from '../rules.ts';
import { markDevice } from '../sessions/devices.ts';
import {
  announceEnd,
  endSessions,
  type Person,
  sessionEnded,
  sessionOf,
  startSession,
} from '../sessions/session.ts';
import type { Visitor } from '../throttle/throttle.ts';
import type { SignedIn } from './sign-in.ts';

/**
 * Changes the person's password and ends all sessions.
 *
 * @returns the credential of a new session for the current browser, and its device cookie
 */
export async function changePassword(
  deps: AccountDeps,
  person: Person,
  visitor: Visitor,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<Pick<SignedIn, 'credential' | 'device'>> {
  const { db, clock, random, live, throttle } = deps;
  const { accountId } = person;
  await refuseLeakedPassword('newPassword', newPassword);
  const { passwordHash } = await provePassword(deps, person, visitor, currentPassword);
  const newHash = await hashPassword(random, newPassword, throttle.turnsOf(visitor, sessionOf(person)));
  const { ended, ...session } = await db.begin(async (tx) => {
    const isChanged = await replacePassword(tx, accountId, { from: passwordHash, to: newHash });
    if (!isChanged) throw wrongPassword();
    const ended = await endSessions(tx, accountId);
    const own = ended.find(({ sessionHash }) => sessionHash.equals(person.sessionHash));
    return {
      ended,
      credential: await startSession(tx, deps, {
        accountId,
        userAgent: visitor.userAgent,
        methods: ['pwd'],
        signInId: own?.signInId,
        now: clock.now(),
      }),
      device: await markDevice(tx, deps, accountId),
    };
  });
  announceEnd(live, ended);
  return session;
}

/**
 * The operator gives a person a new password; every session ends.
 *
 * @param extraWrites further writes in the same transaction
 * @throws ApiError 400, 404
 */
export async function resetPassword(
  { db, random, live }: OperatorAccountDeps,
  accountId: string,
  newPassword: string,
  extraWrites: (tx: Tx) => Promise<void>,
): Promise<void> {
  requirePasswordLength(newPassword);
  await refuseLeakedPassword('password', newPassword);
  const login = await selectLogin(db, accountId);
  if (!login) throw notFound('account.unknown');
  const to = await hashPassword(random, newPassword);
  const ended = await db.begin(async (tx) => {
    const isChanged = await replacePassword(tx, accountId, { from: login.passwordHash, to });
    if (!isChanged) throw notFound('account.changed');
    await extraWrites(tx);
    return endSessions(tx, accountId);
  });
  announceEnd(live, ended);
}

/**
 * The operator signs a person out everywhere.
 *
 * @param extraWrites further writes in the same transaction
 * @returns how many sessions ended
 */
export async function endSessionsOfPerson(
  { db, live }: OperatorAccountDeps,
  accountId: string,
  extraWrites: (tx: Tx) => Promise<void>,
): Promise<number> {
  const ended = await db.begin(async (tx) => {
    await extraWrites(tx);
    return endSessions(tx, accountId);
  });
  announceEnd(live, ended);
  return ended.length;
}

/**
 * Guesses in a stolen session count for that session only, so that they block neither the owner's sign-in nor
 * the owner's other sessions.
 *
 * @throws ApiError 403 for a wrong password
 */
export async function provePassword(
  { db, throttle }: Pick<AccountDeps, 'db' | 'throttle'>,
  person: Person,
  visitor: Visitor,
  password: string,
): Promise<Login> {
  const { accountId } = person;
  const login = await selectLogin(db, accountId);
  if (!login) throw sessionEnded();
  const guess = { what: 'password', ...sessionOf(person) } as const;
  const isRight = await throttle.guess(visitor, guess, async (inTurn) => ({
    isRight: await isPassword(password, login.passwordHash, inTurn),
    accountId,
  }));
  if (!isRight) throw wrongPassword();
  return login;
}

/** 403, not 401: the session is still valid, and a client must not treat it as ended. */
function wrongPassword(): ApiError {
  return permissionDenied('sign-in.wrong-password');
}
