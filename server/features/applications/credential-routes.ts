import { Type } from 'typebox';
import { AppId, GrantedScope } from '#contract/applications.ts';
import { Success } from '#contract/envelope.ts';
import { KEY_SCOPES } from '#contract/scopes.ts';
import { RenewWebhookSecret } from '#contract/webhooks.ts';
import type { App } from '#platform/http/app.ts';
import { success } from '#platform/http/envelope.ts';
import type { Platform } from '#platform/platform.ts';
import { announceRevocation } from './announce-revocation.ts';
import {
  endSecretOverlap,
  grantKeyScope,
  regenerateApiKey,
  regenerateClientSecret,
  regenerateWebhookSecret,
} from './renew-secrets.ts';
import { ownedBy } from './service.ts';

/** New secrets for an application, each shown in the answer and never again, and what its API key may do. */
export function credentialRoutes(app: App, deps: Platform): void {
  const { clock } = deps;
  const params = Type.Object({ appId: AppId });
  const config = { needsRecentSignIn: true } as const;

  app.post(
    '/applications/:appId/api-key',
    { config, schema: { params, response: { 200: Success(Type.Object({ apiKey: Type.String() })) } } },
    async ({ person, params: { appId } }) => {
      const apiKey = await regenerateApiKey(deps, ownedBy(person, appId));
      announceRevocation(deps, appId);
      return success(clock.now(), 'new API key, shown this once; the old one is revoked', { apiKey });
    },
  );

  app.post(
    '/applications/:appId/client-secret',
    { config, schema: { params, response: { 200: Success(Type.Object({ clientSecret: Type.String() })) } } },
    async ({ person, params: { appId } }) => {
      const clientSecret = await regenerateClientSecret(deps, ownedBy(person, appId));
      return success(clock.now(), 'new client secret, shown this once; the old one is dead', {
        clientSecret,
      });
    },
  );

  app.post(
    '/applications/:appId/webhook-secret',
    {
      config,
      schema: {
        params,
        body: RenewWebhookSecret,
        response: { 200: Success(Type.Object({ webhookSecret: Type.String() })) },
      },
    },
    async ({ person, params: { appId }, body }) => {
      const own = ownedBy(person, appId);
      const webhookSecret = await regenerateWebhookSecret(deps, own, body?.overlapHours);
      return success(clock.now(), 'new webhook secret, shown this once; it signs from now on', {
        webhookSecret,
      });
    },
  );

  app.delete(
    '/applications/:appId/webhook-secret/previous',
    { config, schema: { params, response: { 200: Success(Type.Object({ ended: Type.Literal(true) })) } } },
    async ({ person, params: { appId } }) => {
      await endSecretOverlap(deps, ownedBy(person, appId));
      return success(clock.now(), 'only the newest webhook secret signs from now on', {
        ended: true as const,
      });
    },
  );

  for (const [method, isGranted] of [
    ['POST', true],
    ['DELETE', false],
  ] as const) {
    app.route({
      method,
      url: '/applications/:appId/api-key/scopes',
      schema: {
        params,
        body: GrantedScope,
        response: { 200: Success(Type.Object({ scopes: Type.Array(Type.Enum(KEY_SCOPES)) })) },
      },
      handler: async ({ person, params: { appId }, body: { scope } }) => {
        const scopes = await grantKeyScope(deps, ownedBy(person, appId), { scope, isGranted });
        return success(clock.now(), isGranted ? 'scope granted' : 'scope removed', { scopes });
      },
    });
  }
}
