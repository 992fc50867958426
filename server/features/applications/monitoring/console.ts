import { CONSOLE } from '#contract/api/console.ts';
import { serve } from '#platform/http/serve.ts';
import { readAuditTrail } from '../audit/trail.ts';
import type { ApplicationDeps } from '../deps.ts';
import { ownedBy } from '../service.ts';
import { groupErrors, listRequests } from './api-log.ts';
import { showOverview } from './overview.ts';
import { showUsage } from './usage.ts';

/** The API log, the usage and the audit trail of an application, including what this process has not stored yet. */
export function monitoringRoutes(deps: ApplicationDeps) {
  const { db, recorder } = deps;
  return [
    serve(CONSOLE, {
      'GET /applications/:appId/requests': async ({ person, params, query }) => {
        await recorder.flush();
        return listRequests(db, ownedBy(person, params.appId), query);
      },
      'GET /applications/:appId/requests/errors': async ({ person, params }) => {
        await recorder.flush();
        return groupErrors(db, ownedBy(person, params.appId));
      },
      'GET /applications/:appId/overview': async ({ person, params }) => {
        await recorder.flush();
        return showOverview(deps, ownedBy(person, params.appId));
      },
      'GET /applications/:appId/usage': async ({ person, params, query }) => {
        await recorder.flush();
        return showUsage(deps, ownedBy(person, params.appId), query);
      },
      'GET /applications/:appId/audit': ({ person, params, query }) =>
        readAuditTrail(deps, ownedBy(person, params.appId), query.before),
    }),
  ];
}
