import { Type } from 'typebox';
import { AuditPage, AuditQuery } from '#contract/applications/audit.ts';
import {
  ErrorGroups,
  Overview,
  RequestFilter,
  RequestPage,
  Usage,
  UsageQuery,
} from '#contract/applications/monitoring.ts';
import { AppId } from '#contract/applications.ts';
import type { ConsoleRoutes } from '#features/accounts/index.ts';
import type { Applications } from '../index.ts';
import { ownedBy } from '../service.ts';

/** The API log, the usage and the audit trail of an application. */
export function monitoringRoutes(routes: ConsoleRoutes, applications: Applications): void {
  const params = Type.Object({ appId: AppId });

  routes.get(
    '/applications/:appId/requests',
    { params, query: RequestFilter, reply: RequestPage, message: 'requests, newest first' },
    ({ person, params, query }) => applications.listRequests(ownedBy(person, params.appId), query),
  );

  routes.get(
    '/applications/:appId/requests/errors',
    { params, reply: ErrorGroups, message: 'errors, grouped' },
    ({ person, params }) => applications.groupErrors(ownedBy(person, params.appId)),
  );

  routes.get(
    '/applications/:appId/overview',
    { params, reply: Overview, message: 'the last 24 hours' },
    ({ person, params }) => applications.showOverview(ownedBy(person, params.appId)),
  );

  routes.get(
    '/applications/:appId/usage',
    { params, query: UsageQuery, reply: Usage, message: 'usage' },
    ({ person, params, query }) => applications.showUsage(ownedBy(person, params.appId), query),
  );

  routes.get(
    '/applications/:appId/audit',
    { params, query: AuditQuery, reply: AuditPage, message: 'changes, newest first' },
    ({ person, params, query }) => applications.readAuditTrail(ownedBy(person, params.appId), query.before),
  );
}
