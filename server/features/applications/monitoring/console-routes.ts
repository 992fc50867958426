import { Type } from 'typebox';
import { AppId } from '#contract/applications.ts';
import { AuditPage, AuditQuery } from '#contract/audit.ts';
import { Success } from '#contract/envelope.ts';
import { ErrorGroups, RequestFilter, RequestPage, Usage, UsageQuery } from '#contract/monitoring.ts';
import type { App } from '#platform/http/app.ts';
import { success } from '#platform/http/envelope.ts';
import type { Platform } from '#platform/platform.ts';
import { readAuditTrail } from '../audit/trail.ts';
import { ownedBy } from '../service.ts';
import { groupErrors, listRequests } from './api-log.ts';
import type { RequestRecorder } from './recorder.ts';
import { showUsage } from './usage.ts';

/** What an application asked of the public API, how much of it, and who changed what in the application. */
export function monitoringRoutes(
  app: App,
  deps: Pick<Platform, 'db' | 'clock'> & { recorder: Pick<RequestRecorder, 'flush'> },
): void {
  const { db, clock, recorder } = deps;
  const params = Type.Object({ appId: AppId });

  app.get(
    '/applications/:appId/requests',
    { schema: { params, querystring: RequestFilter, response: { 200: Success(RequestPage) } } },
    async ({ person, params: { appId }, query }) => {
      await recorder.flush();
      const page = await listRequests(db, ownedBy(person, appId), query);
      return success(clock.now(), 'requests, newest first', page);
    },
  );

  app.get(
    '/applications/:appId/requests/errors',
    { schema: { params, response: { 200: Success(ErrorGroups) } } },
    async ({ person, params: { appId } }) => {
      await recorder.flush();
      return success(clock.now(), 'errors, grouped', await groupErrors(db, ownedBy(person, appId)));
    },
  );

  app.get(
    '/applications/:appId/usage',
    { schema: { params, querystring: UsageQuery, response: { 200: Success(Usage) } } },
    async ({ person, params: { appId }, query }) => {
      await recorder.flush();
      return success(clock.now(), 'usage', await showUsage(deps, ownedBy(person, appId), query));
    },
  );

  app.get(
    '/applications/:appId/audit',
    { schema: { params, querystring: AuditQuery, response: { 200: Success(AuditPage) } } },
    async ({ person, params: { appId }, query }) => {
      const page = await readAuditTrail(db, ownedBy(person, appId), query.before);
      return success(clock.now(), 'changes, newest first', page);
    },
  );
}
