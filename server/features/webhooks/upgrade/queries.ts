import type { DeliveryState, EventType } from '#contract/webhooks.ts';
import type { Statement } from '#platform/database/statement.ts';
import type { Db, Tx } from '#platform/database.ts';
import type { ShardScope } from '#platform/partitioning/shards.ts';
import { withinShard } from '#platform/partitioning/shards.ts';
import type { AttemptEntry } from '../attempts/attempt-log.ts';

/** An event as the previous version stores it, all in one row. */
export interface OldEvent {
  bucket: number;
  deliveryId: string;
  appId: string;
  type: EventType;
  msgId: string;
  body: Buffer;
  bodyKeyId: number;
  state: DeliveryState;
  attempts: number;
  nextAttemptAt: number | null;
  attemptLog: AttemptEntry[];
  createdAt: number;
  replayedAt: number | null;
  alertedAt: number | null;
  feedPosition: number | null;
}

export interface Slice extends ShardScope {
  /** Events that the previous version is sending are left to it until then. */
  now: number;
  limit: number;
}

export async function hasOld(db: Db, appId: string): Promise<boolean> {
  const rows = await db`select 1 from deliveries where app_id = ${appId} limit 1`;
  return rows.length > 0;
}

export function takeOpen(tx: Tx, slice: Slice): Promise<OldEvent[]> {
  return take(tx, tx`state in ('pending', 'retrying')`, slice);
}

export function takeAny(tx: Tx, slice: Slice): Promise<OldEvent[]> {
  return take(tx, tx`state is not null`, slice);
}

export function takeOf(tx: Tx, appId: string, slice: Slice): Promise<OldEvent[]> {
  return take(tx, tx`app_id = ${appId}`, slice);
}

async function take(tx: Tx, chosen: Statement, { now, limit, shards, part }: Slice): Promise<OldEvent[]> {
  const within = (table: string) => withinShard(tx, shards, part, table);
  return tx<OldEvent[]>`
    with chosen as materialized (
      select bucket, delivery_id from deliveries
      where ${chosen} and (lease_owner is null or next_attempt_at <= ${now}) ${within('deliveries')}
      limit ${tx.constant(limit)}
      for update skip locked
    )
    delete from deliveries as old
    using chosen
    where old.bucket = chosen.bucket and old.delivery_id = chosen.delivery_id ${within('old')}
    returning old.bucket, old.delivery_id, old.app_id, old.type, old.msg_id, old.body, old.body_key_id, old.state,
      old.attempts, old.next_attempt_at, old.attempt_log, old.created_at, old.replayed_at, old.alerted_at,
      old.feed_position`;
}

export async function insertMoved(tx: Tx, events: OldEvent[]): Promise<void> {
  await tx`
    insert into events ${tx(events, 'bucket', 'deliveryId', 'appId', 'type', 'msgId', 'body', 'bodyKeyId', 'createdAt', 'feedPosition')}`;
}

export interface MovedInQueue extends OldEvent {
  appBucket: number;
  logged: number;
}

export async function insertMovedInQueue(tx: Tx, events: MovedInQueue[]): Promise<void> {
  await tx`
    insert into event_queue ${tx(events, 'bucket', 'deliveryId', 'appId', 'appBucket', 'type', 'state', 'attempts', 'logged', 'nextAttemptAt', 'replayedAt', 'alertedAt', 'createdAt')}`;
}
