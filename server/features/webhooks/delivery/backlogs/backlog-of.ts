import type { Db } from '#platform/database.ts';
import { bucketOf } from '#platform/ids.ts';
import { type ShardScope, withinShard } from '#platform/partitioning/shards.ts';
import { selectOpenBreakers } from '../../breakers/queries.ts';
import type { WebhookDeps } from '../../deps.ts';
import { readQueue } from './queue-metrics.ts';

/** The limit of the count: reading must stay cheap however long the queue is. */
const LOOKED_AT = 100_000;

/** The queue of one application, up to a limit of events, and since when its circuit breaker is open. */
export async function findBacklogOf(
  deps: WebhookDeps,
  appId: string,
): Promise<{ waiting: number; oldestDueAt?: number; breakerOpenedAt?: number }> {
  const { db } = deps;
  const [found, [breaker]] = await Promise.all([
    readQueue(deps, (slice) => selectBacklog(db, appId, slice)),
    selectOpenBreakers(db, [appId]),
  ]);
  const dueAt = found.flatMap(({ oldestDueAt }) => oldestDueAt ?? []);
  const waiting = found.reduce((all, one) => all + one.waiting, 0);
  return {
    waiting: Math.min(LOOKED_AT, waiting),
    ...(dueAt.length > 0 && { oldestDueAt: Math.min(...dueAt) }),
    ...(breaker && { breakerOpenedAt: breaker.openedAt }),
  };
}

interface Waiting {
  waiting: number;
  oldestDueAt: number | null;
}

/** Events are in the shards of their messages, so there are many. */
async function selectBacklog(db: Db, appId: string, { shards, part }: ShardScope): Promise<Waiting[]> {
  return db<Waiting[]>`
    select count(*)::integer as waiting, min(next_attempt_at) as oldest_due_at
    from (
      select next_attempt_at from event_queue
      where app_bucket = ${bucketOf(appId)} and app_id = ${appId} and state in ('pending', 'retrying')
        ${withinShard(db, shards, part, 'event_queue')}
      limit ${LOOKED_AT}
    ) as open`;
}
