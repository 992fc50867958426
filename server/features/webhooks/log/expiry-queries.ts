import type { Tx } from '#platform/database.ts';

/** A deletion over all shards, for the worker that sweeps. Skips rows that somebody is changing. */
export async function deleteEndedBefore(
  tx: Tx,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  const deleted = await tx`
    with ended as materialized (
      select bucket, delivery_id from deliveries
      where created_at <= ${before} and state not in ('pending', 'retrying')
      order by created_at
      limit ${tx.constant(limit)}
      for update skip locked
    )
    delete from deliveries as expired
    using ended
    where expired.bucket = ended.bucket and expired.delivery_id = ended.delivery_id`;
  return deleted.count;
}
