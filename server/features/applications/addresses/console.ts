import { Type } from 'typebox';
import { AppId, RedirectUri, WebhookUrl } from '#contract/applications.ts';
import type { ConsoleRoutes } from '#features/accounts/index.ts';
import type { Applications } from '../index.ts';
import { ownedBy } from '../service.ts';

/** An application's webhook URL and redirect URIs. */
export function addressRoutes(routes: ConsoleRoutes, applications: Applications): void {
  const params = Type.Object({ appId: AppId });
  const uris = { params, reply: Type.Object({ redirectUris: Type.Array(Type.String()) }) };
  // They determine where events, codes and tokens are sent.
  const needsRecentSignIn = true;

  routes.put(
    '/applications/:appId/webhook-url',
    { needsRecentSignIn, params, body: WebhookUrl, reply: WebhookUrl, message: 'webhook URL set' },
    async ({ person, params, body: { webhookUrl } }) => {
      await applications.setWebhookUrl(ownedBy(person, params.appId), webhookUrl);
      return { webhookUrl };
    },
  );

  routes.delete(
    '/applications/:appId/webhook-url',
    {
      needsRecentSignIn,
      params,
      reply: Type.Object({ removed: Type.Literal(true) }),
      message: 'webhook URL removed',
    },
    async ({ person, params }) => {
      await applications.removeWebhookUrl(ownedBy(person, params.appId));
      return { removed: true as const };
    },
  );

  routes.get(
    '/applications/:appId/redirect-uris',
    { ...uris, message: 'redirect URIs' },
    async ({ person, params }) => ({
      redirectUris: await applications.listRedirectUris(ownedBy(person, params.appId)),
    }),
  );

  routes.post(
    '/applications/:appId/redirect-uris',
    { ...uris, needsRecentSignIn, body: RedirectUri, message: 'redirect URI registered' },
    async ({ person, params, body }) => ({
      redirectUris: await applications.addRedirectUri(ownedBy(person, params.appId), body.redirectUri),
    }),
  );

  routes.delete(
    '/applications/:appId/redirect-uris',
    { ...uris, needsRecentSignIn, body: RedirectUri, message: 'redirect URI removed' },
    async ({ person, params, body }) => ({
      redirectUris: await applications.removeRedirectUri(ownedBy(person, params.appId), body.redirectUri),
    }),
  );
}
