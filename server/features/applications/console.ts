import { CONSOLE } from '#contract/api/console.ts';
import { V1 } from '#contract/api/v1.ts';
import { LIMITS } from '#contract/limits.ts';
import { isOpenIdScope } from '#contract/scopes.ts';
import { sessionIdOf } from '#features/accounts/index.ts';
import { invalidArgument, notFound, resourceExhausted, unauthenticated } from '#platform/errors.ts';
import { serve } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import { deleteRedirectUri, findRedirectUris, insertRedirectUri } from './addresses.ts';
import { recordAudit } from './audit/record.ts';
import { readAuditTrail } from './audit/trail.ts';
import {
  announceRevocation,
  changeApiKey,
  createApiKey,
  regenerateApiKey,
  revokeApiKey,
} from './credentials/keys.ts';
import {
  endSecretOverlap,
  regenerateClientSecret,
  regenerateWebhookSecret,
} from './credentials/renew-secrets.ts';
import type { ApplicationDeps } from './deps.ts';
import { switchExtension } from './extensions/extensions.ts';
import { deleteApplication, disableApplication, reactivateApplication } from './life-cycle.ts';
import { groupErrors, listOwnRequests, listRequestsOf } from './monitoring/api-log.ts';
import { showOverview } from './monitoring/overview.ts';
import { showUsage } from './monitoring/usage.ts';
import { checkRedirectUri } from './rules.ts';
import { lockOwnApplication, type Owned, ownedBy, showApplication } from './service.ts';
import { removeWebhookUrl, renameApplication, setWebhookUrl } from './settings.ts';
import {
  changeRole,
  invite,
  join,
  removeTeammate,
  showInvitation,
  showTeam,
  withdrawInvitation,
} from './team/team.ts';

/** An owner's applications: life cycle, secrets, addresses and monitoring. */
export function applicationRoutes(deps: ApplicationDeps) {
  return [
    serve(CONSOLE, {
      'GET /applications/:appId': ({ person, params }) =>
        showApplication(deps, ownedBy(person, params.appId)),
      'PATCH /applications/:appId': async ({ person, params, body }) => {
        const own = ownedBy(person, params.appId);
        await renameApplication(deps, own, body.name, deps.hooks);
        return showApplication(deps, own);
      },
      'POST /applications/:appId/disable': async ({ person, params }) => {
        const own = ownedBy(person, params.appId);
        await disableApplication(deps, own);
        announceRevocation(deps, own.appId);
        return showApplication(deps, own);
      },
      'POST /applications/:appId/reactivate': async ({ person, params }) => {
        const own = ownedBy(person, params.appId);
        await reactivateApplication(deps, own, deps.hooks);
        return showApplication(deps, own);
      },
      'DELETE /applications/:appId': async ({ person, params }) => {
        await deleteApplication(deps, ownedBy(person, params.appId), deps.hooks);
        announceRevocation(deps, params.appId);
        return { deleted: true as const };
      },
    }),
    ...credentialRoutes(deps),
    ...monitoringRoutes(deps),
    ...addressRoutes(deps),
    ...extensionRoutes(deps),
    ...teamRoutes(deps),
  ];
}

/** The extensions of the contract that the owner has switched on for the application. */
function extensionRoutes(deps: ApplicationDeps) {
  return [
    serve(CONSOLE, {
      'POST /applications/:appId/extensions': async ({ person, params: { appId }, body: { extension } }) => ({
        extensions: await switchExtension(deps, ownedBy(person, appId), { extension, isOn: true }),
      }),
      'DELETE /applications/:appId/extensions': async ({
        person,
        params: { appId },
        body: { extension },
      }) => ({
        extensions: await switchExtension(deps, ownedBy(person, appId), { extension, isOn: false }),
      }),
    }),
  ];
}

/** An application's webhook URL and redirect URIs. */
function addressRoutes(deps: ApplicationDeps) {
  return [
    serve(CONSOLE, {
      'PUT /applications/:appId/webhook-url': async ({ person, params, body: { webhookUrl } }) => {
        await setWebhookUrl(deps, ownedBy(person, params.appId), webhookUrl, deps.hooks);
        return { webhookUrl };
      },
      'DELETE /applications/:appId/webhook-url': async ({ person, params }) => {
        await removeWebhookUrl(deps, ownedBy(person, params.appId));
        return { removed: true as const };
      },
      'POST /applications/:appId/redirect-uris': async ({ person, params, body }) => ({
        redirectUris: await addRedirectUri(deps, ownedBy(person, params.appId), body.redirectUri),
      }),
      'DELETE /applications/:appId/redirect-uris': async ({ person, params, body }) => ({
        redirectUris: await removeRedirectUri(deps, ownedBy(person, params.appId), body.redirectUri),
      }),
    }),
  ];
}

/** Registers a redirect URI, byte for byte; an existing one is not an error. Returns all of them. */
export async function addRedirectUri(deps: Platform, own: Owned, uri: string): Promise<string[]> {
  const fault = checkRedirectUri(uri);
  if (fault) throw invalidArgument('redirectUri', fault);
  return deps.db.begin(async (tx) => {
    const { appId } = await lockOwnApplication(tx, own);
    const known = await findRedirectUris(tx, appId);
    if (known.includes(uri)) return known;
    if (known.length >= LIMITS.redirectUris) {
      throw resourceExhausted('application.too-many-redirect-uris', { count: LIMITS.redirectUris });
    }
    await insertRedirectUri(tx, { appId, uri, createdAt: deps.clock.now() });
    await recordAudit(tx, deps, own, 'redirect-uri.added', { uri });
    return [...known, uri];
  });
}

async function removeRedirectUri(deps: Platform, own: Owned, uri: string): Promise<string[]> {
  return deps.db.begin(async (tx) => {
    const { appId } = await lockOwnApplication(tx, own);
    if (!(await deleteRedirectUri(tx, appId, uri))) throw notFound('application.redirect-uri-unknown');
    await recordAudit(tx, deps, own, 'redirect-uri.removed', { uri });
    return findRedirectUris(tx, appId);
  });
}

/** The API log, the usage and the audit trail of an application, including what this process has not stored yet. */
function monitoringRoutes(deps: ApplicationDeps) {
  const { db, recorder } = deps;
  return [
    serve(CONSOLE, {
      'GET /applications/:appId/requests': ({ person, params, query }) =>
        listOwnRequests(deps, ownedBy(person, params.appId), query),
      'GET /applications/:appId/requests/errors': async ({ person, params }) => {
        await recorder.flush();
        return groupErrors(db, ownedBy(person, params.appId));
      },
      'GET /applications/:appId/overview': async ({ person, params }) => {
        await recorder.flush();
        return showOverview(deps, ownedBy(person, params.appId));
      },
      'GET /applications/:appId/usage': async ({ person, params, query }) => {
        await recorder.flush();
        return showUsage(deps, ownedBy(person, params.appId), query);
      },
      'GET /applications/:appId/audit': ({ person, params, query }) =>
        readAuditTrail(deps, ownedBy(person, params.appId), query.before),
    }),
  ];
}

/** The team of an application, and invitations to it. */
function teamRoutes(deps: ApplicationDeps) {
  return [
    serve(CONSOLE, {
      'GET /applications/:appId/team': ({ person, params }) => showTeam(deps, ownedBy(person, params.appId)),
      'POST /applications/:appId/team/invitations': ({ person, params, body }) =>
        invite(deps, ownedBy(person, params.appId), body.role),
      'DELETE /applications/:appId/team/invitations/:fingerprint': async ({
        person,
        params: { appId, fingerprint },
      }) => {
        await withdrawInvitation(deps, ownedBy(person, appId), fingerprint);
        return { withdrawn: true as const };
      },
      'PATCH /applications/:appId/team/:userId': async ({
        person,
        params: { appId, userId },
        body: { role },
      }) => {
        const own = ownedBy(person, appId);
        await changeRole(deps, own, { userId, role });
        return showTeam(deps, own);
      },
      'DELETE /applications/:appId/team/:userId': async ({ person, params: { appId, userId } }) => {
        await removeTeammate(deps, ownedBy(person, appId), userId);
        announceRevocation(deps, appId);
        return { removed: true as const };
      },
      // The token is a secret, so it must not be in a URL.
      'POST /invitations/show': ({ body }) => showInvitation(deps, body.token),
      'POST /invitations/accept': ({ person, body }) =>
        join(deps, { accountId: person.accountId, sessionId: sessionIdOf(person) }, body.token),
    }),
  ];
}

/**
 * New secrets for an application, each shown only in the response, and the scopes of its API keys. When a key is
 * revoked, open streams are notified.
 */
function credentialRoutes(deps: ApplicationDeps) {
  return [
    serve(CONSOLE, {
      'POST /applications/:appId/api-key': async ({ person, params: { appId } }) => {
        const apiKey = await regenerateApiKey(deps, ownedBy(person, appId));
        announceRevocation(deps, appId);
        return { apiKey };
      },
      'POST /applications/:appId/api-keys': ({ person, params, body }) =>
        createApiKey(deps, ownedBy(person, params.appId), body),
      'PATCH /applications/:appId/api-keys/:fingerprint': async ({
        person,
        params: { appId, fingerprint },
        body,
      }) => {
        const key = await changeApiKey(deps, { ...ownedBy(person, appId), fingerprint }, body);
        announceRevocation(deps, appId);
        return key;
      },
      'DELETE /applications/:appId/api-keys/:fingerprint': async ({
        person,
        params: { appId, fingerprint },
      }) => {
        await revokeApiKey(deps, { ...ownedBy(person, appId), fingerprint });
        announceRevocation(deps, appId);
        return { revoked: true as const };
      },
      'POST /applications/:appId/client-secret': async ({ person, params }) => ({
        clientSecret: await regenerateClientSecret(deps, ownedBy(person, params.appId)),
      }),
      'POST /applications/:appId/webhook-secret': async ({ person, params, body }) => ({
        webhookSecret: await regenerateWebhookSecret(deps, ownedBy(person, params.appId), body?.overlapHours),
      }),
      'DELETE /applications/:appId/webhook-secret/previous': async ({ person, params }) => {
        await endSecretOverlap(deps, ownedBy(person, params.appId));
        return { ended: true as const };
      },
    }),
  ];
}

/** The account that a credential acts as. */
export function meRoutes({ accounts }: ApplicationDeps) {
  return [
    serve(V1, {
      'GET /v1/me': async ({ actor }) => {
        const account = await accounts.find(actor.accountId);
        if (!account || account.deletedAt !== null) throw unauthenticated('credential.account-deleted');
        return {
          userId: account.accountId,
          // The name of a person requires the scope `profile` (contract §5.3).
          ...((actor.kind === 'bot' || actor.scopes.includes('profile')) && { name: account.name }),
          isBot: account.isBot,
          // That of a person is for those whom they let find them (docs/decisions/0067-people-and-reports.md).
          ...(account.isBot && account.username !== null && { username: account.username }),
          appId: actor.appId,
          scopes: actor.scopes.filter((scope) => !isOpenIdScope(scope)),
        };
      },
    }),
  ];
}

/** The API log of an application, for its bot (an extension of the contract). */
export function requestLogRoutes(deps: ApplicationDeps) {
  return [
    serve(V1, {
      'GET /v1/requests': ({ actor, query }) => listRequestsOf(deps, actor.appId, query),
    }),
  ];
}
