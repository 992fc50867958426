import type { MuteState } from '#contract/webhooks/alerts.ts';
import type { Db, Tx } from '#platform/database.ts';
import { invalidArgument } from '#platform/errors.ts';
import { type ShardScope, withinShard } from '#platform/partitioning/shards.ts';
import type { NewEvent } from '../queries.ts';
import type { Digest } from './message.ts';

/** Later than every date. */
const FOR_EVER = 8_640_000_000_000_000;

/** The end of the mute, or `null` for forever; undefined unmutes. */
export type Until = number | null | undefined;
export function viewMute(mutedUntil: number | null, now: number): MuteState {
  if (mutedUntil === null || mutedUntil <= now) return { isMuted: false };
  return { isMuted: true, ...detailsOf(mutedUntil, 'mutedUntil') };
}

export function readUntil(until: Until, now: number): number | null {
  if (until === undefined) return null;
  if (until === null) return FOR_EVER;
  if (until <= now) throw invalidArgument('until', 'future');
  return until;
}

/** The end of the mute, if it has one. */
export function detailsOf<T extends string = 'until'>(mutedUntil: number | null, name = 'until' as T) {
  return mutedUntil === null || mutedUntil === FOR_EVER ? {} : ({ [name]: mutedUntil } as Record<T, number>);
}

/** All applications with abandoned events without an alert: of any that were left out, none might ever be looked at. */
export async function findUnalerted(db: Db, { shards, part }: ShardScope): Promise<string[]> {
  const rows = await db<{ appId: string }[]>`
    select distinct app_id from event_queue
    where state = 'abandoned' and (alerted_at is null or alerted_at < replayed_at)
      ${withinShard(db, shards, part, 'event_queue')}`;
  return rows.map(({ appId }) => appId);
}

/** The time of the application's latest alert. */
export async function findLatestAlert(db: Db, appId: string): Promise<number | undefined> {
  const [row] = await db<{ at: number | null }[]>`
    select max(created_at) as at from alerts where app_id = ${appId}`;
  return row?.at ?? undefined;
}

/** Locks the application, so that no other worker raises an alert for it; false if it does not exist. */
export async function lockLiving(tx: Tx, appId: string): Promise<boolean> {
  const rows = await tx`
    select from applications where app_id = ${appId} and state <> 'deleted' for no key update`;
  return rows.length > 0;
}

/** Marks abandoned events without an alert as alerted. */
export async function takeUnalerted(
  tx: Tx,
  appId: string,
  { at, limit, shards, part }: ShardScope & { at: number; limit: number },
): Promise<Pick<NewEvent, 'type' | 'createdAt'>[]> {
  const within = (table: string) => withinShard(tx, shards, part, table);
  return tx<Pick<NewEvent, 'type' | 'createdAt'>[]>`
    with abandoned as materialized (
      select bucket, delivery_id from event_queue
      where app_id = ${appId} and state = 'abandoned' and (alerted_at is null or alerted_at < replayed_at)
        ${within('event_queue')}
      limit ${tx.constant(limit)}
      for update skip locked
    )
    update event_queue as alerted set alerted_at = ${at}
    from abandoned
    where alerted.bucket = abandoned.bucket and alerted.delivery_id = abandoned.delivery_id ${within('alerted')}
    returning alerted.type, alerted.created_at`;
}

export interface AlertRow extends Omit<Digest, 'name'> {
  appId: string;
  alertId: string;
  createdAt: number;
}

/** A new alert, or with more events. */
export async function upsertAlert(tx: Tx, row: AlertRow): Promise<void> {
  await tx`
    insert into alerts (app_id, alert_id, created_at, event_count, event_counts, first_event_at, last_event_at)
    values (${row.appId}, ${row.alertId}, ${row.createdAt}, ${row.eventCount}, ${tx.json(row.eventCounts)},
      ${row.firstEventAt}, ${row.lastEventAt})
    on conflict (app_id, alert_id) do update
    set event_count = excluded.event_count, event_counts = excluded.event_counts,
      first_event_at = excluded.first_event_at, last_event_at = excluded.last_event_at`;
}

export async function updateNoticesDue(
  tx: Tx,
  { appId, alertId }: Pick<AlertRow, 'appId' | 'alertId'>,
  dueAt: number,
): Promise<void> {
  await tx`
    update alert_notices set next_attempt_at = ${dueAt}
    where app_id = ${appId} and alert_id = ${alertId} and state = 'pending' and attempts = 0 and lease_owner is null`;
}

/** One notice for each contact that the application has at this moment and that is not muted. */
export async function insertNotices(tx: Tx, alert: AlertRow, dueAt: number): Promise<number> {
  const rows = await tx`
    insert into alert_notices as notice (app_id, alert_id, contact_id, state, attempts, next_attempt_at)
    select app_id, ${alert.alertId}, contact_id, 'pending', 0, ${dueAt}::bigint
    from alert_contacts
    where app_id = ${alert.appId} and (muted_until is null or muted_until <= ${alert.createdAt})
      and not exists (
        select from applications
        where app_id = ${alert.appId} and alerts_muted_until > ${alert.createdAt}
      )
    returning notice.contact_id`;
  return rows.length;
}

/** The latest alerts of an application, newest first. */
export async function findAlerts(db: Db, appId: string, limit: number): Promise<AlertRow[]> {
  return db<AlertRow[]>`
    select app_id, alert_id, created_at, event_count, event_counts, first_event_at, last_event_at
    from alerts where app_id = ${appId} order by alert_id desc limit ${limit}`;
}

/** A deletion over all shards, for the worker that sweeps. */
export async function deleteAlertsBefore(tx: Tx, at: number): Promise<void> {
  await tx`delete from alerts where created_at <= ${at}`;
}
