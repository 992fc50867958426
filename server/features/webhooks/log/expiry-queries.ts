import type { Tx } from '#platform/database.ts';

/** Given up, cancelled or fetched again. A deletion over all shards, for the worker that sweeps. Skips rows that somebody is changing. */
export async function deleteEndedBefore(
  tx: Tx,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  const deleted = await tx`
    with ended as materialized (
      select bucket, delivery_id from event_queue
      where created_at <= ${before} and state in ('unsent', 'abandoned', 'cancelled')
      order by created_at
      limit ${tx.constant(limit)}
      for update skip locked
    )
    delete from event_queue as expired
    using ended
    where expired.bucket = ended.bucket and expired.delivery_id = ended.delivery_id`;
  return deleted.count;
}

/** Those that no partition of a day took, and that are not to be sent any more. A deletion over all shards. */
export async function deleteEventsBefore(
  tx: Tx,
  { beforeId, limit }: { beforeId: string; limit: number },
): Promise<number> {
  const deleted = await tx`
    with ended as materialized (
      select bucket, delivery_id from events_other event
      where delivery_id <= ${beforeId} and not exists (
        select from event_queue open
        where open.bucket = event.bucket and open.delivery_id = event.delivery_id and open.state in ('pending', 'retrying')
      )
      order by delivery_id
      limit ${tx.constant(limit)}
      for update skip locked
    )
    delete from events_other as expired
    using ended
    where expired.bucket = ended.bucket and expired.delivery_id = ended.delivery_id`;
  return deleted.count;
}

/** The attempts of those. */
export async function deleteAttemptsBefore(
  tx: Tx,
  { beforeId, limit }: { beforeId: string; limit: number },
): Promise<number> {
  const deleted = await tx`
    with ended as materialized (
      select bucket, delivery_id, seq from event_attempts_other made
      where delivery_id <= ${beforeId} and not exists (
        select from events event where event.bucket = made.bucket and event.delivery_id = made.delivery_id
      )
      order by delivery_id
      limit ${tx.constant(limit)}
      for update skip locked
    )
    delete from event_attempts_other as expired
    using ended
    where expired.bucket = ended.bucket and expired.delivery_id = ended.delivery_id and expired.seq = ended.seq`;
  return deleted.count;
}
