import { CONSOLE } from '#contract/api/console.ts';
import { ownedBy } from '#features/applications/index.ts';
import { serve } from '#platform/http/serve.ts';
import type { IncomingWebhooks } from './index.ts';

/** The incoming webhooks of an application, which group administrators have created for its bot. */
export function incomingWebhookConsoleRoutes(webhooks: IncomingWebhooks) {
  return [
    serve(CONSOLE, {
      'GET /applications/:appId/incoming-webhooks': ({ person, params: { appId } }) =>
        webhooks.listOfApplication(ownedBy(person, appId)),
      'DELETE /applications/:appId/incoming-webhooks': async ({
        person,
        params: { appId },
        body: { webhookId },
      }) => {
        await webhooks.revokeOwn(ownedBy(person, appId), webhookId);
        return { revoked: true as const };
      },
    }),
  ];
}
