import { Type } from 'typebox';
import { AppId, RedirectUri, WebhookUrl } from '#contract/applications.ts';
import { Success } from '#contract/envelope.ts';
import type { App } from '#platform/http/app.ts';
import { success } from '#platform/http/envelope.ts';
import type { Platform } from '#platform/platform.ts';
import type { Guard } from '#platform/safe-fetch/guard.ts';
import type { ApplicationFollower } from './follower.ts';
import { addRedirectUri, removeRedirectUri } from './redirect-uris.ts';
import { findOwnRedirectUris, ownedBy } from './service.ts';
import { removeWebhookUrl, setWebhookUrl } from './settings.ts';

/** Where an application's events go, and where people may be sent back to. */
export function addressRoutes(
  app: App,
  deps: Platform & { guard: Guard },
  followers: readonly ApplicationFollower[],
): void {
  const { db, clock } = deps;
  const params = Type.Object({ appId: AppId });
  // They decide where events, codes and tokens go.
  const config = { needsRecentSignIn: true };
  const uris = { 200: Success(Type.Object({ redirectUris: Type.Array(Type.String()) })) };

  app.put(
    '/applications/:appId/webhook-url',
    { config, schema: { params, body: WebhookUrl, response: { 200: Success(WebhookUrl) } } },
    async ({ person, params: { appId }, body: { webhookUrl } }) => {
      await setWebhookUrl(deps, ownedBy(person, appId), webhookUrl, followers);
      return success(clock.now(), 'webhook URL set', { webhookUrl });
    },
  );

  app.delete(
    '/applications/:appId/webhook-url',
    { config, schema: { params, response: { 200: Success(Type.Object({ removed: Type.Literal(true) })) } } },
    async ({ person, params: { appId } }) => {
      await removeWebhookUrl(deps, ownedBy(person, appId));
      return success(clock.now(), 'webhook URL removed', { removed: true as const });
    },
  );

  app.get(
    '/applications/:appId/redirect-uris',
    { schema: { params, response: uris } },
    async ({ person, params: { appId } }) => {
      const redirectUris = await findOwnRedirectUris(db, ownedBy(person, appId));
      return success(clock.now(), 'redirect URIs', { redirectUris });
    },
  );

  app.post(
    '/applications/:appId/redirect-uris',
    { config, schema: { params, body: RedirectUri, response: uris } },
    async ({ person, params: { appId }, body: { redirectUri } }) => {
      const redirectUris = await addRedirectUri(deps, ownedBy(person, appId), redirectUri);
      return success(clock.now(), 'redirect URI registered', { redirectUris });
    },
  );

  app.delete(
    '/applications/:appId/redirect-uris',
    { config, schema: { params, body: RedirectUri, response: uris } },
    async ({ person, params: { appId }, body: { redirectUri } }) => {
      const redirectUris = await removeRedirectUri(deps, ownedBy(person, appId), redirectUri);
      return success(clock.now(), 'redirect URI removed', { redirectUris });
    },
  );
}
