import type { Report, ReportTarget } from '#contract/chat/reports.ts';
import type { ListedReport, OperatedReport, ReportedPerson, ReportPage } from '#contract/operate/reports.ts';
import type { Accounts } from '#features/accounts/index.ts';
import { type Groups, groupKey } from '#features/groups/index.ts';
import type { Reports } from '#features/reports/index.ts';

interface Deps {
  accounts: Pick<Accounts, 'findAll'>;
  groups: Pick<Groups, 'find'>;
  reports: Pick<Reports, 'list' | 'find' | 'findWaiting'>;
}

/** A page of reports, without any text that people wrote, and the number of open ones. */
export async function listReports(
  { accounts, reports }: Deps,
  asked: { isDecided?: boolean; target?: ReportTarget | undefined; cursor?: string | undefined },
): Promise<ReportPage> {
  const [page, { open, oldestAt }] = await Promise.all([reports.list(asked), reports.findWaiting()]);
  const people = await findPeople(
    accounts,
    page.reports.flatMap(({ reporterId, reportedId }) => [reporterId, reportedId ?? []].flat()),
  );
  const personOf = new Map(people.map((person) => [person.accountId, person]));
  return {
    reports: page.reports.map((report) => view(report, personOf)),
    waiting: { open, ...(oldestAt !== null && { oldestAt }) },
    ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }),
  };
}

/** One report with the messages that its reporter included. @throws ApiError 404 */
export async function showReport(
  { accounts, groups, reports }: Deps,
  reportId: string,
): Promise<OperatedReport> {
  const report = await reports.find(reportId);
  const { reporterId, reportedId, messages, target, conversationId } = report;
  const people = await findPeople(accounts, [
    reporterId,
    ...(reportedId === undefined ? [] : [reportedId]),
    ...messages.map(({ from }) => from),
  ]);
  const key = target === 'group' ? groupKey(conversationId) : undefined;
  const [group] = key ? await groups.find([key]) : [];
  return { ...report, people, ...(group && { groupName: group.name }) };
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
  accounts: Pick<Accounts, 'findAll'>,
  accountIds: readonly string[],
): Promise<ReportedPerson[]> {
  const found = await accounts.findAll([...new Set(accountIds)]);
  return found.map(({ accountId, name, isBot, appId, deletedAt }) => ({
    accountId,
    name,
    isBot,
    ...(appId !== null && { appId }),
    isDeleted: deletedAt !== null,
  }));
}
