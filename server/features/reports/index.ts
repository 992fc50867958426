import type { Report, ReportDecision } from '#contract/chat/reports.ts';
import { say } from '#contract/reasons.ts';
import type { AccountHook, Accounts } from '#features/accounts/index.ts';
import type { Media } from '#features/media/index.ts';
import type { Messages } from '#features/messages/index.ts';
import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { RateLimit } from '#platform/rate-limits/rate-limit.ts';
import { withDeps } from '#platform/with-deps.ts';
import { reportChatRoutes } from './chat.ts';
import { createReport } from './create.ts';
import { decideReport } from './decide.ts';
import { deleteDecidedOf, selectReportsOf, selectWaiting } from './queries.ts';
import { findReport, listReports, viewReport } from './view.ts';

export { watchReports } from './metrics.ts';

const REPORTS_PER_DAY = 20;

/** People's reports to the operator, and the operator's decisions. */
export type Reports = ReturnType<typeof openReports>['api'];

function openReports(platform: Platform, features: { accounts: Accounts; media: Media; messages: Messages }) {
  const limit = new RateLimit(platform, {
    name: 'reports',
    limit: REPORTS_PER_DAY,
    windowMs: 24 * 3_600_000,
    refusal: say('person.reporting-many'),
  });
  const deps = { ...platform, ...features, limit };
  const { db, keyring } = platform;
  const api = {
    ...withDeps(deps, { create: createReport, list: listReports, find: findReport }),
    /** The number of open reports, and the time of the oldest. */
    findWaiting: () => selectWaiting(db),
    /**
     * Closes a report, in the transaction that carries out the decision. @throws ApiError 404 if it has already
     * been decided
     */
    decide: (tx: Tx, report: Report, decision: ReportDecision) => decideReport(tx, deps, report, decision),
  };
  return {
    api,
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

export function createReports(platform: Platform, features: Parameters<typeof openReports>[1]) {
  const { api, hooks } = openReports(platform, features);
  return { api, hooks, routes: [...reportChatRoutes(api)] };
}
