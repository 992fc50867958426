import { ApplicationGrants } from '#contract/oauth.ts';
import { WithReason } from '#contract/operate/acts.ts';
import {
  ChangeQuota,
  FailingEndpoints,
  GrantQuery,
  OperatedApplication,
  OperatedApplicationParams,
  OperatedApplications,
  OperatedEndpoint,
} from '#contract/operate/applications.ts';
import { OperatorSearch } from '#contract/operate/people.ts';
import type { OperateRoutes, Operators } from './index.ts';

const changes = { needsRecentSignIn: true } as const;

/** Finding, suspending and monitoring applications, and their quotas. */
export function applicationRoutes(routes: OperateRoutes, operators: Operators): void {
  const params = OperatedApplicationParams;
  const one = { params, reply: OperatedApplication };

  routes.get(
    '/applications',
    { query: OperatorSearch, reply: OperatedApplications, message: 'applications' },
    async ({ query }) => ({ applications: await operators.findApplications(query.query) }),
  );

  routes.get('/applications/:appId', { ...one, message: 'application' }, ({ params: { appId } }) =>
    operators.showApplication(appId),
  );

  routes.post(
    '/applications/:appId/suspension',
    { ...changes, ...one, body: WithReason, message: 'application suspended' },
    async ({ operator, params: { appId }, body }) => {
      await operators.suspendApplication({ operatorId: operator.accountId, appId }, body.reason);
      return operators.showApplication(appId);
    },
  );

  routes.delete(
    '/applications/:appId/suspension',
    { ...changes, ...one, body: WithReason, message: 'application unsuspended' },
    async ({ operator, params: { appId }, body }) => {
      await operators.unsuspendApplication({ operatorId: operator.accountId, appId }, body.reason);
      return operators.showApplication(appId);
    },
  );

  routes.put(
    '/applications/:appId/quota',
    { ...changes, ...one, body: ChangeQuota, message: 'quota changed' },
    async ({ operator, params: { appId }, body }) => {
      await operators.changeQuota({ operatorId: operator.accountId, appId }, body.requestsPerMinute);
      return operators.showApplication(appId);
    },
  );

  routes.get(
    '/applications/:appId/endpoint',
    { params, reply: OperatedEndpoint, message: 'endpoint' },
    ({ params: { appId } }) => operators.showEndpoint(appId),
  );

  routes.get(
    '/applications/:appId/grants',
    { params, query: GrantQuery, reply: ApplicationGrants, message: 'grants' },
    ({ params: { appId }, query }) => operators.listGrantsOf(appId, query.before),
  );

  routes.get('/failing-endpoints', { reply: FailingEndpoints, message: 'endpoints that do not answer' }, () =>
    operators.listFailingEndpoints(),
  );
}
