import type { Db } from '#platform/database.ts';
import { bucketOf } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { selectOpenBreakers } from '../breakers/queries.ts';

/** Looking stops here: reading must stay cheap however long the queue is. */
const LOOKED_AT = 100_000;

/** What waits for one application, of as many events as are looked at, and since when its circuit breaker is open. */
export async function findBacklogOf(
  { db }: Pick<Platform, 'db'>,
  appId: string,
): Promise<{ waiting: number; oldestDueAt?: number; breakerOpenedAt?: number }> {
  const [[row], [breaker]] = await Promise.all([selectBacklog(db, appId), selectOpenBreakers(db, [appId])]);
  return {
    waiting: row?.waiting ?? 0,
    ...(row?.oldestDueAt != null && { oldestDueAt: row.oldestDueAt }),
    ...(breaker && { breakerOpenedAt: breaker.openedAt }),
  };
}

/** A read over all shards: events lie beside their messages. */
async function selectBacklog(
  db: Db,
  appId: string,
): Promise<{ waiting: number; oldestDueAt: number | null }[]> {
  return db<{ waiting: number; oldestDueAt: number | null }[]>`
    select count(*)::integer as waiting, min(next_attempt_at) as oldest_due_at
    from (
      select next_attempt_at from event_queue
      where app_bucket = ${bucketOf(appId)} and app_id = ${appId} and state in ('pending', 'retrying')
      limit ${LOOKED_AT}
    ) as open`;
}
