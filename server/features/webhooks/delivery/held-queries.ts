import type { Db, Tx } from '#platform/database.ts';
import { type ShardScope, type Shards, withinShard } from '#platform/partitioning/shards.ts';
import type { NewEvent } from '../queries.ts';
import { insertQueued, type NewQueued } from '../record-events.ts';

/**
 * Moves events from memory into the queue, on Citus of one shard, unless another worker has attempted them.
 *
 * @returns the ids of those that exist, and of those that were added
 */
export async function queueHeld(
  tx: Tx,
  events: NewQueued[],
  shards: Pick<Shards, 'isDistributed'>,
): Promise<{ existing: string[]; added: string[] }> {
  const buckets = [...new Set(events.map(({ bucket }) => bucket))];
  const rows = await tx<{ deliveryId: string; isAttempted: boolean }[]>`
    select event.delivery_id, exists (
      select from event_attempts made
      where made.bucket = event.bucket and made.delivery_id = event.delivery_id
        and made.bucket = any(${buckets}) ${withinShard(tx, shards, events, 'made')}
    ) as is_attempted
    from events event
    where event.bucket = any(${buckets}) and event.delivery_id = any(${events.map(({ deliveryId }) => deliveryId)})
      ${withinShard(tx, shards, events, 'event')}
    order by event.delivery_id for key share of event`;
  const added = new Set(rows.flatMap(({ deliveryId, isAttempted }) => (isAttempted ? [] : [deliveryId])));
  await insertQueued(
    tx,
    events.filter(({ deliveryId }) => added.has(deliveryId)),
  );
  return { existing: rows.map(({ deliveryId }) => deliveryId), added: [...added] };
}

/** A worker that has, or had, events in memory. */
export interface WorkerRow {
  workerId: number;
  seenAt: number;
  heldSince: number;
  /** How often it has renewed its leases in Redis. */
  renewals: number;
}

export async function upsertWorker(
  tx: Tx,
  { workerId, seenAt, heldSince, renewals }: WorkerRow,
): Promise<void> {
  await tx`
    insert into delivery_workers (worker_id, seen_at, held_since, renewals)
    values (${workerId}, ${seenAt}, ${heldSince}, ${renewals})
    on conflict (worker_id) do update
    set seen_at = excluded.seen_at, held_since = excluded.held_since, renewals = excluded.renewals`;
}

export async function findWorkers(db: Db): Promise<WorkerRow[]> {
  return db<WorkerRow[]>`select worker_id, seen_at, held_since, renewals from delivery_workers`;
}

/** Unless it has been seen since: it may have new events in memory, which nobody would find. */
export async function deleteWorker(
  tx: Tx,
  { workerId, seenAt }: Pick<WorkerRow, 'workerId' | 'seenAt'>,
): Promise<void> {
  await tx`delete from delivery_workers where worker_id = ${workerId} and seen_at = ${seenAt}`;
}

/** The events of a worker that were neither attempted nor queued, within a range of ids, the oldest first. */
export async function findUnfinished(
  db: Db,
  { workerId, from, to, shards, part }: ShardScope & { workerId: number; from: string; to: string },
): Promise<NewEvent[]> {
  const within = (table: string) => withinShard(db, shards, part, table);
  return db<NewEvent[]>`
    select event.bucket, event.delivery_id, event.app_id, event.type, event.msg_id, event.body, event.body_key_id,
      event.created_at, event.worker_id
    from events event
    where event.worker_id = ${workerId} and event.delivery_id > ${from} and event.delivery_id < ${to} ${within('event')}
      and not exists (
        select from event_attempts made
        where made.bucket = event.bucket and made.delivery_id = event.delivery_id
          and made.delivery_id > ${from} and made.delivery_id < ${to} ${within('made')}
      )
      and not exists (
        select from event_queue queued
        where queued.bucket = event.bucket and queued.delivery_id = event.delivery_id ${within('queued')}
      )
    order by event.delivery_id`;
}
