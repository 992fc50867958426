import { CONSOLE } from '#contract/api/console.ts';
import { serve } from '#platform/http/serve.ts';
import type { ApplicationDeps } from '../deps.ts';
import { ownedBy } from '../service.ts';
import { announceRevocation } from './announce-revocation.ts';
import { changeApiKey, createApiKey, grantKeyScope, regenerateApiKey, revokeApiKey } from './keys.ts';
import { endSecretOverlap, regenerateClientSecret, regenerateWebhookSecret } from './renew-secrets.ts';

/**
 * New secrets for an application, each shown only in the response, and the scopes of its API keys. When a key is
 * revoked, open streams are notified.
 */
export function credentialRoutes(deps: ApplicationDeps) {
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
      'POST /applications/:appId/api-key/scopes': async ({ person, params, body: { scope } }) => ({
        scopes: await grantKeyScope(deps, ownedBy(person, params.appId), { scope, isGranted: true }),
      }),
      'DELETE /applications/:appId/api-key/scopes': async ({ person, params, body: { scope } }) => ({
        scopes: await grantKeyScope(deps, ownedBy(person, params.appId), { scope, isGranted: false }),
      }),
    }),
  ];
}
