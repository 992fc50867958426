import { CONSOLE } from '#contract/api/console.ts';
import { ownedBy } from '#features/applications/index.ts';
import { serve } from '#platform/http/serve.ts';
import type { OAuth } from './index.ts';

/** The grants to an application, as its owner sees them. */
export function oauthConsoleRoutes(oauth: OAuth) {
  return [
    serve(CONSOLE, {
      'GET /applications/:appId/grants': ({ person, params, query }) =>
        oauth.listApplicationGrants(ownedBy(person, params.appId), query.before),
    }),
  ];
}
