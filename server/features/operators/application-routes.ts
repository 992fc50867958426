import { OPERATE } from '#contract/api/operate.ts';
import { serve } from '#platform/http/serve.ts';
import type { Operators } from './index.ts';

/** Finding, suspending and monitoring applications, and their quotas. */
export function applicationRoutes(operators: Operators) {
  return [
    serve(OPERATE, {
      'GET /applications': async ({ query }) => ({
        applications: await operators.findApplications(query.query),
      }),
      'GET /applications/:appId': ({ params: { appId } }) => operators.showApplication(appId),
      'POST /applications/:appId/suspension': async ({ operator, params: { appId }, body }) => {
        await operators.suspendApplication({ operatorId: operator.accountId, appId }, body.reason);
        return operators.showApplication(appId);
      },
      'DELETE /applications/:appId/suspension': async ({ operator, params: { appId }, body }) => {
        await operators.unsuspendApplication({ operatorId: operator.accountId, appId }, body.reason);
        return operators.showApplication(appId);
      },
      'PUT /applications/:appId/quota': async ({ operator, params: { appId }, body }) => {
        await operators.changeQuota({ operatorId: operator.accountId, appId }, body.requestsPerMinute);
        return operators.showApplication(appId);
      },
      'GET /applications/:appId/endpoint': ({ params: { appId } }) => operators.showEndpoint(appId),
      'GET /applications/:appId/grants': ({ params: { appId }, query }) =>
        operators.listGrantsOf(appId, query.before),
      'GET /failing-endpoints': () => operators.listFailingEndpoints(),
    }),
  ];
}
