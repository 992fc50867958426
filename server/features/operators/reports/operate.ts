import { OPERATE } from '#contract/api/operate.ts';
import { serve } from '#platform/http/serve.ts';
import type { Operators } from '../index.ts';

/** People's reports. */
export function reportRoutes(operators: Operators) {
  return [
    serve(OPERATE, {
      'GET /reports': ({ query }) =>
        operators.listReports({ ...query, isDecided: query.isDecided === 'true' }),
      'GET /reports/:reportId': ({ params: { reportId } }) => operators.showReport(reportId),
      'POST /reports/:reportId/decision': async ({ operator, params: { reportId }, body }) => {
        await operators.decideReport({ ...body, reportId, operatorId: operator.accountId });
        return operators.showReport(reportId);
      },
    }),
  ];
}
