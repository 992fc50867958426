import { Type } from 'typebox';
import { AppId, Application, ApplicationSummary, NamedApplication } from '#contract/applications.ts';
import type { ConsoleRoutes } from '#features/accounts/index.ts';
import { addressRoutes } from './addresses/console.ts';
import { credentialRoutes } from './credentials/console.ts';
import { extensionRoutes } from './extensions/console.ts';
import type { Applications } from './index.ts';
import { monitoringRoutes } from './monitoring/console.ts';
import { ownedBy } from './service.ts';
import { teamRoutes } from './team/console.ts';

/** An owner's applications: life cycle, secrets, addresses and monitoring. */
export function applicationRoutes(routes: ConsoleRoutes, applications: Applications): void {
  const params = Type.Object({ appId: AppId });
  const one = { params, reply: Application };

  routes.get(
    '/applications',
    { reply: Type.Array(ApplicationSummary), message: 'your applications' },
    ({ person }) => applications.listOwn(person.accountId),
  );

  routes.get('/applications/:appId', { ...one, message: 'application' }, ({ person, params }) =>
    applications.showOwn(ownedBy(person, params.appId)),
  );

  routes.patch(
    '/applications/:appId',
    { ...one, body: NamedApplication, message: 'application renamed' },
    async ({ person, params, body }) => {
      const own = ownedBy(person, params.appId);
      await applications.rename(own, body.name);
      return applications.showOwn(own);
    },
  );

  routes.post(
    '/applications/:appId/disable',
    { ...one, role: 'owner', message: 'application disabled' },
    async ({ person, params }) => {
      const own = ownedBy(person, params.appId);
      await applications.disable(own);
      return applications.showOwn(own);
    },
  );

  routes.post(
    '/applications/:appId/reactivate',
    { ...one, role: 'owner', message: 'application reactivated' },
    async ({ person, params }) => {
      const own = ownedBy(person, params.appId);
      await applications.reactivate(own);
      return applications.showOwn(own);
    },
  );

  routes.delete(
    '/applications/:appId',
    {
      role: 'owner',
      needsRecentSignIn: true,
      params,
      reply: Type.Object({ deleted: Type.Literal(true) }),
      message: 'application deleted',
    },
    async ({ person, params }) => {
      await applications.delete(ownedBy(person, params.appId));
      return { deleted: true as const };
    },
  );

  credentialRoutes(routes, applications);
  monitoringRoutes(routes, applications);
  addressRoutes(routes, applications);
  extensionRoutes(routes, applications);
  teamRoutes(routes, applications);
}
