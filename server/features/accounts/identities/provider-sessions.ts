import type { Db } from '#platform/database.ts';
import type { AccountDeps } from '../deps.ts';
import { deleteSession, type SessionKey } from '../sessions/queries.ts';
import { announceEnd } from '../sessions/session.ts';
import { findIdentityOwner } from './proven.ts';

const AT_ONCE = 500;

interface Wanted {
  providerId: string;
  accountId?: string | undefined;
  /** The provider's name of its session. */
  sessionId?: string | undefined;
}

/** Sessions that began at a provider: all, of one account, or of one session there. Without an account over all shards. */
export async function findProviderSessions(
  db: Db,
  { providerId, accountId, sessionId }: Wanted,
): Promise<SessionKey[]> {
  return db<SessionKey[]>`
    select account_id, session_hash from provider_sessions
    where provider_id = ${providerId}
      ${accountId === undefined ? db`` : db`and account_id = ${accountId}`}
      ${sessionId === undefined ? db`` : db`and session_id = ${sessionId}`}
    limit ${AT_ONCE}`;
}

/** Ends them. Returns how many they were. */
export async function endProviderSessions(
  { db, live }: Pick<AccountDeps, 'db' | 'live'>,
  wanted: Wanted,
): Promise<number> {
  let count = 0;
  for (let found = AT_ONCE; found === AT_ONCE; count += found) {
    const sessions = await findProviderSessions(db, wanted);
    found = sessions.length;
    const ended = await Promise.all(sessions.map((session) => db.begin((tx) => deleteSession(tx, session))));
    announceEnd(live, ended.flat());
  }
  return count;
}

/** A provider signs a person out: of one session, or of all that began there. */
export async function signOutByProvider(
  deps: Pick<AccountDeps, 'db' | 'live'>,
  {
    providerId,
    issuer,
    subject,
    sessionId,
  }: { providerId: string; issuer: string; subject: string | undefined; sessionId: string | undefined },
): Promise<void> {
  const accountId = subject === undefined ? undefined : await findIdentityOwner(deps.db, { issuer, subject });
  if (subject !== undefined && accountId === undefined) return;
  await endProviderSessions(deps, { providerId, accountId, sessionId });
}
