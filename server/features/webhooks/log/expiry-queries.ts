import type { Tx } from '#platform/database.ts';
import { type ShardPart, type Shards, withinShard } from '#platform/partitioning/shards.ts';

/**
 * Abandoned, cancelled or fetched again. A deletion over all shards, for the sweeping worker. Skips locked
 * rows.
 */
export async function deleteEndedBefore(
  tx: Tx,
  {
    before,
    limit,
    shards,
    part,
  }: { before: number; limit: number; shards: Pick<Shards, 'isDistributed'>; part: ShardPart },
): Promise<number> {
  const within = (table: string) => withinShard(tx, shards, part, table);
  const deleted = await tx`
    with ended as materialized (
      select bucket, delivery_id from event_queue
      where created_at <= ${before} and state in ('unsent', 'abandoned', 'cancelled')
        ${within('event_queue')}
      order by created_at
      limit ${tx.constant(limit)}
      for update skip locked
    )
    delete from event_queue as expired
    using ended
    where expired.bucket = ended.bucket and expired.delivery_id = ended.delivery_id ${within('expired')}`;
  return deleted.count;
}

/** Deletes events outside of daily partitions that no longer have to be sent. A deletion over all shards. */
export async function deleteEventsBefore(
  tx: Tx,
  {
    beforeId,
    limit,
    shards,
    part,
  }: { beforeId: string; limit: number; shards: Pick<Shards, 'isDistributed'>; part: ShardPart },
): Promise<number> {
  const within = (table: string) => withinShard(tx, shards, part, table);
  const deleted = await tx`
    with ended as materialized (
      select bucket, delivery_id from events_other event
      where delivery_id <= ${beforeId} and not exists (
        select from event_queue open
        where open.bucket = event.bucket and open.delivery_id = event.delivery_id and open.state in ('pending', 'retrying') ${within('open')}
      ) ${within('event')}
      order by delivery_id
      limit ${tx.constant(limit)}
      for update skip locked
    )
    delete from events_other as expired
    using ended
    where expired.bucket = ended.bucket and expired.delivery_id = ended.delivery_id ${within('expired')}`;
  return deleted.count;
}

/** Deletes the attempts of such events. */
export async function deleteAttemptsBefore(
  tx: Tx,
  {
    beforeId,
    limit,
    shards,
    part,
  }: { beforeId: string; limit: number; shards: Pick<Shards, 'isDistributed'>; part: ShardPart },
): Promise<number> {
  const within = (table: string) => withinShard(tx, shards, part, table);
  const deleted = await tx`
    with ended as materialized (
      select bucket, delivery_id, seq from event_attempts_other made
      where delivery_id <= ${beforeId} and not exists (
        select from events event where event.bucket = made.bucket and event.delivery_id = made.delivery_id ${within('event')}
      ) ${within('made')}
      order by delivery_id
      limit ${tx.constant(limit)}
      for update skip locked
    )
    delete from event_attempts_other as expired
    using ended
    where expired.bucket = ended.bucket and expired.delivery_id = ended.delivery_id and expired.seq = ended.seq ${within('expired')}`;
  return deleted.count;
}
