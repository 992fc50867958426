import {
  DecideReport,
  OperatedReport,
  ReportPage,
  ReportParams,
  ReportQuery,
} from '#contract/operate/reports.ts';
import type { OperateRoutes, Operators } from '../index.ts';

/** People's reports. */
export function reportRoutes(routes: OperateRoutes, operators: Operators): void {
  const params = ReportParams;

  routes.get('/reports', { query: ReportQuery, reply: ReportPage, message: 'reports' }, ({ query }) =>
    operators.listReports({ ...query, isDecided: query.isDecided === 'true' }),
  );

  routes.get(
    '/reports/:reportId',
    { params, reply: OperatedReport, message: 'report' },
    ({ params: { reportId } }) => operators.showReport(reportId),
  );

  routes.post(
    '/reports/:reportId/decision',
    { needsRecentSignIn: true, params, body: DecideReport, reply: OperatedReport, message: 'report decided' },
    async ({ operator, params: { reportId }, body }) => {
      await operators.decideReport({ ...body, reportId, operatorId: operator.accountId });
      return operators.showReport(reportId);
    },
  );
}
