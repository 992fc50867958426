import { CONSOLE } from '#contract/api/console.ts';
import { serve } from '#platform/http/serve.ts';
import type { Applications } from '../index.ts';
import { ownedBy } from '../service.ts';

/** The API log, the usage and the audit trail of an application. */
export function monitoringRoutes(applications: Applications) {
  return [
    serve(CONSOLE, {
      'GET /applications/:appId/requests': ({ person, params, query }) =>
        applications.listRequests(ownedBy(person, params.appId), query),
      'GET /applications/:appId/requests/errors': ({ person, params }) =>
        applications.groupErrors(ownedBy(person, params.appId)),
      'GET /applications/:appId/overview': ({ person, params }) =>
        applications.showOverview(ownedBy(person, params.appId)),
      'GET /applications/:appId/usage': ({ person, params, query }) =>
        applications.showUsage(ownedBy(person, params.appId), query),
      'GET /applications/:appId/audit': ({ person, params, query }) =>
        applications.readAuditTrail(ownedBy(person, params.appId), query.before),
    }),
  ];
}
