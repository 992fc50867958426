import type { Peer } from '#contract/chat.ts';
import { say } from '#contract/reasons.ts';
import { Batcher } from '#platform/batch.ts';
import type { Config } from '#platform/config.ts';
import { hashSecret } from '#platform/crypto/random-secrets.ts';
import type { Db, Tx } from '#platform/database.ts';
import { ApiError, notSignedIn, permissionDenied } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import type { Live } from '#platform/live.ts';
import { submitById } from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';
import type { Random } from '#platform/random.ts';
import type { AccountDeps } from '../deps.ts';
import { selectIsBarred } from '../joining.ts';
import { updateDeviceEpoch } from '../queries.ts';
import {
  type AuthenticationMethod,
  DEVICE_LIFETIME_MS,
  isRecent,
  isUseWorthWriting,
  SECOND_STEP_MS,
  SESSION_LIFETIME_MS,
  sessionExpiry,
} from '../rules.ts';
import { refuseSuspended } from '../suspension.ts';
import { viewPeer } from '../view.ts';
import type { DeviceMark } from './devices.ts';
import {
  deleteExpiredSessions,
  deleteSessionsOf,
  type EndedSession,
  insertSession,
  type LiveSession,
  type SessionKey,
  selectAccountsWithExpiredSessions,
  selectAuthentication,
  selectHeldSessions,
  selectLiveSessions,
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
  /** The person as others see them. */
  peer: Peer;
}

export interface NewSession {
  accountId: string;
  userAgent: string;
  methods: AuthenticationMethod[];
  /** When the person proved it, if that was elsewhere. */
  authenticatedAt?: number | undefined;
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
    sessionHash: hashSecret(secret),
    userAgent: userAgent.slice(0, USER_AGENT_LENGTH),
    methods,
    signInId: given.signInId ?? random.bytes(SIGN_IN_ID_BYTES).toString('base64url'),
    createdAt: now,
    // A clock elsewhere may be ahead, which must not make the sign-in recent for longer.
    authenticatedAt: Math.min(given.authenticatedAt ?? now, now),
    lastSeenAt: now,
    expiresAt: sessionExpiry(now, now),
  });
  return `${accountId}.${secret}`;
}

/**
 * Finds the owner of a credential, if its session has not ended, in one batch with concurrent look-ups; on Citus each account
 * has its own. Records the use of the session.
 */
export function createPersonFinder({ db, clock, shards }: Platform) {
  const lookUps = new Batcher<SessionKey, LiveSession | undefined>(async (asked) => {
    const sessions = await selectLiveSessions(db, asked, clock.now(), shards);
    const nameOf = ({ accountId, sessionHash }: SessionKey) => accountId + sessionHash.toString('binary');
    const live = new Map(sessions.map((session) => [nameOf(session), session]));
    return asked.map((key) => live.get(nameOf(key)));
  });
  return async (credential: string | undefined): Promise<Person | undefined> => {
    const key = parseCredential(credential);
    if (!key) return undefined;
    const session = await submitById(shards, lookUps, key, { table: 'accounts', id: key.accountId });
    if (!session) return undefined;
    const now = clock.now();
    if (isUseWorthWriting(session.lastSeenAt, now)) {
      const expiresAt = sessionExpiry(session.createdAt, now);
      await db.write((tx) => updateSessionUse(tx, key, { now, expiresAt }));
    }
    // The string of the row: a substring of the cookie would keep the whole cookie in memory.
    const { accountId, authenticatedAt, termsUrl } = session;
    const peer = viewPeer({ ...session, isBot: false, plainText: false, deletedAt: null });
    return { ...key, accountId, authenticatedAt, termsUrl, peer };
  };
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
  return notSignedIn('session.ended');
}

/** The row of a credential; a malformed one never reaches the database. */
export function parseCredential(credential = ''): SessionKey | undefined {
  const [accountId = '', secret = '', ...rest] = credential.split('.');
  if (rest.length > 0 || !isId('usr', accountId) || !SECRET.test(secret)) return undefined;
  return { accountId, sessionHash: hashSecret(secret) };
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
  { db, clock, live }: Platform,
  { limit }: { limit: number },
): Promise<number> {
  const now = clock.now();
  const accountIds = await selectAccountsWithExpiredSessions(db, { now, limit });
  if (accountIds.length === 0) return 0;
  const ended = await db.begin((tx) => deleteExpiredSessions(tx, { accountIds, now }));
  announceEnd(live, ended);
  return ended.length;
}

/** A session, as the connections that it opened keep it. */
export interface OpenSession {
  accountId: string;
  sessionId: string;
}

type SessionCheck = (session: OpenSession) => Promise<boolean>;

const CHECKED_AT_ONCE = { maxItems: 512, maxWaiting: 65_536 };

/**
 * Checks whether a session is still valid, for connections that outlive the request that opened them. A
 * process may have ten thousand of them: concurrent checks share a statement.
 */
export function createSessionCheck({ db, clock }: Platform): SessionCheck {
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

/** Kept by a browser, sealed, while a person is at a provider, and until they confirm who they are here. */
export type ProviderCookie = 'provider' | 'identity';

/**
 * The cookie that carries a session. Over https its name begins with `__Host-`: no other host, and no page over plain
 * http, can set or replace it. Browsers refuse that name over http, so that localhost gets the plain one.
 */
export function createSessionCookie({ publicUrl }: Pick<Config, 'publicUrl'>) {
  const isSecure = publicUrl?.startsWith('https:') ?? false;
  const name = isSecure ? '__Host-parley_session' : 'parley_session';
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  const device = isSecure ? '__Host-parley_device' : 'parley_device';
  const issue = (credential: string) =>
    `${name}=${credential}; Max-Age=${SESSION_LIFETIME_MS / 1000}; ${attributes}`;
  const finderOf = (cookie: string) => new RegExp(`(?:^|;)\\s*${cookie}=([^;\\s]*)`);
  const inHeader = finderOf(name);
  const nameOf = (cookie: ProviderCookie) => `${isSecure ? '__Host-' : ''}parley_${cookie}`;
  return {
    /** The credential in a `Cookie` header. */
    read: (header = '') => inHeader.exec(header)?.[1],
    readOf: (cookie: ProviderCookie, header = '') => finderOf(nameOf(cookie)).exec(header)?.[1],
    /** The `Set-Cookie` header; without a value, it removes the cookie. */
    setOf: (cookie: ProviderCookie, value = '') =>
      `${nameOf(cookie)}=${value}; Max-Age=${value === '' ? 0 : SECOND_STEP_MS / 1000}; ${attributes}`,
    /** The `Set-Cookie` header with a credential. */
    issue,
    /** The device cookie of an earlier sign-in to this account, in a `Cookie` header. */
    readDevice: (header: string | undefined, accountId: string) =>
      isId('usr', accountId) ? finderOf(`${device}_${accountId}`).exec(header ?? '')?.[1] : undefined,
    /** The `Set-Cookie` headers of a sign-in. */
    enter: ({ credential, device: mark }: { credential: string; device: DeviceMark }) => [
      issue(credential),
      `${device}_${mark.accountId}=${mark.token}; Max-Age=${DEVICE_LIFETIME_MS / 1000}; ${attributes}`,
    ],
    /** The `Set-Cookie` header that removes it. */
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}
