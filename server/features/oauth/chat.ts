import { Type } from 'typebox';
import { AppId } from '#contract/applications.ts';
import { Success } from '#contract/envelope.ts';
import { id } from '#contract/ids.ts';
import { ApplicationCalls, ConnectedApplications, RevokeConnection } from '#contract/oauth.ts';
import type { App } from '#platform/http/app.ts';
import { success } from '#platform/http/envelope.ts';
import type { Platform } from '#platform/platform.ts';
import { listConnections, revokeConnection } from './connections.ts';
import { listCalls } from './ledger.ts';

const Cursor = Type.Optional(id());

/** Connected applications as the person sees and ends them, and what they did. */
export function oauthChatRoutes(app: App, deps: Pick<Platform, 'db' | 'clock'>): void {
  const { clock } = deps;

  app.get(
    '/connected-applications',
    {
      schema: {
        querystring: Type.Object({ cursor: Cursor }),
        response: { 200: Success(ConnectedApplications) },
      },
    },
    async ({ person, query }) =>
      success(
        clock.now(),
        'connected applications',
        await listConnections(deps, person.accountId, query.cursor),
      ),
  );

  app.post(
    '/connected-applications/revoke',
    {
      schema: {
        body: RevokeConnection,
        response: { 200: Success(Type.Object({ revoked: Type.Literal(true) })) },
      },
    },
    async ({ person, body }) => {
      await revokeConnection(deps, person.accountId, body);
      return success(clock.now(), 'access revoked', { revoked: true as const });
    },
  );

  app.get(
    '/application-calls',
    {
      schema: {
        querystring: Type.Object({ appId: Type.Optional(AppId), before: Cursor }),
        response: { 200: Success(ApplicationCalls) },
      },
    },
    async ({ person, query }) =>
      success(clock.now(), 'calls of applications', await listCalls(deps, person.accountId, query)),
  );
}
