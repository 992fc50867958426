import type { Db, Tx } from '#platform/database.ts';
import { bucketOf } from '#platform/ids.ts';
import type { ShardScope } from '#platform/partitioning/shards.ts';
import { withinShard } from '#platform/partitioning/shards.ts';
import type { QueuedEvent } from '../queries.ts';

/** The applications whose breakers are open; a read over all shards, for the workers. */
export async function findOpenBreakers(db: Db): Promise<string[]> {
  const rows = await db<{ appId: string }[]>`select app_id from open_breakers`;
  return rows.map(({ appId }) => appId);
}

/** The breakers that have been open for longest; a read over all shards. */
export async function selectLongestOpen(
  db: Db,
  limit: number,
): Promise<{ appId: string; openedAt: number }[]> {
  return db<{ appId: string; openedAt: number }[]>`
    select app_id, opened_at from open_breakers order by opened_at, app_id limit ${limit}`;
}

/** The open breakers of these applications, and since when. A read over many shards. */
export async function selectOpenBreakers(
  db: Db,
  appIds: string[],
): Promise<{ appId: string; openedAt: number }[]> {
  return db<{ appId: string; openedAt: number }[]>`
    select app_id, opened_at from open_breakers where app_id = any(${appIds})`;
}

/** Which of these applications have an open breaker. A read over many shards. */
export async function findOpenBreakersOf(db: Db, appIds: string[]): Promise<string[]> {
  const rows = await db<{ appId: string }[]>`
    select app_id from open_breakers where app_id = any(${appIds})`;
  return rows.map(({ appId }) => appId);
}

/** Does not change an open one. `owner` and `owned_until` are for the previous version. */
export async function insertBreaker(
  tx: Tx,
  { appId, openedAt }: { appId: string; openedAt: number },
): Promise<void> {
  await tx`
    insert into open_breakers (app_id, opened_at, owner, owned_until)
    values (${appId}, ${openedAt}, '', ${openedAt})
    on conflict (app_id) do nothing`;
}

export async function deleteBreaker(tx: Tx, appId: string): Promise<void> {
  await tx`delete from open_breakers where app_id = ${appId}`;
}

/** Locks it until the transaction ends; returns whether it is open. */
export async function lockBreaker(tx: Tx, appId: string): Promise<boolean> {
  const rows = await tx`select from open_breakers where app_id = ${appId} for update`;
  return rows.length === 1;
}

export interface Overdue extends ShardScope {
  appId: string;
  /** Counts events that were due then or earlier. */
  dueBy: number;
  at: number;
  /**
   * The waits after the first failed attempt, the second, and so on; after the last one an event is abandoned.
   */
  waitsMs: readonly number[];
  /** Events whose attempt is in progress. */
  underWay: readonly string[];
  limit: number;
}

/** Counts due attempts of an application as failed, the oldest first. Returns their new state. */
export async function failOverdue(tx: Tx, overdue: Overdue): Promise<FailedEvent[]> {
  const { appId, dueBy, at, waitsMs, underWay, limit, shards, part } = overdue;
  const within = (table: string) => withinShard(tx, shards, part, table);
  return tx<FailedEvent[]>`
    with overdue as materialized (
      select bucket, delivery_id from event_queue
      where app_bucket = ${bucketOf(appId)} and app_id = ${appId} and state in ('pending', 'retrying')
        and next_attempt_at <= ${dueBy} and delivery_id <> all(${underWay as string[]}) ${within('event_queue')}
      order by next_attempt_at, delivery_id
      limit ${tx.constant(limit)}
      for update skip locked
    )
    update event_queue as failed
    set attempts = failed.attempts + 1, logged = failed.logged + 1,
      state = case when failed.attempts < ${waitsMs.length}::integer then 'retrying' else 'abandoned' end,
      next_attempt_at = ${at}::bigint + (${[...waitsMs]}::bigint[])[failed.attempts + 1]
    from overdue
    where failed.bucket = overdue.bucket and failed.delivery_id = overdue.delivery_id ${within('failed')}
    returning failed.bucket, failed.delivery_id, failed.attempts, failed.logged, failed.replayed_at`;
}

/** With the number of the attempt that has just failed. */
export type FailedEvent = Pick<QueuedEvent, 'bucket' | 'deliveryId' | 'attempts' | 'logged' | 'replayedAt'>;
