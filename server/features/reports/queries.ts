import type {
  Report,
  ReportDecision,
  ReportReason,
  ReportState,
  ReportTarget,
} from '#contract/chat/reports.ts';
import type { SealedBody } from '#platform/crypto/sealed-body.ts';
import type { Db, Tx } from '#platform/database.ts';

export interface ReportRow extends SealedBody {
  accountId: string;
  reportId: string;
  reportedId: string | null;
  target: ReportTarget;
  conversationId: string;
  reason: ReportReason;
  state: ReportState;
  decision: ReportDecision | null;
  createdAt: number;
  decidedAt: number | null;
}

/** Does nothing if it already exists (a repeated Idempotency-Key). */
export async function insertReport(
  tx: Tx,
  row: Omit<ReportRow, 'state' | 'decision' | 'decidedAt'>,
): Promise<void> {
  await tx`
    insert into reports
      (account_id, report_id, reported_id, target, conversation_id, reason, body, body_key_id, state, created_at)
    values (${row.accountId}, ${row.reportId}, ${row.reportedId}, ${row.target}, ${row.conversationId}, ${row.reason},
      ${row.body}, ${row.bodyKeyId}, 'open', ${row.createdAt})
    on conflict do nothing`;
}

interface ReportSearch {
  isDecided: boolean;
  target: ReportTarget | null;
  /** The last one of the previous page. */
  after: string | null;
  limit: number;
}

function columns(db: Db) {
  return db`account_id, report_id, reported_id, target, conversation_id, reason, body, body_key_id, state,
    decision, created_at, decided_at`;
}

/** A page of the open reports, the oldest first, or of decided ones, the newest first: a read over all shards, for the operator. */
export async function selectReports(
  db: Db,
  { isDecided, target, after, limit }: ReportSearch,
): Promise<ReportRow[]> {
  const [beyond, order] = isDecided ? [db`<`, db`desc`] : [db`>`, db`asc`];
  return db<ReportRow[]>`
    select ${columns(db)} from reports
    where (state <> 'open') = ${isDecided} and (${target}::text is null or target = ${target})
      and (${after}::text is null or report_id ${beyond} ${after})
    order by report_id ${order} limit ${limit}`;
}

/** A read over all shards: the operator knows the report's id, but not its reporter. */
export async function selectReport(db: Db, reportId: string): Promise<ReportRow | undefined> {
  const [row] = await db<ReportRow[]>`
    select ${columns(db)} from reports where report_id = ${reportId}`;
  return row;
}

/** The newest other reports about the same account or, without one, the same conversation. A read over all shards. */
export async function selectReportsAbout(
  db: Db,
  { subject, reportId, limit }: { subject: string; reportId: string; limit: number },
): Promise<Pick<ReportRow, 'reportId' | 'reason' | 'decision' | 'createdAt'>[]> {
  return db<ReportRow[]>`
    select report_id, reason, decision, created_at
    from reports where coalesce(reported_id, conversation_id) = ${subject} and report_id <> ${reportId}
    order by report_id desc limit ${limit}`;
}

/** The number of open reports, and the time of the oldest. A read over all shards. */
export async function selectWaiting(db: Db): Promise<{ open: number; oldestAt: number | null }> {
  const [row] = await db<{ open: number; oldestAt: number | null }[]>`
    select count(*)::integer as open, min(created_at) as oldest_at from reports where state = 'open'`;
  return row ?? { open: 0, oldestAt: null };
}

export async function selectReportsOf(db: Db, accountId: string): Promise<ReportRow[]> {
  return db<ReportRow[]>`
    select ${columns(db)} from reports where account_id = ${accountId} order by report_id`;
}

/** False if it is not open. */
export async function updateDecided(
  tx: Tx,
  { reporterId, reportId }: Pick<Report, 'reporterId' | 'reportId'>,
  { state, decision, at }: { state: ReportState; decision: ReportDecision; at: number },
): Promise<boolean> {
  const rows = await tx`
    update reports set state = ${state}, decision = ${decision}, decided_at = ${at}
    where account_id = ${reporterId} and report_id = ${reportId} and state = 'open'
    returning report_id`;
  return rows.length === 1;
}

export async function deleteDecidedOf(tx: Tx, accountId: string): Promise<void> {
  await tx`delete from reports where account_id = ${accountId} and state <> 'open'`;
}
