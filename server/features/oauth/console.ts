import { Type } from 'typebox';
import { AppId } from '#contract/applications.ts';
import { id } from '#contract/ids.ts';
import { ApplicationGrants } from '#contract/oauth.ts';
import type { ConsoleRoutes } from '#features/accounts/index.ts';
import { ownedBy } from '#features/applications/index.ts';
import type { OAuth } from './index.ts';

/** The grants to an application, as its owner sees them. */
export function oauthConsoleRoutes(routes: ConsoleRoutes, oauth: OAuth): void {
  routes.get(
    '/applications/:appId/grants',
    {
      params: Type.Object({ appId: AppId }),
      query: Type.Object({ before: Type.Optional(id()) }),
      reply: ApplicationGrants,
      message: 'grants',
    },
    ({ person, params, query }) => oauth.listApplicationGrants(ownedBy(person, params.appId), query.before),
  );
}
