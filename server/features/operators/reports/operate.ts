import { OPERATE } from '#contract/api/operate.ts';
import { serve } from '#platform/http/serve.ts';
import type { OperatorDeps } from '../deps.ts';
import { decideReport } from './decide.ts';
import { listReports, showReport } from './list.ts';

/** People's reports. */
export function reportRoutes(deps: OperatorDeps) {
  return [
    serve(OPERATE, {
      'GET /reports': ({ query }) => listReports(deps, { ...query, isDecided: query.isDecided === 'true' }),
      'GET /reports/:reportId': ({ params: { reportId } }) => showReport(deps, reportId),
      'POST /reports/:reportId/decision': async ({ operator, params: { reportId }, body }) => {
        await decideReport(deps, { ...body, reportId, operatorId: operator.accountId });
        return showReport(deps, reportId);
      },
    }),
  ];
}
