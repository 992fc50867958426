import { CONSOLE } from '#contract/api/console.ts';
import { serve } from '#platform/http/serve.ts';
import type { Applications } from '../index.ts';
import { ownedBy } from '../service.ts';

/** An application's webhook URL and redirect URIs. */
export function addressRoutes(applications: Applications) {
  return [
    serve(CONSOLE, {
      'PUT /applications/:appId/webhook-url': async ({ person, params, body: { webhookUrl } }) => {
        await applications.setWebhookUrl(ownedBy(person, params.appId), webhookUrl);
        return { webhookUrl };
      },
      'DELETE /applications/:appId/webhook-url': async ({ person, params }) => {
        await applications.removeWebhookUrl(ownedBy(person, params.appId));
        return { removed: true as const };
      },
      'GET /applications/:appId/redirect-uris': async ({ person, params }) => ({
        redirectUris: await applications.listRedirectUris(ownedBy(person, params.appId)),
      }),
      'POST /applications/:appId/redirect-uris': async ({ person, params, body }) => ({
        redirectUris: await applications.addRedirectUri(ownedBy(person, params.appId), body.redirectUri),
      }),
      'DELETE /applications/:appId/redirect-uris': async ({ person, params, body }) => ({
        redirectUris: await applications.removeRedirectUri(ownedBy(person, params.appId), body.redirectUri),
      }),
    }),
  ];
}
