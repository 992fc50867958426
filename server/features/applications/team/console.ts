import { CONSOLE } from '#contract/api/console.ts';
import { sessionIdOf } from '#features/accounts/index.ts';
import { serve } from '#platform/http/serve.ts';
import type { Applications } from '../index.ts';
import { ownedBy } from '../service.ts';

/** The team of an application, and invitations to it. */
export function teamRoutes({ team }: Applications) {
  return [
    serve(CONSOLE, {
      'GET /applications/:appId/team': ({ person, params }) => team.show(ownedBy(person, params.appId)),
      'POST /applications/:appId/team/invitations': ({ person, params, body }) =>
        team.invite(ownedBy(person, params.appId), body.role),
      'DELETE /applications/:appId/team/invitations/:fingerprint': async ({
        person,
        params: { appId, fingerprint },
      }) => {
        await team.withdraw(ownedBy(person, appId), fingerprint);
        return { withdrawn: true as const };
      },
      'PATCH /applications/:appId/team/:userId': async ({
        person,
        params: { appId, userId },
        body: { role },
      }) => {
        const own = ownedBy(person, appId);
        await team.changeRole(own, { userId, role });
        return team.show(own);
      },
      'DELETE /applications/:appId/team/:userId': async ({ person, params: { appId, userId } }) => {
        await team.remove(ownedBy(person, appId), userId);
        return { removed: true as const };
      },
      // The token is a secret, so it must not be in a URL.
      'POST /invitations/show': ({ body }) => team.showInvitation(body.token),
      'POST /invitations/accept': ({ person, body }) =>
        team.join({ accountId: person.accountId, sessionId: sessionIdOf(person) }, body.token),
    }),
  ];
}
