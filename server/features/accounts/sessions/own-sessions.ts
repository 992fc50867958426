import type { Static } from 'typebox';
import type { Sessions } from '#contract/accounts.ts';
import { notFound } from '#platform/errors.ts';
import type { AccountDeps } from '../deps.ts';
import { deleteSession, selectSessions } from './queries.ts';
import { announceEnd, endSessions, type Person, parseCredential, sessionIdOf } from './session.ts';

const LISTED = 100;

/** The person's sessions, the last used first. */
export async function listSessions(
  { db, clock }: AccountDeps,
  person: Person,
): Promise<Static<typeof Sessions>> {
  const rows = await selectSessions(db, { accountId: person.accountId, now: clock.now(), limit: LISTED });
  return rows.map(({ sessionHash, ...row }) => ({
    ...row,
    sessionId: sessionIdOf({ sessionHash }),
    isCurrent: sessionHash.equals(person.sessionHash),
  }));
}

/**
 * Ends one of the person's own sessions.
 *
 * @returns whether it was the one that asks
 */
export async function revokeSession(
  { db, live }: AccountDeps,
  person: Person,
  sessionId: string,
): Promise<{ isCurrent: boolean }> {
  const sessionHash = Buffer.from(sessionId, 'base64url');
  const ended = await db.begin((tx) => deleteSession(tx, { accountId: person.accountId, sessionHash }));
  if (ended.length === 0) throw notFound('session.unknown');
  announceEnd(live, ended);
  return { isCurrent: sessionHash.equals(person.sessionHash) };
}

/** Ends the session of a credential; an ended session is no error. */
export async function signOut({ db, live }: AccountDeps, credential: string | undefined): Promise<void> {
  const session = parseCredential(credential);
  if (!session) return;
  announceEnd(live, await db.begin((tx) => deleteSession(tx, session)));
}

/** Ends all sessions of the person, including the current one. */
export async function signOutEverywhere({ db, live }: AccountDeps, { accountId }: Person): Promise<void> {
  announceEnd(live, await db.begin((tx) => endSessions(tx, accountId)));
}
