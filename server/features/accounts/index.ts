import type { Db } from '#platform/database.ts';
import type { Routes } from '#platform/http/routes.ts';
import type { Platform } from '#platform/platform.ts';
import {
  createBotAccount,
  findAccount,
  findAccountIdByUsername,
  findAccounts,
  holdAccounts,
  holdActor,
  lockAccount,
  markAccountDeleted,
  renameAccount,
} from './service.ts';
import type { Person } from './sessions/session.ts';

export type { AccountFollower as AccountHook } from './follower.ts';
export type { PersonLimits } from './person-limits.ts';
export { viewPeer } from './profile/peer.ts';
export type { Account } from './service.ts';
export type { Person };

export interface PersonRouteOptions {
  /** The route shows or makes a secret, or deletes: it asks for a sign-in of the last 10 minutes. */
  needsRecentSignIn?: true;
}

/** What people do in the chat. */
export type ChatRoutes = Routes<{ person: Person }, PersonRouteOptions>;

/** The accounts of people and bots. */
export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts({ db }: Pick<Platform, 'db'>) {
  return {
    /** Any account, deleted ones included: they stay the authors of what they wrote. */
    find: (accountId: string, at: Db = db) => findAccount(at, accountId),
    /** Those of the given accounts that exist, deleted ones included. */
    findAll: (accountIds: string[], at: Db = db) => findAccounts(at, accountIds),
    /** Whose username this is or was; the account may be deleted. */
    findIdByUsername: (username: string) => findAccountIdByUsername(db, username),
    /** Keeps accounts from being deleted until the transaction ends. */
    hold: holdAccounts,
    /** Keeps whoever acts from being deleted until the transaction ends. */
    holdActor,
    lock: lockAccount,
    createForBot: createBotAccount,
    rename: renameAccount,
    markDeleted: markAccountDeleted,
  };
}
