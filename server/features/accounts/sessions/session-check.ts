import { Batcher } from '#platform/batch.ts';
import type { Platform } from '#platform/platform.ts';
import { selectHeldSessions } from './queries.ts';
import { type Person, sessionIdOf } from './session.ts';

/** A session, as the connections that it opened keep it. */
export interface OpenSession {
  accountId: string;
  sessionId: string;
}

export type SessionCheck = (session: OpenSession) => Promise<boolean>;

const CHECKED_AT_ONCE = { maxItems: 512, maxWaiting: 65_536 };

/**
 * Checks whether a session is still valid, for connections that outlive the request that opened them. A
 * process may have ten thousand of them: concurrent checks share a statement.
 */
export function createSessionCheck({ db, clock }: Pick<Platform, 'db' | 'clock'>): SessionCheck {
  const batcher = new Batcher<OpenSession, boolean>(async (asked) => {
    const accountIds = [...new Set(asked.map(({ accountId }) => accountId))];
    const held = await selectHeldSessions(db, { accountIds, now: clock.now() });
    const heldIds = new Set(held.map(sessionIdOf));
    return asked.map(({ sessionId }) => heldIds.has(sessionId));
  }, CHECKED_AT_ONCE);
  return (session) => batcher.submit(session);
}

export function openSessionOf(person: Person): OpenSession {
  return { accountId: person.accountId, sessionId: sessionIdOf(person) };
}
