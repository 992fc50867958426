import { CHAT } from '#contract/api/chat.ts';
import { serve } from '#platform/http/serve.ts';
import { listConnections, revokeConnection } from './connections/connections.ts';
import { listCalls } from './connections/ledger.ts';
import type { OAuthDeps } from './deps.ts';

/** The person's connected applications, their calls, and how to disconnect them. */
export function oauthChatRoutes(deps: OAuthDeps) {
  return [
    serve(CHAT, {
      'GET /connected-applications': ({ person, query }) =>
        listConnections(deps, person.accountId, query.cursor),
      'POST /connected-applications/revoke': async ({ person, body }) => {
        await revokeConnection(deps, person.accountId, body);
        return { revoked: true as const };
      },
      'GET /application-calls': ({ person, query }) => listCalls(deps, person.accountId, query),
    }),
  ];
}
