import type { AuditAction, AuditEntry } from '#contract/applications/audit.ts';
import type { TeamRole } from '#contract/applications/team.ts';
import type { Extension } from '#contract/applications.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { Database, Db, Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { withDeps } from '#platform/with-deps.ts';
import { createApplicationAccountHook } from './account-hook.ts';
import type { Actor, Credential } from './actor.ts';
import { addRedirectUri, removeRedirectUri } from './addresses/redirect-uris.ts';
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
import { createApplication } from './create.ts';
import { announceRevocation } from './credentials/announce-revocation.ts';
import { ApiKeys } from './credentials/api-keys.ts';
import type { KeyAge } from './credentials/cached-key.ts';
import { openCredentials } from './credentials/credentials.ts';
import { regenerateApiKey } from './credentials/keys.ts';
import { regenerateWebhookSecret, removeExpiredSecrets } from './credentials/renew-secrets.ts';
import { hasExtension, switchExtension } from './extensions/extensions.ts';
import { ExtensionsInUse } from './extensions/in-use.ts';
import type { ApplicationHook } from './hook.ts';
import {
  deleteApplication,
  disableApplication,
  reactivateApplication,
  suspendApplication,
  unsuspendApplication,
} from './life-cycle.ts';
import { removeExpiredMonitoring } from './monitoring/api-log.ts';
import { openMonitoring } from './monitoring/monitoring.ts';
import { findIdsByName } from './operator-queries.ts';
import { findApplications, findOwnedIds } from './queries.ts';
import { Quota } from './quota.ts';
import { mayActAs } from './rules.ts';
import {
  findApplicationsForDelivery,
  findEventReceivers,
  findOwnApplication,
  findOwnerId,
  findOwnRedirectUris,
  findRole,
  listApplications,
  listTeamApplications,
  lockAnyApplication,
  lockOwnApplication,
  type Owned,
  requireOwnApplication,
  showApplication,
} from './service.ts';
import { changeQuota, removeWebhookUrl, renameApplication, setWebhookUrl } from './settings.ts';
import {
  changeRole,
  invite,
  join,
  removeTeammate,
  showInvitation,
  showTeam,
  withdrawInvitation,
} from './team/team.ts';

export { REALM, scopeMissing, tokenInvalid } from './actor.ts';
export type { Client } from './clients.ts';

import { applicationRoutes } from './console.ts';

export { isApiKey } from './credentials/api-key.ts';
export type { CachedCredential } from './credentials/api-keys.ts';
export { type CachedKey, type KeyAge, KeyChanged } from './credentials/cached-key.ts';
export { hashClientSecret } from './credentials/secrets.ts';
export type { ApplicationHook } from './hook.ts';
export { insertPortable, openPortableApplications } from './portable.ts';
export type { LockedApplication } from './queries.ts';
export { QUOTA_HEADERS, type QuotaLeft } from './quota.ts';
export { checkRedirectUri } from './rules.ts';
export { applicationNotFound, type DeliveryApplication, ownedBy } from './service.ts';

import { meRoutes, requestLogRoutes } from './v1.ts';

export type { Actor, Credential, Owned };

declare module '#platform/http/serve.ts' {
  interface Callers {
    actor: {
      actor: Actor;
      /** Whether the credential would still be admitted; for streams, which outlive their request. */
      toAdmissionCheck: () => () => Promise<boolean>;
    };
  }
}

type Operating = Pick<Platform, 'db' | 'clock' | 'newId'>;

/** The operators' part, which the command line uses too. */
export function openOperatorApplications(platform: Operating, hooks: readonly ApplicationHook[]) {
  return {
    suspend: (appId: string) => suspendApplication(platform, appId),
    unsuspend: (appId: string) => unsuspendApplication(platform, appId, hooks),
    changeQuota: (appId: string, requestsPerMinute: number) =>
      changeQuota(platform, appId, requestsPerMinute),
    /** The given applications without deleted ones, and whether they receive events. */
    findEventReceivers: (appIds: string[], at: Db = platform.db) => findEventReceivers(at, appIds),
  };
}

/** Applications, their credentials, and their API log, usage and audit trail. */
export type Applications = ReturnType<typeof openApplications>['api'];

/** @param hooks of dependent features, which are created later; the list is complete before the first request */
function openApplications(
  platform: Platform,
  { accounts, hooks }: { accounts: Accounts; hooks: readonly ApplicationHook[] },
) {
  const { db } = platform;
  const deps = { ...platform, accounts };
  const keys = new ApiKeys(platform);
  const quota = new Quota(platform);
  const extensionsInUse = new ExtensionsInUse(platform);
  /** While the operator accepts registered clients only, published ones behave as if they were disabled. */
  const findReachableClients = async (appIds: string[]) => {
    const clients = await findClients(db, appIds);
    if (platform.config.takesPublishedClients) return clients;
    return clients.map((client) =>
      client.clientUrl === null ? client : { ...client, state: 'disabled' as const },
    );
  };
  const api = {
    ...openOperatorApplications(platform, hooks),
    create: (ownerId: string, name: string, origin?: Origin) =>
      createApplication(deps, ownerId, name, origin),
    listOwn: (ownerId: string, at: Db = db) => listApplications(at, ownerId),
    showOwn: (own: Owned) => showApplication(platform, own),
    /** The applications of others that a person works on. */
    listTeam: (accountId: string) => listTeamApplications(db, accountId),
    /** The person's role in an application; undefined for a stranger. */
    findRole: (appId: string, accountId: string) => findRole(db, appId, accountId),
    mayActAs,
    team: {
      show: (own: Owned) => showTeam(deps, own),
      invite: (own: Owned, role: TeamRole) => invite(deps, own, role),
      withdraw: (own: Owned, fingerprint: string) => withdrawInvitation(deps, own, fingerprint),
      showInvitation: (token: string) => showInvitation(deps, token),
      join: (person: { accountId: string; sessionId: string }, token: string) => join(deps, person, token),
      changeRole: (own: Owned, change: { userId: string; role: TeamRole }) => changeRole(deps, own, change),
      async remove(own: Owned, userId: string) {
        await removeTeammate(deps, own, userId);
        announceRevocation(platform, own.appId);
      },
    },
    /** Undefined if the person neither owns it nor is in its team, or if it is deleted. */
    findOwn: (own: Owned) => findOwnApplication(db, own),
    /** @throws ApiError 404 if {@link findOwn} finds nothing */
    requireOwn: (own: Owned) => requireOwnApplication(db, own),
    /** Locks an application of the person, its keys and its bot until the transaction ends. */
    lockOwn: lockOwnApplication,
    /** The same, whoever owns it. @throws ApiError 404 */
    lockAny: lockAnyApplication,
    rename: (own: Owned, name: string) => renameApplication(platform, own, name, hooks),
    async disable(own: Owned) {
      await disableApplication(platform, own);
      announceRevocation(platform, own.appId);
    },
    reactivate: (own: Owned) => reactivateApplication(platform, own, hooks),
    async delete(own: Owned) {
      await deleteApplication(platform, own, hooks);
      announceRevocation(platform, own.appId);
    },

    setWebhookUrl: (own: Owned, url: string) => setWebhookUrl(platform, own, url, hooks),
    removeWebhookUrl: (own: Owned) => removeWebhookUrl(platform, own),
    listRedirectUris: (own: Owned) => findOwnRedirectUris(db, own),
    addRedirectUri: (own: Owned, uri: string) => addRedirectUri(platform, own, uri),
    removeRedirectUri: (own: Owned, uri: string) => removeRedirectUri(platform, own, uri),

    ...openCredentials(platform),
    async switchExtension(own: Owned, change: { extension: Extension; isOn: boolean }) {
      const extensions = await switchExtension(platform, own, change);
      extensionsInUse.announceChange();
      return extensions;
    },
    /** Read at every use: an extension is off once the request that switched it off is answered. */
    hasExtension: (appId: string, extension: Extension) => hasExtension(db, appId, extension),
    /** Whether any application has it on. */
    isExtensionInUse: async (extension: Extension) =>
      (extension === 'mcp' && platform.config.takesPublishedClients) || extensionsInUse.includes(extension),
    /** Steps of the expiry worker. */
    ...withDeps(platform, { removeExpiredSecrets, removeExpiredMonitoring }),

    /**
     * For an owner's changes inside a transaction in progress, passed as `tx`. After its commit a new key needs
     * `announceRevocation`, and a new webhook URL `announceReopening`.
     */
    within: (tx: Database) => ({
      listOwn: (ownerId: string) => listApplications(tx, ownerId),
      findForDelivery: (appIds: string[]) => findApplicationsForDelivery({ ...platform, db: tx }, appIds),
      create: (ownerId: string, name: string, origin?: Origin) =>
        createApplication({ ...deps, db: tx }, ownerId, name, origin),
      regenerateApiKey: (own: Owned) => regenerateApiKey({ ...platform, db: tx }, own),
      regenerateWebhookSecret: (own: Owned, overlapHours?: number) =>
        regenerateWebhookSecret({ ...platform, db: tx }, own, overlapHours),
      setWebhookUrl: (own: Owned, url: string, guard: Platform['guard']) =>
        setWebhookUrl({ ...platform, db: tx, guard }, own, url, hooks.map(withoutAnnouncements)),
      removeWebhookUrl: (own: Owned) => removeWebhookUrl({ ...platform, db: tx }, own),
    }),
    /** Applications for operators, whoever owns them; without deleted ones. */
    operator: {
      findIdsByName: (beginning: string, limit: number) => findIdsByName(db, { beginning, limit }),
      findOwnedIds: (ownerId: string) => findOwnedIds(db, ownerId),
      findAll: async (appIds: string[]) =>
        (await findApplications(db, appIds)).filter(({ state }) => state !== 'deleted'),
    },
    /** The operators' part inside a transaction in progress; afterwards announce what was revoked or reopened. */
    operatingWithin: (tx: Database) =>
      openOperatorApplications({ ...platform, db: tx }, hooks.map(withoutAnnouncements)),
    announceRevocation: (appId: string) => announceRevocation(platform, appId),
    async announceReopening(appId: string) {
      for (const hook of hooks) await hook.afterReopening?.(appId);
    },

    /** The owner of an application. @throws ApiError 404, also for a deleted one */
    findOwnerId: (appId: string) => findOwnerId(db, appId),
    /** The given applications without deleted ones, as deliveries need them, with secrets in plain text. */
    findForDelivery: (appIds: string[]) => findApplicationsForDelivery(platform, appIds),

    findClients: findReachableClients,
    findActiveClient: (clientId: string) => findActiveClient(db, clientId),
    /** Locks an active application until the transaction ends; undefined if it is not active. */
    lockActiveClient,
    isRegisteredRedirectUri: (appId: string, uri: string, at: Db = db) =>
      isRegisteredRedirectUri(at, appId, uri),
    /** Stores a client that is not registered here as an application, in the transaction of a person's approval. */
    admitPublishedClient: (tx: Tx, client: { appId: string; url: string; name: string }) =>
      admitPublishedClient(tx, platform, client),
    /** Including deleted ones. */
    findClientNames: (appIds: string[]) => findClientNames(db, appIds),

    authenticateKey: (key: string) => keys.authenticate(key),
    /** A key as of its last lookup, which does not authorize anything by itself. */
    findCachedKey: (key: string, age?: KeyAge) => keys.findCached(key, age),
    quota,

    ...openMonitoring(platform),

    recordAudit: (tx: Tx, change: Change, action: AuditAction, details?: AuditEntry['details']) =>
      recordAudit(tx, platform, change, action, details),
    readAuditTrail: (own: Owned, before?: string) => readAuditTrail(deps, own, before),
  };
  return {
    api,
    hooks: {
      account: createApplicationAccountHook(platform, hooks),
      application: {
        afterDeletion: async () => extensionsInUse.announceChange(),
      } satisfies ApplicationHook,
    },
  };
}

export function createApplications(platform: Platform, features: Parameters<typeof openApplications>[1]) {
  const { api, hooks } = openApplications(platform, features);
  return {
    api,
    hooks,
    routes: [...meRoutes(features.accounts), ...requestLogRoutes(api), ...applicationRoutes(api)],
  };
}

/** The channel and session through which an application is created. */
export type Origin = Pick<Change, 'channel' | 'sessionId'>;

/** The part of a hook that belongs to the transaction. */
function withoutAnnouncements({ afterReopening: _, ...hook }: ApplicationHook): ApplicationHook {
  return hook;
}
