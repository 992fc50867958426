import type { Said } from '#contract/reasons.ts';
import type { Values } from '#contract/texts.ts';
import type { NoticeState } from '#contract/webhooks/alerts.ts';
import type { Db, Tx } from '#platform/database.ts';
import type { ContactRow } from './contact-queries.ts';
import type { Digest } from './message.ts';

interface NoticeKey {
  appId: string;
  alertId: string;
  contactId: string;
}

export interface NoticeRow extends NoticeKey {
  state: NoticeState;
  fault: string | null;
  /** Missing in rows that are older than reasons. */
  faultReason: string | null;
  faultValues: Values | null;
}

export async function findNotices(db: Db, appId: string, alertIds: string[]): Promise<NoticeRow[]> {
  return db<NoticeRow[]>`
    select app_id, alert_id, contact_id, state, fault, fault_reason, fault_values from alert_notices
    where app_id = ${appId} and alert_id = any(${alertIds}) order by contact_id`;
}

export interface LeasedNotice extends NoticeKey {
  attempts: number;
}

/** Those that are due, including those whose worker died. A read over all shards, for the worker. */
export async function findDueNotices(db: Db, now: number, limit: number): Promise<NoticeKey[]> {
  return db<NoticeKey[]>`
    select app_id, alert_id, contact_id from alert_notices
    where state = 'pending' and next_attempt_at <= ${now}
    order by next_attempt_at
    limit ${limit}`;
}

/** Undefined if another worker was faster. */
export async function claimNotice(
  tx: Tx,
  { appId, alertId, contactId }: NoticeKey,
  { now, leaseOwner, leaseEndsAt }: { now: number; leaseOwner: string; leaseEndsAt: number },
): Promise<LeasedNotice[]> {
  return tx<LeasedNotice[]>`
    update alert_notices set lease_owner = ${leaseOwner}, next_attempt_at = ${leaseEndsAt}
    where app_id = ${appId} and alert_id = ${alertId} and contact_id = ${contactId}
      and state = 'pending' and next_attempt_at <= ${now}
    returning app_id, alert_id, contact_id, attempts`;
}

export interface NoticeSettlement extends LeasedNotice {
  leaseOwner: string;
  state: NoticeState;
  nextAttemptAt: number | null;
  fault: Said | null;
}

export async function settleNotice(tx: Tx, said: NoticeSettlement): Promise<void> {
  await tx`
    update alert_notices
    set state = ${said.state}, attempts = ${said.attempts}, next_attempt_at = ${said.nextAttemptAt},
      fault = ${said.fault?.message ?? null}, fault_reason = ${said.fault?.reason ?? null},
      fault_values = ${said.fault && tx.json(said.fault.values)}, lease_owner = null
    where app_id = ${said.appId} and alert_id = ${said.alertId} and contact_id = ${said.contactId}
      and lease_owner = ${said.leaseOwner} and state = 'pending'`;
}

/** The alert and the contact of a notice; undefined if either was deleted, and the notice with it. */
export async function findNoticeParts(
  db: Db,
  { appId, alertId, contactId }: NoticeKey,
): Promise<NoticeParts | undefined> {
  const [row] = await db<NoticeParts[]>`
    select application.name, contact.kind, contact.target, contact.target_key_id, contact.confirmed_at,
      alert.event_count, alert.event_counts, alert.first_event_at, alert.last_event_at
    from alerts alert
    join alert_contacts contact on contact.app_id = alert.app_id and contact.contact_id = ${contactId}
    join applications application on application.app_id = alert.app_id and application.state <> 'deleted'
    where alert.app_id = ${appId} and alert.alert_id = ${alertId}`;
  return row;
}

export type NoticeParts = Digest & Pick<ContactRow, 'kind' | 'target' | 'targetKeyId' | 'confirmedAt'>;
