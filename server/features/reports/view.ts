import type { ChatMessage } from '#contract/chat.ts';
import type { Report, ReportState } from '#contract/reports.ts';
import type { Keyring } from '#platform/keyring.ts';
import type { Platform } from '#platform/platform.ts';
import { type ReportRow, selectReports } from './queries.ts';

/** What the reporter shows and says, as it is sealed. */
export interface ReportBody {
  messages: ChatMessage[];
  comment?: string;
}

const PAGE = 50;

/** Reports for the operator, page by page, the oldest first. */
export async function listReports(
  { db, keyring }: Pick<Platform, 'db' | 'keyring'>,
  { state = 'open', cursor = '' }: { state?: ReportState; cursor?: string } = {},
): Promise<{ reports: Report[]; nextCursor?: string }> {
  const rows = await selectReports(db, { state, after: cursor, limit: PAGE + 1 });
  const page = rows.slice(0, PAGE);
  const last = page.at(-1);
  return {
    reports: page.map((row) => viewReport(keyring, row)),
    ...(rows.length > PAGE && last && { nextCursor: last.reportId }),
  };
}

export function viewReport(keyring: Keyring, row: ReportRow): Report {
  const { reportId, accountId, reportedId, conversationId, reason, state, createdAt, decidedAt } = row;
  const opened = openReport(keyring, row);
  return {
    reportId,
    reporterId: accountId,
    ...(reportedId !== null && { reportedId }),
    conversationId,
    reason,
    ...(opened ?? { messages: [], isUnreadable: true as const }),
    state,
    createdAt,
    ...(decidedAt !== null && { decidedAt }),
  };
}

export function sealReport(
  keyring: Keyring,
  reportId: string,
  body: ReportBody,
): Pick<ReportRow, 'body' | 'bodyKeyId'> {
  const { ciphertext, keyId } = keyring.seal(placeOf(reportId), Buffer.from(JSON.stringify(body)));
  return { body: ciphertext, bodyKeyId: keyId };
}

/** Undefined when the row cannot be read. */
export function openReport(
  keyring: Keyring,
  { reportId, body, bodyKeyId }: Pick<ReportRow, 'reportId' | 'body' | 'bodyKeyId'>,
): ReportBody | undefined {
  const opened = keyring.openIfReadable(placeOf(reportId), { keyId: bodyKeyId, ciphertext: body });
  return opened && JSON.parse(opened.toString());
}

function placeOf(reportId: string) {
  return { table: 'reports', rowId: reportId };
}
