import { CHAT } from '#contract/api/chat.ts';
import { serve } from '#platform/http/serve.ts';
import type { OAuth } from './index.ts';

/** The person's connected applications, their calls, and how to disconnect them. */
export function oauthChatRoutes(oauth: OAuth) {
  return [
    serve(CHAT, {
      'GET /connected-applications': ({ person, query }) =>
        oauth.listConnections(person.accountId, query.cursor),
      'POST /connected-applications/revoke': async ({ person, body }) => {
        await oauth.revokeConnection(person.accountId, body);
        return { revoked: true as const };
      },
      'GET /application-calls': ({ person, query }) => oauth.listCalls(person.accountId, query),
    }),
  ];
}
