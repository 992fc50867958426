import { APPLICATION, CONSOLE } from '#contract/api/console.ts';
import { V1 } from '#contract/api/v1.ts';
import { LIMITS } from '#contract/limits.ts';
import { isOpenIdScope } from '#contract/scopes.ts';
import { sessionIdOf } from '#features/accounts/index.ts';
import { invalidArgument, notFound, resourceExhausted, unauthenticated } from '#platform/errors.ts';
import { serve } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import { findRedirectUris, insertRedirectUri } from './addresses.ts';
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
import { lockOwnApplication, type Owned, showApplication } from './service.ts';
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

/** The applications of an owner: life cycle, addresses, extensions, secrets, monitoring and team. */
export function applicationRoutes(deps: ApplicationDeps) {
  return [
    serve(APPLICATION, {
      'GET /applications/:appId': ({ own }) => showApplication(deps, own),
      'PATCH /applications/:appId': async ({ own, body }) => {
        await renameApplication(deps, own, body.name, deps.hooks);
        return showApplication(deps, own);
      },
      'POST /applications/:appId/disable': async ({ own }) => {
        await disableApplication(deps, own);
        announceRevocation(deps, own.appId);
        return showApplication(deps, own);
      },
      'POST /applications/:appId/reactivate': async ({ own }) => {
        await reactivateApplication(deps, own, deps.hooks);
        return showApplication(deps, own);
      },
      'DELETE /applications/:appId': ({ own }) => deleteApplication(deps, own, deps.hooks),
      'PUT /applications/:appId/webhook-url': async ({ own, body: { webhookUrl } }) => {
        await setWebhookUrl(deps, own, webhookUrl, deps.hooks);
        return { webhookUrl };
      },
      'DELETE /applications/:appId/webhook-url': ({ own }) => removeWebhookUrl(deps, own, deps.hooks),
      'POST /applications/:appId/redirect-uris': async ({ own, body }) => ({
        redirectUris: await addRedirectUri(deps, own, body.redirectUri),
      }),
      'DELETE /applications/:appId/redirect-uris': async ({ own, body }) => ({
        redirectUris: await removeRedirectUri(deps, own, body.redirectUri),
      }),
      'POST /applications/:appId/extensions': async ({ own, body: { extension } }) => ({
        extensions: await switchExtension(deps, own, { extension, isOn: true }),
      }),
      'DELETE /applications/:appId/extensions': async ({ own, body: { extension } }) => ({
        extensions: await switchExtension(deps, own, { extension, isOn: false }),
      }),
    }),
    credentialRoutes(deps),
    monitoringRoutes(deps),
    ...teamRoutes(deps),
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
    const removed = await tx`
      delete from redirect_uris where app_id = ${appId} and uri = ${uri} returning uri`;
    if (removed.length === 0) throw notFound('application.redirect-uri-unknown');
    await recordAudit(tx, deps, own, 'redirect-uri.removed', { uri });
    return findRedirectUris(tx, appId);
  });
}

/** The API log, the usage and the audit trail of an application, including what this process has not stored yet. */
function monitoringRoutes(deps: ApplicationDeps) {
  const { db, recorder } = deps;
  return serve(APPLICATION, {
    'GET /applications/:appId/requests': ({ own, query }) => listOwnRequests(deps, own, query),
    'GET /applications/:appId/requests/errors': async ({ own }) => {
      await recorder.flush();
      return groupErrors(db, own);
    },
    'GET /applications/:appId/overview': async ({ own }) => {
      await recorder.flush();
      return showOverview(deps, own);
    },
    'GET /applications/:appId/usage': async ({ own, query }) => {
      await recorder.flush();
      return showUsage(deps, own, query);
    },
    'GET /applications/:appId/audit': ({ own, query }) => readAuditTrail(deps, own, query.before),
  });
}

/** The team of an application, and invitations to it. */
function teamRoutes(deps: ApplicationDeps) {
  return [
    serve(APPLICATION, {
      'GET /applications/:appId/team': ({ own }) => showTeam(deps, own),
      'POST /applications/:appId/team/invitations': ({ own, body }) => invite(deps, own, body.role),
      'DELETE /applications/:appId/team/invitations/:fingerprint': ({ own, params: { fingerprint } }) =>
        withdrawInvitation(deps, own, fingerprint),
      'PATCH /applications/:appId/team/:userId': async ({ own, params: { userId }, body: { role } }) => {
        await changeRole(deps, own, { userId, role });
        return showTeam(deps, own);
      },
      'DELETE /applications/:appId/team/:userId': async ({ own, params: { userId } }) => {
        await removeTeammate(deps, own, userId);
        announceRevocation(deps, own.appId);
      },
    }),
    serve(CONSOLE, {
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
  return serve(APPLICATION, {
    'POST /applications/:appId/api-key': async ({ own }) => {
      const apiKey = await regenerateApiKey(deps, own);
      announceRevocation(deps, own.appId);
      return { apiKey };
    },
    'POST /applications/:appId/api-keys': ({ own, body }) => createApiKey(deps, own, body),
    'PATCH /applications/:appId/api-keys/:fingerprint': async ({ own, params: { fingerprint }, body }) => {
      const key = await changeApiKey(deps, { ...own, fingerprint }, body);
      announceRevocation(deps, own.appId);
      return key;
    },
    'DELETE /applications/:appId/api-keys/:fingerprint': async ({ own, params: { fingerprint } }) => {
      await revokeApiKey(deps, { ...own, fingerprint });
      announceRevocation(deps, own.appId);
    },
    'POST /applications/:appId/client-secret': async ({ own }) => ({
      clientSecret: await regenerateClientSecret(deps, own),
    }),
    'POST /applications/:appId/webhook-secret': async ({ own, body }) => ({
      webhookSecret: await regenerateWebhookSecret(deps, own, body?.overlapHours),
    }),
    'DELETE /applications/:appId/webhook-secret/previous': ({ own }) => endSecretOverlap(deps, own),
  });
}

/** The account that a credential acts as, and the API log of an application, for its bot (an extension of the contract). */
export function apiRoutes(deps: ApplicationDeps) {
  return serve(V1, {
    'GET /v1/me': async ({ actor }) => {
      const account = await deps.accounts.find(actor.accountId);
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
    'GET /v1/requests': ({ actor, query }) => listRequestsOf(deps, actor.appId, query),
  });
}
