import { Type } from 'typebox';
import {
  ApiKeyInfo,
  AppId,
  ChangeApiKey,
  CreateApiKey,
  Fingerprint,
  GrantedScope,
} from '#contract/applications.ts';
import { KEY_SCOPES } from '#contract/scopes.ts';
import { RenewWebhookSecret } from '#contract/webhooks.ts';
import type { ConsoleRoutes } from '#features/accounts/index.ts';
import type { Applications } from '../index.ts';
import { ownedBy } from '../service.ts';

/** New secrets for an application, each shown only in the response, and the scopes of its API keys. */
export function credentialRoutes(routes: ConsoleRoutes, applications: Applications): void {
  const params = Type.Object({ appId: AppId });
  const needsRecentSignIn = true;

  routes.post(
    '/applications/:appId/api-key',
    {
      needsRecentSignIn,
      params,
      reply: Type.Object({ apiKey: Type.String() }),
      message: 'new API key, shown this once; every other is revoked',
    },
    async ({ person, params }) => ({
      apiKey: await applications.regenerateApiKey(ownedBy(person, params.appId)),
    }),
  );

  routes.post(
    '/applications/:appId/api-keys',
    {
      needsRecentSignIn,
      params,
      body: CreateApiKey,
      reply: Type.Object({ ...ApiKeyInfo.properties, apiKey: Type.String() }),
      message: 'new API key, shown this once; the others stay',
      status: 201,
    },
    ({ person, params, body }) => applications.createApiKey(ownedBy(person, params.appId), body),
  );

  const keyParams = Type.Object({ appId: AppId, fingerprint: Fingerprint });

  routes.patch(
    '/applications/:appId/api-keys/:fingerprint',
    { params: keyParams, body: ChangeApiKey, reply: ApiKeyInfo, message: 'API key changed' },
    ({ person, params: { appId, fingerprint }, body }) =>
      applications.changeApiKey({ ...ownedBy(person, appId), fingerprint }, body),
  );

  routes.delete(
    '/applications/:appId/api-keys/:fingerprint',
    {
      needsRecentSignIn,
      params: keyParams,
      reply: Type.Object({ revoked: Type.Literal(true) }),
      message: 'API key revoked',
    },
    async ({ person, params: { appId, fingerprint } }) => {
      await applications.revokeApiKey({ ...ownedBy(person, appId), fingerprint });
      return { revoked: true as const };
    },
  );

  routes.post(
    '/applications/:appId/client-secret',
    {
      needsRecentSignIn,
      params,
      reply: Type.Object({ clientSecret: Type.String() }),
      message: 'new client secret, shown this once; the old one is dead',
    },
    async ({ person, params }) => ({
      clientSecret: await applications.regenerateClientSecret(ownedBy(person, params.appId)),
    }),
  );

  routes.post(
    '/applications/:appId/webhook-secret',
    {
      needsRecentSignIn,
      params,
      body: RenewWebhookSecret,
      reply: Type.Object({ webhookSecret: Type.String() }),
      message: 'new webhook secret, shown this once; it signs from now on',
    },
    async ({ person, params, body }) => ({
      webhookSecret: await applications.regenerateWebhookSecret(
        ownedBy(person, params.appId),
        body?.overlapHours,
      ),
    }),
  );

  routes.delete(
    '/applications/:appId/webhook-secret/previous',
    {
      needsRecentSignIn,
      params,
      reply: Type.Object({ ended: Type.Literal(true) }),
      message: 'only the newest webhook secret signs from now on',
    },
    async ({ person, params }) => {
      await applications.endSecretOverlap(ownedBy(person, params.appId));
      return { ended: true as const };
    },
  );

  const scopes = {
    params,
    body: GrantedScope,
    reply: Type.Object({ scopes: Type.Array(Type.Enum(KEY_SCOPES)) }),
  };

  routes.post(
    '/applications/:appId/api-key/scopes',
    { ...scopes, message: 'scope granted' },
    async ({ person, params, body: { scope } }) => ({
      scopes: await applications.grantKeyScope(ownedBy(person, params.appId), { scope, isGranted: true }),
    }),
  );

  routes.delete(
    '/applications/:appId/api-key/scopes',
    { ...scopes, message: 'scope removed' },
    async ({ person, params, body: { scope } }) => ({
      scopes: await applications.grantKeyScope(ownedBy(person, params.appId), { scope, isGranted: false }),
    }),
  );
}
