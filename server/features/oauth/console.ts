import { Type } from 'typebox';
import { AppId } from '#contract/applications.ts';
import { Success } from '#contract/envelope.ts';
import { id } from '#contract/ids.ts';
import { ApplicationGrants } from '#contract/oauth.ts';
import type { App } from '#platform/http/app.ts';
import { success } from '#platform/http/envelope.ts';
import type { Platform } from '#platform/platform.ts';
import { listApplicationGrants } from './connections.ts';

/** What people granted to an application, as its owner sees it. */
export function oauthConsoleRoutes(app: App, deps: Pick<Platform, 'db' | 'clock'>): void {
  app.get(
    '/applications/:appId/grants',
    {
      schema: {
        params: Type.Object({ appId: AppId }),
        querystring: Type.Object({ before: Type.Optional(id()) }),
        response: { 200: Success(ApplicationGrants) },
      },
    },
    async ({ person, params, query }) => {
      const own = { ownerId: person.accountId, appId: params.appId };
      return success(deps.clock.now(), 'grants', await listApplicationGrants(deps, own, query.before));
    },
  );
}
