import type { RelatedReport, Report, ReportTarget } from '#contract/chat/reports.ts';
import type { ChatMessage } from '#contract/chat.ts';
import { withoutAbsent } from '#platform/absent.ts';
import type { Keyring } from '#platform/crypto/keyring.ts';
import { openSealed, type SealedBody, sealed } from '#platform/crypto/sealed-body.ts';
import { notFound } from '#platform/errors.ts';
import { pageOf, readCursor } from '#platform/http/cursor.ts';
import { isId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { type ReportRow, selectReport, selectReports, selectReportsAbout } from './queries.ts';

/** The sealed part of a report: the messages and the reporter's comment. */
export interface ReportBody {
  messages: ChatMessage[];
  comment?: string;
}

const PAGE = 50;
const RELATED = 20;

/** Reports for the operator, page by page: open ones, the oldest first, or decided ones, the newest first. */
export async function listReports(
  { db, keyring }: Platform,
  {
    isDecided = false,
    target,
    cursor,
  }: { isDecided?: boolean; target?: ReportTarget | undefined; cursor?: string | undefined } = {},
): Promise<{ reports: Report[]; nextCursor?: string }> {
  const rows = await selectReports(db, {
    isDecided,
    target: target ?? null,
    after: readCursor('rpt', 'cursor', cursor) ?? null,
    limit: PAGE + 1,
  });
  const { page, last } = pageOf(rows, PAGE);
  return {
    reports: page.map((row) => viewReport(keyring, row)),
    ...(last && { nextCursor: last.reportId }),
  };
}

/** @throws ApiError 404 */
export async function findReport({ db, keyring }: Platform, reportId: string): Promise<Report> {
  const row = isId('rpt', reportId) ? await selectReport(db, reportId) : undefined;
  if (!row) throw notFound('report.not-there');
  return viewReport(keyring, row);
}

/** The newest other reports about the same account or group. */
export async function findRelated(
  { db }: Platform,
  { reportId, reportedId, conversationId }: Report,
): Promise<RelatedReport[]> {
  const subject = reportedId ?? conversationId;
  const rows = await selectReportsAbout(db, { subject, reportId, limit: RELATED });
  return rows.map((row) => withoutAbsent(row));
}

/** The open report after this one, or the oldest other one. */
export async function findNextOpen({ db }: Platform, reportId: string): Promise<string | undefined> {
  const asked = { isDecided: false, target: null };
  const [next] = await selectReports(db, { ...asked, after: reportId, limit: 1 });
  if (next) return next.reportId;
  const [oldest] = await selectReports(db, { ...asked, after: null, limit: 1 });
  return oldest?.reportId === reportId ? undefined : oldest?.reportId;
}

export function viewReport(keyring: Keyring, row: ReportRow): Report {
  const { reportId, accountId, reportedId, conversationId, reason, state, createdAt, decidedAt } = row;
  const { target, decision } = row;
  const opened = openSealed<ReportBody>(keyring, contextOf(reportId), row);
  return {
    reportId,
    reporterId: accountId,
    ...(reportedId !== null && { reportedId }),
    target,
    conversationId,
    reason,
    ...(opened ?? { messages: [], isUnreadable: true as const }),
    state,
    ...(decision !== null && { decision }),
    createdAt,
    ...(decidedAt !== null && { decidedAt }),
  };
}

export function sealReport(keyring: Keyring, reportId: string, body: ReportBody): SealedBody {
  return sealed(keyring, contextOf(reportId), body);
}

function contextOf(reportId: string) {
  return { table: 'reports', rowId: reportId };
}
