import { hash } from 'node:crypto';
import { say } from '#contract/reasons.ts';
import type { Db, Tx } from '#platform/database.ts';
import { ApiError, permissionDenied } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import type { Live } from '#platform/live.ts';
import type { Platform } from '#platform/platform.ts';
import type { Random } from '#platform/random.ts';
import type { AccountDeps } from '../deps.ts';
import { selectIsBarred } from '../joining/queries.ts';
import { updateDeviceEpoch } from '../queries.ts';
import { type AuthenticationMethod, isRecent, isUseWorthWriting, sessionExpiry } from '../rules.ts';
import { refuseSuspended } from '../suspension/refuse.ts';
import {
  deleteExpiredSessions,
  deleteSessionsOf,
  type EndedSession,
  insertSession,
  type SessionKey,
  selectAccountsWithExpiredSessions,
  selectAuthentication,
  selectSession,
  updateSessionUse,
} from './queries.ts';

/** Who is signed in, and by which session. */
export interface Person {
  accountId: string;
  sessionHash: Buffer;
  /** When the person last signed in or confirmed it in this session. */
  authenticatedAt: number;
  /** Which terms they accepted last. */
  termsUrl: string | null;
}

export interface NewSession {
  accountId: string;
  userAgent: string;
  methods: AuthenticationMethod[];
  /** Of the session that this one follows. */
  signInId?: string | null | undefined;
  now: number;
}

const SECRET_BYTES = 32;
const SIGN_IN_ID_BYTES = 16;
const SECRET = /^[A-Za-z0-9_-]{43}$/;
const USER_AGENT_LENGTH = 256;

/**
 * Begins a session, unless the person is suspended.
 *
 * @throws ApiError 403
 * @returns its credential, the value of the cookie: the account id, which determines the shard, and 256 random bits
 */
export async function startSession(
  tx: Tx,
  { random }: { random: Random },
  { accountId, userAgent, methods, now, ...given }: NewSession,
): Promise<string> {
  await refuseSuspended(tx, accountId, now);
  if (await selectIsBarred(tx, accountId)) throw permissionDenied('account.email-unconfirmed');
  const secret = random.bytes(SECRET_BYTES).toString('base64url');
  await insertSession(tx, {
    accountId,
    sessionHash: fingerprint(secret),
    userAgent: userAgent.slice(0, USER_AGENT_LENGTH),
    methods,
    signInId: given.signInId ?? random.bytes(SIGN_IN_ID_BYTES).toString('base64url'),
    createdAt: now,
    authenticatedAt: now,
    lastSeenAt: now,
    expiresAt: sessionExpiry(now, now),
  });
  return `${accountId}.${secret}`;
}

/** The owner of the credential, if its session has not ended. Records the use of the session. */
export async function findPerson(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  credential: string | undefined,
): Promise<Person | undefined> {
  const key = parseCredential(credential);
  if (!key) return undefined;
  const now = clock.now();
  const session = await selectSession(db, key, now);
  if (!session) return undefined;
  if (isUseWorthWriting(session.lastSeenAt, now)) {
    const expiresAt = sessionExpiry(session.createdAt, now);
    await db.begin((tx) => updateSessionUse(tx, key, { now, expiresAt }));
  }
  // The string of the row: a substring of the cookie would keep the whole cookie in memory.
  const { accountId, authenticatedAt, termsUrl } = session;
  return { ...key, accountId, authenticatedAt, termsUrl };
}

/** How, when and in which sign-in of a browser a person was authenticated. */
export interface Authentication {
  authenticatedAt: number;
  /** Unknown for sessions that are older than this column. */
  methods: readonly AuthenticationMethod[];
  signInId: string;
}

/** Undefined when the session has ended meanwhile. */
export async function findAuthentication(
  { clock }: AccountDeps,
  { accountId, sessionHash }: SessionKey,
  at: Db,
): Promise<Authentication | undefined> {
  const found = await selectAuthentication(at, { accountId, sessionHash }, clock.now());
  return (
    found && {
      authenticatedAt: found.authenticatedAt,
      methods: found.methods ?? [],
      signInId: found.signInId ?? sessionIdOf({ sessionHash }),
    }
  );
}

/**
 * For routes that show or create secrets, decide where secrets are sent, or delete: they require a sign-in
 * within the last 10 minutes.
 *
 * @throws ApiError 403
 */
export function requireRecentSignIn({ authenticatedAt }: Pick<Person, 'authenticatedAt'>, now: number): void {
  if (isRecent(authenticatedAt, now)) return;
  throw new ApiError(
    403,
    'permission-denied',
    say('session.not-recent'),
    // This tells pages to ask for a confirmation and repeat the call.
    { 'x-confirm': 'sign-in' },
  );
}

export function sessionEnded(): ApiError {
  return new ApiError(401, 'unauthenticated', say('session.ended'));
}

/** The row of a credential; a malformed one never reaches the database. */
export function parseCredential(credential = ''): SessionKey | undefined {
  const [accountId = '', secret = '', ...rest] = credential.split('.');
  if (rest.length > 0 || !isId('usr', accountId) || !SECRET.test(secret)) return undefined;
  return { accountId, sessionHash: fingerprint(secret) };
}

/** The key of a signed-in person in the throttle. */
export function sessionOf(person: Person): { account: string; known: string } {
  return { account: person.accountId, known: sessionIdOf(person) };
}

/** Ends all sessions of an account and invalidates its device cookies. */
export async function endSessions(tx: Tx, accountId: string): Promise<EndedSession[]> {
  await updateDeviceEpoch(tx, accountId);
  return deleteSessionsOf(tx, accountId);
}

/** The id by which a session is listed and revoked; it is not a credential. */
export function sessionIdOf({ sessionHash }: Pick<SessionKey, 'sessionHash'>): string {
  return sessionHash.toString('base64url');
}

/** Tells open connections that their session has ended; to be called after the commit. */
export function announceEnd(live: Live, ended: SessionKey[]): void {
  for (const session of ended) {
    live.publish(session.accountId, {
      type: 'session.ended',
      data: { sessionId: sessionIdOf(session) },
    });
  }
}

/** One step of the worker: removes up to `limit` expired sessions. Returns how many. */
export async function removeExpiredSessions(
  { db, clock, live }: Pick<Platform, 'db' | 'clock' | 'live'>,
  { limit }: { limit: number },
): Promise<number> {
  const now = clock.now();
  const accountIds = await selectAccountsWithExpiredSessions(db, { now, limit });
  if (accountIds.length === 0) return 0;
  const ended = await db.begin((tx) => deleteExpiredSessions(tx, { accountIds, now }));
  announceEnd(live, ended);
  return ended.length;
}

function fingerprint(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
