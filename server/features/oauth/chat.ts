import { Type } from 'typebox';
import { AppId } from '#contract/applications.ts';
import { id } from '#contract/ids.ts';
import { ApplicationCalls, ConnectedApplications, RevokeConnection } from '#contract/oauth.ts';
import type { ChatRoutes } from '#features/accounts/index.ts';
import type { OAuth } from './index.ts';

const Cursor = Type.Optional(id());

/** The person's connected applications, their calls, and how to disconnect them. */
export function oauthChatRoutes(chat: ChatRoutes, oauth: OAuth): void {
  chat.get(
    '/connected-applications',
    {
      query: Type.Object({ cursor: Cursor }),
      reply: ConnectedApplications,
      message: 'connected applications',
    },
    ({ person, query }) => oauth.listConnections(person.accountId, query.cursor),
  );

  chat.post(
    '/connected-applications/revoke',
    {
      body: RevokeConnection,
      reply: Type.Object({ revoked: Type.Literal(true) }),
      message: 'access revoked',
    },
    async ({ person, body }) => {
      await oauth.revokeConnection(person.accountId, body);
      return { revoked: true as const };
    },
  );

  chat.get(
    '/application-calls',
    {
      query: Type.Object({ appId: Type.Optional(AppId), before: Cursor }),
      reply: ApplicationCalls,
      message: 'calls of applications',
    },
    ({ person, query }) => oauth.listCalls(person.accountId, query),
  );
}
