import { CONSOLE } from '#contract/api/console.ts';
import { ownedBy } from '#features/applications/index.ts';
import { serve } from '#platform/http/serve.ts';
import { listApplicationGrants } from './connections/connections.ts';
import type { OAuthDeps } from './deps.ts';

/** The grants to an application, as its owner sees them. */
export function oauthConsoleRoutes(deps: OAuthDeps) {
  return [
    serve(CONSOLE, {
      'GET /applications/:appId/grants': ({ person, params, query }) =>
        listApplicationGrants(deps, ownedBy(person, params.appId), query.before),
    }),
  ];
}
