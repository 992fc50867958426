import { OPERATE } from '#contract/api/operate.ts';
import { serve } from '#platform/http/serve.ts';
import {
  changeQuota,
  findApplications,
  showApplication,
  suspendApplication,
  unsuspendApplication,
} from './applications.ts';
import type { OperatorDeps } from './deps.ts';
import { listFailingEndpoints, listGrantsOf, showEndpoint } from './endpoints.ts';

/** Finding, suspending and monitoring applications, and their quotas. */
export function applicationRoutes(deps: OperatorDeps) {
  return [
    serve(OPERATE, {
      'GET /applications': async ({ query }) => ({
        applications: await findApplications(deps, query.query),
      }),
      'GET /applications/:appId': ({ params: { appId } }) => showApplication(deps, appId),
      'POST /applications/:appId/suspension': async ({ operator, params: { appId }, body }) => {
        await suspendApplication(deps, { operatorId: operator.accountId, appId }, body.reason);
        return showApplication(deps, appId);
      },
      'DELETE /applications/:appId/suspension': async ({ operator, params: { appId }, body }) => {
        await unsuspendApplication(deps, { operatorId: operator.accountId, appId }, body.reason);
        return showApplication(deps, appId);
      },
      'PUT /applications/:appId/quota': async ({ operator, params: { appId }, body }) => {
        await changeQuota(deps, { operatorId: operator.accountId, appId }, body.requestsPerMinute);
        return showApplication(deps, appId);
      },
      'GET /applications/:appId/endpoint': ({ params: { appId } }) => showEndpoint(deps, appId),
      'GET /applications/:appId/grants': ({ params: { appId }, query }) =>
        listGrantsOf(deps, appId, query.before),
      'GET /failing-endpoints': () => listFailingEndpoints(deps),
    }),
  ];
}
