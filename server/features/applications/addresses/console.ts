import { CONSOLE } from '#contract/api/console.ts';
import { serve } from '#platform/http/serve.ts';
import type { ApplicationDeps } from '../deps.ts';
import { findOwnRedirectUris, ownedBy } from '../service.ts';
import { removeWebhookUrl, setWebhookUrl } from '../settings.ts';
import { addRedirectUri, removeRedirectUri } from './redirect-uris.ts';

/** An application's webhook URL and redirect URIs. */
export function addressRoutes(deps: ApplicationDeps) {
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
      'GET /applications/:appId/redirect-uris': async ({ person, params }) => ({
        redirectUris: await findOwnRedirectUris(deps.db, ownedBy(person, params.appId)),
      }),
      'POST /applications/:appId/redirect-uris': async ({ person, params, body }) => ({
        redirectUris: await addRedirectUri(deps, ownedBy(person, params.appId), body.redirectUri),
      }),
      'DELETE /applications/:appId/redirect-uris': async ({ person, params, body }) => ({
        redirectUris: await removeRedirectUri(deps, ownedBy(person, params.appId), body.redirectUri),
      }),
    }),
  ];
}
