import type { ReportReason, ReportState } from '#contract/reports.ts';
import type { Db, Tx } from '#platform/database.ts';

export interface ReportRow {
  accountId: string;
  reportId: string;
  reportedId: string | null;
  conversationId: string;
  reason: ReportReason;
  body: Buffer;
  bodyKeyId: number;
  state: ReportState;
  createdAt: number;
  decidedAt: number | null;
}

/** One that is there already (a repeated Idempotency-Key) is left as it is. */
export async function insertReport(tx: Tx, row: Omit<ReportRow, 'state' | 'decidedAt'>): Promise<void> {
  await tx`
    insert into reports
      (account_id, report_id, reported_id, conversation_id, reason, body, body_key_id, state, created_at)
    values (${row.accountId}, ${row.reportId}, ${row.reportedId}, ${row.conversationId}, ${row.reason}, ${row.body},
      ${row.bodyKeyId}, 'open', ${row.createdAt})
    on conflict do nothing`;
}

/** A page of the reports in a state, the oldest first: a read over all shards, for the operator. */
export async function selectReports(
  db: Db,
  { state, after, limit }: { state: ReportState; after: string; limit: number },
): Promise<ReportRow[]> {
  return db<ReportRow[]>`
    select account_id, report_id, reported_id, conversation_id, reason, body, body_key_id, state, created_at, decided_at
    from reports where state = ${state} and report_id > ${after} order by report_id limit ${limit}`;
}

/** What a person has reported. */
export async function selectReportsOf(db: Db, accountId: string): Promise<ReportRow[]> {
  return db<ReportRow[]>`
    select account_id, report_id, reported_id, conversation_id, reason, body, body_key_id, state, created_at, decided_at
    from reports where account_id = ${accountId} order by report_id`;
}

/** Undefined when it is not open. */
export async function updateDecided(
  tx: Tx,
  { accountId, reportId, state, at }: { accountId: string; reportId: string; state: ReportState; at: number },
): Promise<ReportRow | undefined> {
  const [row] = await tx<ReportRow[]>`
    update reports set state = ${state}, decided_at = ${at}
    where account_id = ${accountId} and report_id = ${reportId} and state = 'open'
    returning account_id, report_id, reported_id, conversation_id, reason, body, body_key_id, state, created_at,
      decided_at`;
  return row;
}

export async function deleteDecidedOf(tx: Tx, accountId: string): Promise<void> {
  await tx`delete from reports where account_id = ${accountId} and state <> 'open'`;
}
