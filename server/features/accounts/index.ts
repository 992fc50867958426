import type { Db } from '#platform/database.ts';
import { requireInReach, UNSHARDED } from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';
import { withDeps } from '#platform/with-deps.ts';
import { isBuiltInAccountKept, keepBuiltInAccount } from './built-in-account.ts';
import type { AccountDeps, AccountHook, SuspensionDeps } from './deps.ts';
import { confirmEmail, confirmEmailOf, findEmailConfirmation, limitEmailLinks } from './email.ts';
import { confirmByIdentity, connectIdentity, disconnectIdentity, listIdentities } from './identities/own.ts';
import { endProviderSessions, signOutByProvider } from './identities/provider-sessions.ts';
import {
  changeProvisioned,
  deprovision,
  findProvisioned,
  listProvisioned,
  provision,
} from './identities/provisioned.ts';
import {
  addPerson,
  listSignUpInvitations,
  makeSignUpInvitation,
  removeOldInvitations,
  revokeSignUpInvitation,
} from './joining.ts';
import {
  changeLimits,
  countPeople,
  findPeople,
  liftSuspension,
  listPeople,
  listSessionsOf,
  OwnLimits,
  showPerson,
  suspendPerson,
} from './operator.ts';
import { deletePerson } from './own-data.ts';
import { openPersonLimits } from './person-limits.ts';
import { resolveInvite } from './profile/invite-link.ts';
import { findLastSeen, showProfile } from './profile/profile.ts';
import { findLanguage } from './profile/queries.ts';
import { profileRoutes } from './profile-routes.ts';
import {
  type Account,
  findNameOwner,
  lockAccount,
  lockFreeShared,
  updateAccountDeleted,
  updateAccountName,
  updateAccountPicture,
  updatePlainText,
} from './queries.ts';
import { disableTwoFactor, makeRecoveryCode } from './second-factor/two-factor.ts';
import { secondFactorRoutes } from './second-factor-routes.ts';
import {
  createBotAccount,
  findAccount,
  findAccountIdByEmail,
  findAccounts,
  findConfirmedEmail,
  findOwnAccount,
  lockAccountsShared,
  lockActor,
  requireAccountIdByEmail,
} from './service.ts';
import { signOut } from './sessions/own-sessions.ts';
import {
  createPersonFinder,
  createSessionCheck,
  createSessionCookie,
  findAuthentication,
  type Person,
  removeExpiredSessions,
} from './sessions/session.ts';
import { signInByIdentity } from './sign-in/by-identity.ts';
import { makeResetLink } from './sign-in/forgotten-password.ts';
import { endSessionsOfPerson, resetPassword } from './sign-in/passwords.ts';
import type { Browser } from './sign-in/sign-in.ts';
import { ownAccountRoutes, signInRoutes } from './sign-in-routes.ts';
import { isSuspended } from './suspension.ts';
import { findTestPersonId, forgetTestPerson, keepTestPerson } from './test-person.ts';
import { Throttle } from './throttle/throttle.ts';
import { removeExpiredTickets } from './tickets.ts';

export { installServiceAccount, SERVICE_ACCOUNT_ID } from './built-in-account.ts';
export { EMAIL_CONFIRMATION_PATH } from './email.ts';
export type { ProvenIdentity } from './identities/proven.ts';
export type { ProvisioningAct } from './identities/provisioned.ts';
export {
  type AccountHere,
  findAccountsHere,
  findForImport,
  findUsernameOwners,
  type ImportedAccount,
  type ImportedPerson,
  importAccounts,
  importPeople,
  importTestPeople,
  withoutDeleted,
} from './imported.ts';
export { findTermsToAccept } from './joining.ts';
export { findServiceName, isRecent, readEmail } from './rules.ts';
export { actorDeleted } from './service.ts';
export {
  type Authentication,
  type OpenSession,
  openSessionOf,
  requireRecentSignIn,
  sessionEnded,
  sessionIdOf,
} from './sessions/session.ts';
export { viewAccount, viewPeer } from './view.ts';
export type { Account, AccountHook, Browser, Person };

declare module '#platform/http/serve.ts' {
  interface Callers {
    visitor: { browser: Browser };
    account: { person: Person; browser: Browser };
    person: { person: Person };
  }
}

/** The accounts of people and bots. */
export type Accounts = ReturnType<typeof createAccounts>['api'];

export function createAccounts(
  given: Platform & Pick<AccountDeps, 'media' | 'hooks' | 'takesPasswords' | 'hasProvider'>,
) {
  const { db, config } = given;
  const cookie = createSessionCookie(config);
  const findPerson = createPersonFinder(given);
  const ownLimits = new OwnLimits(given);
  const deps: AccountDeps = { ...given, throttle: new Throttle(given), emailLinks: limitEmailLinks(given) };
  return {
    api: {
      ...openDirectory(given),
      /** How much people may do, through whichever surface. */
      limits: openPersonLimits(deps, ownLimits),
      /** Limits that operators set for one person instead of the general settings. */
      findOwnLimits: (accountId: string) => ownLimits.find(accountId),
      /** The cookies of sessions. */
      cookie,
      /** Who is signed in, by the `Cookie` header of a request. */
      findPerson: (cookies: string | undefined) => findPerson(cookie.read(cookies)),
      /** How the person of a session was authenticated; undefined if the session has ended meanwhile. */
      findAuthentication: (person: Person, at: Db = db) => findAuthentication(deps, person, at),
      /** Whether a session is still valid, for connections that outlive their request. */
      isSessionOpen: createSessionCheck(deps),
      /** One step of the worker: removes up to `limit` sessions that have expired, and used tickets. */
      async removeExpired({ limit }: { limit: number }): Promise<void> {
        await removeExpiredSessions(deps, { limit });
        await removeExpiredTickets(deps);
        await removeOldInvitations(deps);
      },
      ...withDeps(deps, { signOut, findEmailConfirmation, confirmEmail, keepTestPerson }),
      ...withDeps(deps, { showProfile, findLastSeen, resolveInvite }),
      /** In which language to write to a person. */
      findLanguage: (accountId: string, at: Db = db) => findLanguage(at, accountId),
      /** People as providers know them. */
      identities: {
        ...withDeps(deps, { signInByIdentity, listIdentities, connectIdentity, disconnectIdentity }),
        ...withDeps(deps, { confirmByIdentity, signOutByProvider }),
        ...withDeps(deps, { findProvisioned, listProvisioned, provision, changeProvisioned, deprovision }),
      },
      /** Whether a person is suspended; it stays so until the transaction ends. */
      isSuspended,
      /** The operator's part. */
      operator: {
        ...withDeps(deps, { ...BY_OPERATORS, makeResetLink, makeRecoveryCode, deletePerson }),
        async changeLimits(
          ...given: Parameters<OperatorAccounts['operator']['changeLimits']>
        ): Promise<void> {
          await changeLimits(deps, ...given);
          ownLimits.forget(given[0]);
        },
        ...withDeps(db, { countPeople }),
        listPeople,
      },
    },
    routes: [signInRoutes(deps), ownAccountRoutes(deps), secondFactorRoutes(deps), profileRoutes(deps)],
    hooks: {},
  };
}

/** The acts of operators, for their console and the command line alike. */
const BY_OPERATORS = {
  findPeople,
  showPerson,
  listSessionsOf,
  suspendPerson,
  liftSuspension,
  endSessionsOfPerson,
  resetPassword,
  disableTwoFactor,
  addPerson,
  confirmEmailOf,
  listSignUpInvitations,
  makeSignUpInvitation,
  revokeSignUpInvitation,
  endProviderSessions,
};

export type OperatorAccounts = ReturnType<typeof openOperatorAccounts>;

/** Accounts as the operator's commands need them, without a server. */
export function openOperatorAccounts(deps: SuspensionDeps) {
  return {
    ...openDirectory({ ...deps, shards: UNSHARDED }),
    operator: {
      ...withDeps(deps, { ...BY_OPERATORS, changeLimits }),
      ...withDeps(deps.db, { countPeople }),
    },
  };
}

function openDirectory({ db, shards }: Pick<Platform, 'db' | 'shards'>) {
  return {
    /** Any account, including deleted ones, which stay the authors of their messages. */
    find: (accountId: string, at: Db = db) => findAccount(at, accountId),
    /** Those of the given accounts that exist, deleted ones included. */
    async findAll(accountIds: Iterable<string>, at: Db = db) {
      const ids = [...accountIds];
      await requireInReach(shards, { accountIds: ids });
      return ids.length === 0 ? [] : findAccounts(at, ids);
    },
    /** The same, by their ids. */
    findByIds: async (accountIds: Iterable<string>): Promise<ReadonlyMap<string, Account>> =>
      new Map((await findAccounts(db, accountIds)).map((account) => [account.accountId, account])),
    ...withDeps(db, { findOwn: findOwnAccount, findConfirmedEmail }),
    ...withDeps(db, { findIdByEmail: findAccountIdByEmail, requireIdByEmail: requireAccountIdByEmail }),
    /** The account that has or had this username; it may be deleted. */
    findIdByUsername: (username: string, at: Db = db) =>
      findNameOwner(at, { value: username, kind: 'username' }),
    /** Keeps accounts from being deleted until the transaction ends. */
    lockShared: lockAccountsShared,
    /** Keeps the acting account from being deleted until the transaction ends. */
    lockActor,
    /** The same for those whom nobody has locked; the others are left out. */
    lockFreeShared,
    lock: lockAccount,
    createForBot: createBotAccount,
    keepBuiltIn: keepBuiltInAccount,
    isBuiltInKept: isBuiltInAccountKept,
    rename: updateAccountName,
    setPicture: updateAccountPicture,
    /** Whether a bot's texts are shown without formatting. */
    changePlainText: updatePlainText,
    /** Only the first call counts; the names stay reserved. */
    markDeleted: updateAccountDeleted,
    /** The test person with whom somebody writes to their own bots; undefined while there is none. */
    findTestPersonId: (ownerId: string, at: Db = db) => findTestPersonId(at, ownerId),
    forgetTestPerson,
  };
}
