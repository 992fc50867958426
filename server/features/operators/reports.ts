import { OPERATE } from '#contract/api/operate.ts';
import type { Report, ReportTarget } from '#contract/chat/reports.ts';
import type { ActDetails } from '#contract/operate/acts.ts';
import type {
  DecideReport,
  ListedReport,
  OperatedReport,
  ReportedPerson,
  ReportPage,
} from '#contract/operate/reports.ts';
import { SERVICE_ACCOUNT_ID } from '#features/accounts/index.ts';
import { groupKey } from '#features/groups/index.ts';
import { withoutAbsent } from '#platform/absent.ts';
import { joined } from '#platform/database/joined.ts';
import type { Tx } from '#platform/database.ts';
import { failedPrecondition, invalidArgument, notFound } from '#platform/errors.ts';
import { serve } from '#platform/http/serve.ts';
import { type Acts, byActs, recordAct } from './acts.ts';
import { tellDecision } from './decision-notices.ts';
import type { OperatorDeps } from './deps.ts';
import { suspendPerson } from './people.ts';

/** Acts on reports. */
export const reportActs = {
  /**
   * Decides an open report: the effects, the entry in the trail and the notifications of both sides are one
   * transaction. The reporter learns whether action was taken, but not which; the person concerned sees the
   * reason, but not who reported.
   */
  'report.decided': async (deps, { operatorId, reportId }, given, record) => {
    const { db, applications, messages } = deps;
    const { decision, reason, until } = given;
    const report = await deps.reports.find(reportId);
    if (report.decision !== undefined) throw notFound('report.unknown');
    const reported =
      report.reportedId === undefined ? undefined : await deps.accounts.find(report.reportedId);
    const removed = readRemoved(report, given);
    if (decision !== 'nothing' && reason === undefined) throw invalidArgument('reason', 'required');
    if ((decision === 'warned' || decision === 'suspended') && !reported)
      throw failedPrecondition('report.nobody');
    // An application is suspended until that is lifted.
    if (until !== undefined && reported?.isBot) throw invalidArgument('until', 'not-valid');
    const shows: (() => void)[] = [];
    const conclude = async (tx: Tx) => {
      await deps.reports.decide(tx, report, decision);
      if (removed.length > 0) {
        const { conversationId } = report;
        shows.push(
          await messages.remove(tx, { conversationId, msgIds: removed, deletedBy: SERVICE_ACCOUNT_ID }),
        );
      }
      const removals = removed.length > 0 && { removed: removed.length };
      await record({ decision, ...(reason !== undefined && { reason }), ...removals })(tx);
      shows.push(...(await tellDecision(tx, deps, { report, reported, given, removed })));
    };
    if (decision !== 'suspended' || !reported) await db.begin(conclude);
    else if (reported.appId === null) {
      const { accountId } = reported;
      const suspension = { reason: reason ?? '', ...(until !== undefined && { until }) };
      await suspendPerson(deps, { operatorId, accountId }, suspension, (details) => async (tx) => {
        await recordAct(tx, deps, {
          ...{ operatorId, act: 'person.suspended', subject: accountId },
          ...(details && { details }),
        });
        await conclude(tx);
      });
    } else {
      const { appId } = reported;
      await db.begin(async (tx) => {
        await applications.operatingWithin(joined(tx)).suspend(appId);
        await recordAct(tx, deps, {
          ...{ operatorId, act: 'application.suspended', subject: appId },
          ...(reason !== undefined && { details: { reason } }),
        });
        await conclude(tx);
      });
      applications.announceRevocation(appId);
    }
    for (const show of shows) show();
    return showReport(deps, reportId);
  },
} satisfies Acts<OperatorDeps>;

/** The messages to remove: only those of the report, so that a decision cannot reach others. */
function readRemoved({ messages }: Report, { decision, msgIds = [] }: DecideReport): string[] {
  const shown = new Set(messages.map(({ msgId }) => msgId));
  if (msgIds.some((msgId) => !shown.has(msgId))) throw notFound('conversation.no-message');
  if (decision === 'removed' && msgIds.length === 0) throw invalidArgument('msgIds', 'required');
  return decision === 'removed' || decision === 'suspended' ? [...new Set(msgIds)] : [];
}

/** A page of reports, without any text that people wrote, and the number of open ones. */
export async function listReports(
  deps: OperatorDeps,
  asked: { isDecided?: boolean; target?: ReportTarget | undefined; cursor?: string | undefined },
): Promise<ReportPage> {
  const [page, { open, oldestAt }] = await Promise.all([
    deps.reports.list(asked),
    deps.reports.findWaiting(),
  ]);
  const people = await findPeople(
    deps,
    page.reports.flatMap(({ reporterId, reportedId }) => [reporterId, reportedId ?? []].flat()),
  );
  const personOf = new Map(people.map((person) => [person.accountId, person]));
  return {
    reports: page.reports.map((report) => view(report, personOf)),
    waiting: { open, ...(oldestAt !== null && { oldestAt }) },
    ...withoutAbsent({ nextCursor: page.nextCursor }),
  };
}

/** One report with the messages that its reporter included. @throws ApiError 404 */
export async function showReport(deps: OperatorDeps, reportId: string): Promise<OperatedReport> {
  const { groups, reports } = deps;
  const report = await reports.find(reportId);
  const { reporterId, reportedId, messages, target, conversationId } = report;
  const people = await findPeople(deps, [
    reporterId,
    ...(reportedId === undefined ? [] : [reportedId]),
    ...messages.map(({ from }) => from),
  ]);
  const key = target === 'group' ? groupKey(conversationId) : undefined;
  const [[group], related, nextReportId, decided] = await Promise.all([
    key ? groups.find([key]) : [],
    reports.findRelated(report),
    reports.findNextOpen(reportId),
    report.decision && findDecision(deps, reportId),
  ]);
  return {
    ...report,
    people,
    ...(group && { groupName: group.name }),
    related,
    ...(nextReportId !== undefined && { nextReportId }),
    ...(decided && { decided }),
  };
}

/** Who decided a report, and why: as the trail says. A read over all shards. */
async function findDecision(
  { db, accounts }: OperatorDeps,
  reportId: string,
): Promise<OperatedReport['decided']> {
  const [decided] = await db<{ accountId: string; details: ActDetails }[]>`
    select account_id, details from operator_acts
    where subject = ${reportId} and act = 'report.decided' order by act_id desc limit 1`;
  if (!decided) return undefined;
  const { reason } = decided.details;
  const [operator] = await accounts.findAll([decided.accountId]);
  return {
    ...(operator && { by: operator.name || operator.accountId }),
    ...(reason !== undefined && { reason: String(reason) }),
  };
}

function view(
  { reportId, reporterId, reportedId, target, reason, messages, decision, createdAt, decidedAt }: Report,
  personOf: ReadonlyMap<string, ReportedPerson>,
): ListedReport {
  const personBy = (accountId: string) =>
    personOf.get(accountId) ?? { accountId, name: '', isBot: false, isDeleted: true };
  return {
    reportId,
    reporter: personBy(reporterId),
    ...(reportedId !== undefined && { reported: personBy(reportedId) }),
    target,
    reason,
    messageCount: messages.length,
    ...(decision !== undefined && { decision }),
    createdAt,
    ...(decidedAt !== undefined && { decidedAt }),
  };
}

async function findPeople(
  { accounts }: OperatorDeps,
  accountIds: readonly string[],
): Promise<ReportedPerson[]> {
  const found = await accounts.findAll(accountIds);
  return found.map(({ accountId, name, isBot, appId, deletedAt }) =>
    withoutAbsent({ accountId, name, isBot, appId, isDeleted: deletedAt !== null }),
  );
}

/** People’s reports. */
export function reportRoutes(deps: OperatorDeps) {
  return [
    serve(OPERATE, {
      'GET /reports': ({ query }) => listReports(deps, { ...query, isDecided: query.isDecided === 'true' }),
      'GET /reports/:reportId': ({ params: { reportId } }) => showReport(deps, reportId),
    }),
    serve(OPERATE, byActs(deps, reportActs)),
  ];
}
