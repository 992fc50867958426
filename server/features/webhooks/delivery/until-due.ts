import type { Db } from '#platform/database.ts';
import { readEachShard, restMs, type ShardScope, withinShard } from '#platform/partitioning/shards.ts';
import { withQueue } from '../queries.ts';
import type { Sender } from './sender.ts';

/**
 * How long nothing will be due, for a worker that found nothing; undefined for the usual time. What is recorded meanwhile
 * raises `dueDeliveries`.
 */
export async function untilDue({
  db,
  clock,
  shards,
  log,
  underWay,
}: Pick<Sender, 'db' | 'clock' | 'shards' | 'log' | 'underWay'>): Promise<number | undefined> {
  const rest = restMs(shards);
  if (rest === undefined || underWay.size > 0) return undefined;
  let isWhole = true;
  const found = await readEachShard(
    shards,
    (part) => selectSoonest(db, { shards, part }),
    (err) => {
      isWhole = false;
      log.warn({ err }, 'the queue of a shard cannot be read');
    },
  );
  const soonest = Math.min(...found.flatMap(({ soonest }) => soonest ?? []));
  const leftMs = soonest - clock.now();
  return isWhole && leftMs > 0 ? Math.min(rest, leftMs) : undefined;
}

async function selectSoonest(db: Db, scope: ShardScope): Promise<{ soonest: number | null }[]> {
  return db<{ soonest: number | null }[]>`
    ${withQueue(db, scope)}
    select min(due.next_attempt_at) as soonest
    from queue cross join lateral (
      select next_attempt_at from event_queue
      where app_bucket = queue.app_bucket and app_id = queue.app_id and state in ('pending', 'retrying')
        and next_attempt_at is not null ${withinShard(db, scope.shards, scope.part, 'event_queue')}
      order by next_attempt_at limit 1
    ) due`;
}
