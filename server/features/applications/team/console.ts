import { CONSOLE } from '#contract/api/console.ts';
import { sessionIdOf } from '#features/accounts/index.ts';
import { serve } from '#platform/http/serve.ts';
import { announceRevocation } from '../credentials/announce-revocation.ts';
import type { ApplicationDeps } from '../deps.ts';
import { ownedBy } from '../service.ts';
import {
  changeRole,
  invite,
  join,
  removeTeammate,
  showInvitation,
  showTeam,
  withdrawInvitation,
} from './team.ts';

/** The team of an application, and invitations to it. */
export function teamRoutes(deps: ApplicationDeps) {
  return [
    serve(CONSOLE, {
      'GET /applications/:appId/team': ({ person, params }) => showTeam(deps, ownedBy(person, params.appId)),
      'POST /applications/:appId/team/invitations': ({ person, params, body }) =>
        invite(deps, ownedBy(person, params.appId), body.role),
      'DELETE /applications/:appId/team/invitations/:fingerprint': async ({
        person,
        params: { appId, fingerprint },
      }) => {
        await withdrawInvitation(deps, ownedBy(person, appId), fingerprint);
        return { withdrawn: true as const };
      },
      'PATCH /applications/:appId/team/:userId': async ({
        person,
        params: { appId, userId },
        body: { role },
      }) => {
        const own = ownedBy(person, appId);
        await changeRole(deps, own, { userId, role });
        return showTeam(deps, own);
      },
      'DELETE /applications/:appId/team/:userId': async ({ person, params: { appId, userId } }) => {
        await removeTeammate(deps, ownedBy(person, appId), userId);
        announceRevocation(deps, appId);
        return { removed: true as const };
      },
      // The token is a secret, so it must not be in a URL.
      'POST /invitations/show': ({ body }) => showInvitation(deps, body.token),
      'POST /invitations/accept': ({ person, body }) =>
        join(deps, { accountId: person.accountId, sessionId: sessionIdOf(person) }, body.token),
    }),
  ];
}
