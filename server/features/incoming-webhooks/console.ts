import { Type } from 'typebox';
import { AppId } from '#contract/applications.ts';
import { ApplicationWebhooks, IncomingWebhookId } from '#contract/webhooks/incoming-webhooks.ts';
import type { ConsoleRoutes } from '#features/accounts/index.ts';
import { ownedBy } from '#features/applications/index.ts';
import type { IncomingWebhooks } from './index.ts';

/** The incoming webhooks of an application, which group administrators have created for its bot. */
export function incomingWebhookConsoleRoutes(routes: ConsoleRoutes, webhooks: IncomingWebhooks): void {
  const params = Type.Object({ appId: AppId });

  routes.get(
    '/applications/:appId/incoming-webhooks',
    { params, reply: ApplicationWebhooks, message: 'incoming webhooks' },
    ({ person, params: { appId } }) => webhooks.listOfApplication(ownedBy(person, appId)),
  );

  routes.delete(
    '/applications/:appId/incoming-webhooks',
    {
      params,
      body: Type.Object({ webhookId: IncomingWebhookId }),
      reply: Type.Object({ revoked: Type.Literal(true) }),
      message: 'incoming webhook revoked',
    },
    async ({ person, params: { appId }, body: { webhookId } }) => {
      await webhooks.revokeOwn(ownedBy(person, appId), webhookId);
      return { revoked: true as const };
    },
  );
}
