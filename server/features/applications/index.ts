import type { AuditAction, AuditEntry } from '#contract/applications/audit.ts';
import type { Extension } from '#contract/applications.ts';
import type { Accounts, Person } from '#features/accounts/index.ts';
import type { Database, Db, Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { withDeps } from '#platform/with-deps.ts';
import type { Actor, CachedKey, Credential } from './actor.ts';
import { type Change, recordAudit } from './audit/record.ts';
import { readAuditTrail } from './audit/trail.ts';
import {
  admitPublishedClient,
  findActiveClient,
  findClientNames,
  findClients,
  isRegisteredRedirectUri,
  lockActiveClient,
} from './clients.ts';
import { apiRoutes, applicationRoutes } from './console.ts';
import { createApplication } from './create.ts';
import { ApiKeys, type KeyAge } from './credentials/api-keys.ts';
import { announceRevocation, regenerateApiKey } from './credentials/keys.ts';
import { regenerateWebhookSecret, removeExpiredSecrets } from './credentials/renew-secrets.ts';
import type { ApplicationDeps, ApplicationHook, OperatorApplicationDeps } from './deps.ts';
import { hasExtension, switchExtension } from './extensions/extensions.ts';
import { ExtensionsInUse, selectChoices, selectExtensions } from './extensions/in-use.ts';
import { createApplicationAccountHook, suspendApplication, unsuspendApplication } from './life-cycle.ts';
import { findLatestRequests, listRequestsOf, removeExpiredMonitoring } from './monitoring/api-log.ts';
import { RequestRecorder } from './monitoring/recorder.ts';
import { countAll, findActivity, findKeysUsed } from './monitoring/usage.ts';
import { findApplications, findIdsByName, findOwnedIds } from './queries.ts';
import { Quota } from './quota.ts';
import { mayActAs } from './rules.ts';
import {
  findApplicationsForDelivery,
  findEventReceivers,
  findOwnApplication,
  findOwnerId,
  findRole,
  listApplications,
  listTeamApplications,
  lockAnyApplication,
  lockOwnApplication,
  type Owned,
  requireOwnApplication,
} from './service.ts';
import { changeQuota, removeWebhookUrl, setWebhookUrl } from './settings.ts';

export { REALM, scopeMissing, tokenInvalid } from './actor.ts';
export type { Client } from './clients.ts';
export { type CachedCredential, type KeyAge, KeyChanged } from './credentials/api-keys.ts';
export { isApiKey } from './credentials/secrets.ts';
export type { ApplicationHook } from './deps.ts';
export {
  importApplication,
  insertPortable,
  isApplicationHere,
  openPortableApplications,
} from './portable.ts';
export type { LockedApplication } from './queries.ts';
export { QUOTA_HEADERS, type QuotaLeft } from './quota.ts';
export { checkRedirectUri } from './rules.ts';
export { applicationNotFound, type DeliveryApplication, ownedBy } from './service.ts';
export type { Actor, CachedKey, Credential, Owned };

declare module '#platform/http/serve.ts' {
  interface Callers {
    actor: {
      actor: Actor;
      /** Whether the credential would still be admitted; for what outlives its request. A check counts as a request to `endpoint`. */
      toAdmissionCheck: (endpoint?: string) => () => Promise<boolean>;
    };
    /** `own`: the application that the path names, which may be anybody's until a service has looked. */
    developer: { person: Person; own: Owned };
  }
}

/** The operators' part, which the command line uses too. */
export function openOperatorApplications(
  platform: OperatorApplicationDeps,
  hooks: readonly ApplicationHook[],
) {
  return {
    ...withDeps(platform, { suspend: suspendApplication, changeQuota }),
    unsuspend: (appId: string) => unsuspendApplication(platform, appId, hooks),
    /** The given applications without deleted ones, and whether they receive events. */
    findEventReceivers: (appIds: string[], at: Db = platform.db) => findEventReceivers(at, appIds),
  };
}

/** Applications, their credentials, and their API log, usage and audit trail. */
export type Applications = ReturnType<typeof createApplications>['api'];

export function createApplications(
  given: Platform & { accounts: Accounts; hooks: readonly ApplicationHook[] },
) {
  const { db, hooks } = given;
  const extensionsInUse = new ExtensionsInUse(given);
  const deps: ApplicationDeps = { ...given, extensionsInUse, recorder: new RequestRecorder(given) };
  const keys = new ApiKeys(deps);
  const quota = new Quota(deps);
  /** While the operator accepts registered clients only, published ones behave as if they were disabled. */
  const findReachableClients = async (appIds: string[]) => {
    const clients = await findClients(db, appIds);
    if (deps.config.takesPublishedClients) return clients;
    return clients.map((client) =>
      client.clientUrl === null ? client : { ...client, state: 'disabled' as const },
    );
  };
  return {
    api: {
      ...openOperatorApplications(deps, hooks),
      ...withDeps(deps, { create: createApplication }),
      listOwn: (ownerId: string, at: Db = db) => listApplications(at, ownerId),
      ...withDeps(db, { listTeam: listTeamApplications, findRole, findOwnerId }),
      mayActAs,
      ...withDeps(db, { findOwn: findOwnApplication, requireOwn: requireOwnApplication }),
      /** Locks an application of the person, its keys and its bot until the transaction ends. */
      lockOwn: lockOwnApplication,
      /** The same, whoever owns it. @throws ApiError 404 */
      lockAny: lockAnyApplication,
      ...withDeps(deps, { switchExtension }),
      /** Read at every use: an extension is off once the request that switched it off is answered. */
      ...withDeps(db, { hasExtension, findExtensions: selectExtensions }),
      /** Which of these applications have which of these extensions on. */
      findChoices: selectChoices,
      /** Whether any application has it on. */
      isExtensionInUse: async (extension: Extension) =>
        (extension === 'mcp' && deps.config.takesPublishedClients) || extensionsInUse.includes(extension),
      /** Steps of the expiry worker. */
      ...withDeps(deps, { removeExpiredSecrets, removeExpiredMonitoring }),

      /**
       * For an owner's changes inside a transaction in progress, passed as `tx`. After its commit a new key needs
       * `announceRevocation`, and a new webhook URL `announceReopening`.
       */
      within: (tx: Database) => ({
        ...withDeps(
          { ...deps, db: tx },
          {
            findForDelivery: findApplicationsForDelivery,
            create: createApplication,
            regenerateApiKey,
            regenerateWebhookSecret,
          },
        ),
        listOwn: (ownerId: string) => listApplications(tx, ownerId),
        setWebhookUrl: (own: Owned, url: string, guard: Platform['guard']) =>
          setWebhookUrl({ ...deps, db: tx, guard }, own, url, hooks.map(withoutAnnouncements)),
        removeWebhookUrl: (own: Owned) =>
          removeWebhookUrl({ ...deps, db: tx }, own, hooks.map(withoutAnnouncements)),
      }),
      /** Applications for operators, whoever owns them; without deleted ones. */
      operator: {
        findIdsByName: (beginning: string, limit: number) => findIdsByName(db, { beginning, limit }),
        ...withDeps(db, { findOwnedIds }),
        findAll: async (appIds: string[]) =>
          (await findApplications(db, appIds)).filter(({ state }) => state !== 'deleted'),
        ...withDeps(deps, { countAll }),
      },
      /** The operators' part inside a transaction in progress; afterwards announce what was revoked or reopened. */
      operatingWithin: (tx: Database) =>
        openOperatorApplications({ ...deps, db: tx }, hooks.map(withoutAnnouncements)),
      ...withDeps(deps, { announceRevocation }),
      async announceReopening(appId: string) {
        for (const hook of hooks) await hook.afterReopening?.(appId);
      },

      /** An application as its bot acts on it, with an API key that may set it up, on behalf of the owner. */
      ownedByBot: async ({ appId }: Pick<Actor, 'appId'>): Promise<Owned> => ({
        actorId: await findOwnerId(db, appId),
        appId,
        channel: 'api',
      }),
      /** Sets the webhook URL; null removes it. @throws ApiError 400 that says what is wrong with it */
      changeWebhookUrl: (own: Owned, url: string | null) =>
        url === null ? removeWebhookUrl(deps, own, hooks) : setWebhookUrl(deps, own, url, hooks),
      /** The given applications without deleted ones, as deliveries need them, with secrets in plain text. */
      ...withDeps(deps, { findForDelivery: findApplicationsForDelivery }),

      findClients: findReachableClients,
      ...withDeps(db, { findActiveClient, findClientNames }),
      /** Locks an active application until the transaction ends; undefined if it is not active. */
      lockActiveClient,
      isRegisteredRedirectUri: (appId: string, uri: string, at: Db = db) =>
        isRegisteredRedirectUri(at, appId, uri),
      /** Stores a client that is not registered here as an application, in the transaction of a person's approval. */
      admitPublishedClient: (tx: Tx, client: { appId: string; url: string; name: string }) =>
        admitPublishedClient(tx, deps, client),

      authenticateKey: (key: string) => keys.authenticate(key),
      /** A key as of its last lookup, which does not authorize anything by itself. */
      findCachedKey: (key: string, age?: KeyAge) => keys.findCached(key, age),
      /** @throws KeyChanged if the application may have changed since the lookup */
      confirmKey: (key: CachedKey) => keys.confirm(key),
      quota,

      /** Records requests and deliveries. */
      recorder: deps.recorder,
      ...withDeps(deps, { listRequestsOf, findActivity }),
      ...withDeps(db, { findLatestRequests, findKeysUsed }),

      recordAudit: (tx: Tx, change: Change, action: AuditAction, details?: AuditEntry['details']) =>
        recordAudit(tx, deps, change, action, details),
      ...withDeps(deps, { readAuditTrail }),
    },
    routes: [apiRoutes(deps), ...applicationRoutes(deps)],
    hooks: {
      account: createApplicationAccountHook(deps, hooks),
      application: {
        afterDeletion: async () => extensionsInUse.announceChange(),
      } satisfies ApplicationHook,
    },
  };
}

/** The channel and session through which an application is created. */
export type Origin = Pick<Change, 'channel' | 'sessionId'>;

/** The part of a hook that belongs to the transaction. */
function withoutAnnouncements({ afterReopening: _, ...hook }: ApplicationHook): ApplicationHook {
  return hook;
}
