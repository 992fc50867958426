import { Type } from 'typebox';
import { GivenRole, InvitationToken, Invited, NewInvitation, Team } from '#contract/applications/team.ts';
import { AppId, Fingerprint } from '#contract/applications.ts';
import { UserId } from '#contract/ids.ts';
import { type ConsoleRoutes, sessionIdOf } from '#features/accounts/index.ts';
import type { Applications } from '../index.ts';
import { ownedBy } from '../service.ts';

/** The team of an application, and invitations to it. */
export function teamRoutes(routes: ConsoleRoutes, { team }: Applications): void {
  const params = Type.Object({ appId: AppId });
  const member = Type.Object({ appId: AppId, userId: UserId });
  const needsRecentSignIn = true;

  routes.get('/applications/:appId/team', { params, reply: Team, message: 'team' }, ({ person, params }) =>
    team.show(ownedBy(person, params.appId)),
  );

  routes.post(
    '/applications/:appId/team/invitations',
    {
      role: 'owner',
      needsRecentSignIn,
      params,
      body: GivenRole,
      reply: NewInvitation,
      message: 'invitation, shown this once',
      status: 201,
    },
    ({ person, params, body }) => team.invite(ownedBy(person, params.appId), body.role),
  );

  routes.delete(
    '/applications/:appId/team/invitations/:fingerprint',
    {
      role: 'owner',
      params: Type.Object({ appId: AppId, fingerprint: Fingerprint }),
      reply: Type.Object({ withdrawn: Type.Literal(true) }),
      message: 'invitation withdrawn',
    },
    async ({ person, params: { appId, fingerprint } }) => {
      await team.withdraw(ownedBy(person, appId), fingerprint);
      return { withdrawn: true as const };
    },
  );

  routes.patch(
    '/applications/:appId/team/:userId',
    {
      role: 'owner',
      needsRecentSignIn,
      params: member,
      body: GivenRole,
      reply: Team,
      message: 'role changed',
    },
    async ({ person, params: { appId, userId }, body: { role } }) => {
      const own = ownedBy(person, appId);
      await team.changeRole(own, { userId, role });
      return team.show(own);
    },
  );

  routes.delete(
    '/applications/:appId/team/:userId',
    {
      // A viewer may leave.
      role: 'viewer',
      params: member,
      reply: Type.Object({ removed: Type.Literal(true) }),
      message: 'removed from the team',
    },
    async ({ person, params: { appId, userId } }) => {
      await team.remove(ownedBy(person, appId), userId);
      return { removed: true as const };
    },
  );

  // The token is a secret, so it must not be in a URL.
  routes.post(
    '/invitations/show',
    { body: InvitationToken, reply: Invited, message: 'invitation' },
    ({ body }) => team.showInvitation(body.token),
  );

  routes.post(
    '/invitations/accept',
    { body: InvitationToken, reply: Type.Object({ appId: AppId }), message: 'you are in the team' },
    ({ person, body }) =>
      team.join({ accountId: person.accountId, sessionId: sessionIdOf(person) }, body.token),
  );
}
