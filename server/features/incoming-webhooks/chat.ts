import { CHAT } from '#contract/api/chat.ts';
import { serve } from '#platform/http/serve.ts';
import type { IncomingWebhooks } from './index.ts';

/** Incoming webhooks of a group, for its administrators. */
export function incomingWebhookChatRoutes(webhooks: IncomingWebhooks) {
  return [
    serve(CHAT, {
      'GET /groups/incoming-webhooks': ({ person, query }) =>
        webhooks.listOfGroup(person.accountId, query.groupId),
      'POST /groups/incoming-webhooks': ({ person, body }) => webhooks.create(person.accountId, body),
      'POST /groups/incoming-webhooks/renew': ({ person, body }) => webhooks.renew(person.accountId, body),
      'POST /groups/incoming-webhooks/revoke': async ({ person, body }) => {
        await webhooks.revoke(person.accountId, body);
        return { revoked: true as const };
      },
    }),
  ];
}
