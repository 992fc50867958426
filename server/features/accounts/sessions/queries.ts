import type { Db, Tx } from '#platform/database.ts';
import type { Shards } from '#platform/partitioning/shards.ts';
import type { AuthenticationMethod } from '../rules.ts';

export interface SessionKey {
  accountId: string;
  sessionHash: Buffer;
}

export interface SessionRow extends SessionKey {
  userAgent: string;
  methods: AuthenticationMethod[] | null;
  /** The same in sessions that followed each other in one browser. */
  signInId: string | null;
  createdAt: number;
  authenticatedAt: number;
  lastSeenAt: number;
  expiresAt: number;
}

export type EndedSession = Pick<SessionRow, 'accountId' | 'sessionHash' | 'signInId'>;

export async function insertSession(tx: Tx, session: SessionRow): Promise<void> {
  await tx`insert into sessions ${tx(session)}`;
}

/** A session as it is found by its credential. */
export type LiveSession = Pick<
  SessionRow,
  'accountId' | 'sessionHash' | 'createdAt' | 'authenticatedAt' | 'lastSeenAt'
> & { termsUrl: string | null; name: string; username: string | null; pictureUrl: string | null };

/** Those of the sessions that have not ended, nor their accounts; on Citus, all of one account. */
export async function selectLiveSessions(
  db: Db,
  keys: readonly SessionKey[],
  now: number,
  { isDistributed }: Pick<Shards, 'isDistributed'>,
): Promise<LiveSession[]> {
  const accountIds = keys.map(({ accountId }) => accountId);
  return db<LiveSession[]>`
    select sessions.account_id, sessions.session_hash, sessions.created_at, sessions.authenticated_at,
      sessions.last_seen_at, accounts.terms_url, accounts.name, accounts.username, accounts.picture_url
    from sessions join accounts on accounts.account_id = sessions.account_id
    where sessions.account_id = ${isDistributed ? db`${accountIds[0] ?? ''}` : db`any(${accountIds})`}
      and sessions.session_hash = any(${keys.map(({ sessionHash }) => sessionHash)}::bytea[])
      and sessions.expires_at > ${now} and accounts.deleted_at is null`;
}

/** How the person of a valid session was authenticated. */
export async function selectAuthentication(
  db: Db,
  { accountId, sessionHash }: SessionKey,
  now: number,
): Promise<Pick<SessionRow, 'authenticatedAt' | 'methods' | 'signInId'> | undefined> {
  const [session] = await db<Pick<SessionRow, 'authenticatedAt' | 'methods' | 'signInId'>[]>`
    select authenticated_at, methods, sign_in_id from sessions
    where account_id = ${accountId} and session_hash = ${sessionHash} and expires_at > ${now}`;
  return session;
}

/** The valid sessions of these accounts: a few each, so that the caller can look for the right one. */
export async function selectHeldSessions(
  db: Db,
  { accountIds, now }: { accountIds: string[]; now: number },
): Promise<SessionKey[]> {
  return db<SessionKey[]>`
    select sessions.account_id, sessions.session_hash
    from sessions
    join accounts on accounts.account_id = sessions.account_id and accounts.account_id = any(${accountIds})
    where sessions.account_id = any(${accountIds}) and sessions.expires_at > ${now}
      and accounts.deleted_at is null`;
}

export async function selectSessions(
  db: Db,
  { accountId, now, limit }: { accountId: string; now: number; limit: number },
): Promise<Pick<SessionRow, 'sessionHash' | 'userAgent' | 'createdAt' | 'lastSeenAt'>[]> {
  return db<SessionRow[]>`
    select session_hash, user_agent, created_at, last_seen_at from sessions
    where account_id = ${accountId} and expires_at > ${now}
    order by last_seen_at desc, created_at desc, session_hash limit ${limit}`;
}

export async function updateSessionUse(
  tx: Tx,
  { accountId, sessionHash }: SessionKey,
  { now, expiresAt }: { now: number; expiresAt: number },
): Promise<void> {
  await tx`
    update sessions set last_seen_at = ${now}, expires_at = ${expiresAt}
    where account_id = ${accountId} and session_hash = ${sessionHash} and expires_at > ${now}`;
}

/** False when the session ended meanwhile. */
export async function updateSessionAuthenticated(
  tx: Tx,
  { accountId, sessionHash }: SessionKey,
  { now, method }: { now: number; method: AuthenticationMethod },
): Promise<boolean> {
  const rows = await tx`
    update sessions
    set authenticated_at = ${now}, methods = array_append(array_remove(methods, ${method}), ${method})
    where account_id = ${accountId} and session_hash = ${sessionHash} and expires_at > ${now} returning account_id`;
  return rows.length === 1;
}

export async function deleteSession(tx: Tx, { accountId, sessionHash }: SessionKey): Promise<EndedSession[]> {
  return tx<EndedSession[]>`
    delete from sessions where account_id = ${accountId} and session_hash = ${sessionHash}
    returning account_id, session_hash, sign_in_id`;
}

export async function deleteSessionsOf(
  tx: Tx,
  accountId: string,
  besides?: SessionKey,
): Promise<EndedSession[]> {
  return tx<EndedSession[]>`
    delete from sessions
    where account_id = ${accountId} ${besides ? tx`and session_hash <> ${besides.sessionHash}` : tx``}
    returning account_id, session_hash, sign_in_id`;
}

/** A read over all shards, for the worker that sweeps. */
export async function selectAccountsWithExpiredSessions(
  db: Db,
  { now, limit }: { now: number; limit: number },
): Promise<string[]> {
  const rows = await db<{ accountId: string }[]>`
    select account_id from sessions where expires_at <= ${now} order by expires_at limit ${limit}`;
  return [...new Set(rows.map(({ accountId }) => accountId))];
}

export async function deleteExpiredSessions(
  tx: Tx,
  { accountIds, now }: { accountIds: string[]; now: number },
): Promise<SessionKey[]> {
  return tx<SessionKey[]>`
    delete from sessions where account_id = any(${accountIds}) and expires_at <= ${now}
    returning account_id, session_hash`;
}
