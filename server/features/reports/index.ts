import { CHAT } from '#contract/api/chat.ts';
import type { Report, ReportDecision } from '#contract/chat/reports.ts';
import { say } from '#contract/reasons.ts';
import type { AccountHook } from '#features/accounts/index.ts';
import type { Tx } from '#platform/database.ts';
import { serve } from '#platform/http/serve.ts';
import { RateLimit } from '#platform/rate-limits/rate-limit.ts';
import { withDeps } from '#platform/with-deps.ts';
import { createReport, type ReportDeps } from './create.ts';
import { decideReport } from './decide.ts';
import { deleteDecidedOf, selectReportsOf, selectWaiting } from './queries.ts';
import { findReport, listReports, viewReport } from './view.ts';

export { watchReports } from './metrics.ts';

const REPORTS_PER_DAY = 20;

/** People's reports to the operator, and the operator's decisions. */
export type Reports = ReturnType<typeof createReports>['api'];

export function createReports(given: Omit<ReportDeps, 'limit'>) {
  const limit = new RateLimit(given, {
    name: 'reports',
    limit: REPORTS_PER_DAY,
    windowMs: 24 * 3_600_000,
    refusal: say('person.reporting-many'),
  });
  const deps: ReportDeps = { ...given, limit };
  const { db, keyring } = deps;
  return {
    api: {
      ...withDeps(deps, { list: listReports, find: findReport }),
      /** The number of open reports, and the time of the oldest. */
      findWaiting: () => selectWaiting(db),
      /**
       * Closes a report, in the transaction that carries out the decision. @throws ApiError 404 if it has already
       * been decided
       */
      decide: (tx: Tx, report: Report, decision: ReportDecision) => decideReport(tx, deps, report, decision),
    },
    routes: [
      serve(CHAT, {
        'POST /reports': ({ person, body, reserved }) => createReport(deps, person.accountId, body, reserved),
      }),
    ],
    hooks: {
      account: {
        sections: {
          async *reports(accountId) {
            for (const row of await selectReportsOf(db, accountId)) yield viewReport(keyring, row);
          },
        },
        // Open reports stay: people may delete their account because of what they reported.
        deleted: (tx, { accountId }) => deleteDecidedOf(tx, accountId),
      } satisfies AccountHook,
    },
  };
}
