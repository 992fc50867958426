import type { Media } from '#features/media/index.ts';
import type { Db } from '#platform/database.ts';
import type { Routes } from '#platform/http/routes.ts';
import type { Platform } from '#platform/platform.ts';
import { withDeps } from '#platform/with-deps.ts';
import { keepBuiltInAccount } from './built-in-account.ts';
import { openPersonLimits } from './person-limits.ts';
import { resolveInvite } from './profile/invite-link.ts';
import { showProfile } from './profile/profile.ts';
import { removeExpiredTickets } from './second-factor/tickets.ts';
import { disableTwoFactorOf } from './second-factor/two-factor.ts';
import {
  createBotAccount,
  findAccount,
  findAccountIdByEmail,
  findAccountIdByUsername,
  findAccounts,
  findOwnAccount,
  holdAccounts,
  holdActor,
  lockAccount,
  markAccountDeleted,
  renameAccount,
} from './service.ts';
import { findPerson, type Person, removeExpiredSessions } from './sessions/session.ts';
import { createSessionCheck } from './sessions/session-check.ts';
import { createSessionCookie } from './sessions/session-cookie.ts';
import { endSessionsOf, resetPassword } from './sign-in/passwords.ts';
import { Throttle } from './sign-in/throttle.ts';
import { findTestPersonId, forgetTestPerson, isTestPerson, keepTestPerson } from './test-person.ts';

export type { AccountFollower as AccountHook } from './follower.ts';
export type { PersonLimits } from './person-limits.ts';
export { viewPeer } from './profile/peer.ts';
export { isRecent } from './rules.ts';
export type { Account } from './service.ts';
export { requireRecentSignIn, sessionEnded, sessionIdOf } from './sessions/session.ts';
export { type OpenSession, openSessionOf, type SessionCheck } from './sessions/session-check.ts';
export type { Person };

export interface PersonRouteOptions {
  /** The route shows or makes a secret, or deletes: it asks for a sign-in of the last 10 minutes. */
  needsRecentSignIn?: true;
}

/** What people do in the chat. */
export type ChatRoutes = Routes<{ person: Person }, PersonRouteOptions>;

/** The accounts of people and bots. */
export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts(platform: Platform, features: { media: Media }) {
  const { db, config } = platform;
  const cookie = createSessionCookie(config);
  const deps = { ...platform, ...features, cookie, throttle: new Throttle(platform) };
  return {
    ...openDirectory(db),
    ...withDeps(deps, { keepTestPerson, resolveInvite }),
    showProfile: (accountId: string) => showProfile(db, accountId),
    /** How much people may do, through whichever surface. */
    limits: openPersonLimits(platform),
    cookie,
    /** Who is signed in, by the `Cookie` header of a request. */
    findPerson: (cookies: string | undefined) => findPerson(platform, cookie.read(cookies)),
    /** Whether a session still holds, for connections that outlive their request. */
    isSessionOpen: createSessionCheck(platform),
    /** One step of the worker: removes up to `limit` sessions that have expired, and used tickets. */
    async removeExpired({ limit }: { limit: number }): Promise<void> {
      await removeExpiredSessions(platform, { limit });
      await removeExpiredTickets(platform);
    },
  };
}

export type OperatorAccounts = ReturnType<typeof openOperatorAccounts>;

/** Accounts as the operator's commands need them, without a server. */
export function openOperatorAccounts(deps: Pick<Platform, 'db' | 'random' | 'live'>) {
  return {
    ...openDirectory(deps.db),
    ...withDeps(deps, { resetPassword, endSessionsOf, disableTwoFactorOf }),
  };
}

function openDirectory(db: Platform['db']) {
  return {
    /** Any account, deleted ones included: they stay the authors of what they wrote. */
    find: (accountId: string, at: Db = db) => findAccount(at, accountId),
    /** Those of the given accounts that exist, deleted ones included. */
    findAll: (accountIds: string[], at: Db = db) => findAccounts(at, accountIds),
    /** A person's account with the address that the person signs in with. */
    findOwn: (accountId: string) => findOwnAccount(db, accountId),
    /** Whose username this is or was; the account may be deleted. */
    findIdByUsername: (username: string, at: Db = db) => findAccountIdByUsername(at, username),
    findIdByEmail: (email: string) => findAccountIdByEmail(db, email),
    /** Keeps accounts from being deleted until the transaction ends. */
    hold: holdAccounts,
    /** Keeps whoever acts from being deleted until the transaction ends. */
    holdActor,
    lock: lockAccount,
    createForBot: createBotAccount,
    keepBuiltIn: keepBuiltInAccount,
    rename: renameAccount,
    markDeleted: markAccountDeleted,
    /** The person whom this one plays towards the own bots; undefined while there is none. */
    findTestPersonId: (ownerId: string, at: Db = db) => findTestPersonId(at, ownerId),
    forgetTestPerson,
    isTestPerson: (accountId: string, at: Db = db) => isTestPerson(at, accountId),
  };
}
