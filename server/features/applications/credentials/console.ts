import { CONSOLE } from '#contract/api/console.ts';
import { serve } from '#platform/http/serve.ts';
import type { Applications } from '../index.ts';
import { ownedBy } from '../service.ts';

/** New secrets for an application, each shown only in the response, and the scopes of its API keys. */
export function credentialRoutes(applications: Applications) {
  return [
    serve(CONSOLE, {
      'POST /applications/:appId/api-key': async ({ person, params }) => ({
        apiKey: await applications.regenerateApiKey(ownedBy(person, params.appId)),
      }),
      'POST /applications/:appId/api-keys': ({ person, params, body }) =>
        applications.createApiKey(ownedBy(person, params.appId), body),
      'PATCH /applications/:appId/api-keys/:fingerprint': ({
        person,
        params: { appId, fingerprint },
        body,
      }) => applications.changeApiKey({ ...ownedBy(person, appId), fingerprint }, body),
      'DELETE /applications/:appId/api-keys/:fingerprint': async ({
        person,
        params: { appId, fingerprint },
      }) => {
        await applications.revokeApiKey({ ...ownedBy(person, appId), fingerprint });
        return { revoked: true as const };
      },
      'POST /applications/:appId/client-secret': async ({ person, params }) => ({
        clientSecret: await applications.regenerateClientSecret(ownedBy(person, params.appId)),
      }),
      'POST /applications/:appId/webhook-secret': async ({ person, params, body }) => ({
        webhookSecret: await applications.regenerateWebhookSecret(
          ownedBy(person, params.appId),
          body?.overlapHours,
        ),
      }),
      'DELETE /applications/:appId/webhook-secret/previous': async ({ person, params }) => {
        await applications.endSecretOverlap(ownedBy(person, params.appId));
        return { ended: true as const };
      },
      'POST /applications/:appId/api-key/scopes': async ({ person, params, body: { scope } }) => ({
        scopes: await applications.grantKeyScope(ownedBy(person, params.appId), { scope, isGranted: true }),
      }),
      'DELETE /applications/:appId/api-key/scopes': async ({ person, params, body: { scope } }) => ({
        scopes: await applications.grantKeyScope(ownedBy(person, params.appId), { scope, isGranted: false }),
      }),
    }),
  ];
}
