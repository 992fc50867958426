import { withoutAbsent } from '#platform/absent.ts';
import type { Db } from '#platform/database.ts';
import type { ShardScope } from '#platform/partitioning/shards.ts';
import { withinShard } from '#platform/partitioning/shards.ts';
import { selectOpenBreakers } from '../../breakers.ts';
import type { WebhookDeps } from '../../deps.ts';
import { readQueue } from './queue-metrics.ts';

/** The limit of the count: reading must stay cheap however long the queue is. */
const LOOKED_AT = 100_000;

/** An application with waiting events. */
export interface SlowEndpoint {
  appId: string;
  /** Events that are not delivered yet. */
  events: number;
  /** Since when the oldest of them has been due. */
  oldestDueAt: number;
  /** Since when its circuit breaker is open: one event at a time is sent. */
  breakerOpenedAt?: number;
}

/** The applications whose events have been due for longest. */
export async function findSlowestEndpoints(deps: WebhookDeps, limit: number): Promise<SlowEndpoint[]> {
  const { db, clock } = deps;
  const found = await readQueue(deps, (scope) => selectSlowest(db, { now: clock.now(), limit, ...scope }));
  const slowest = Array.from(Map.groupBy(found, ({ appId }) => appId).values(), sum)
    .sort((one, other) => other.events - one.events || (one.appId < other.appId ? -1 : 1))
    .slice(0, limit);
  const breakers = await selectOpenBreakers(
    db,
    slowest.map(({ appId }) => appId),
  );
  const openedAt = new Map(breakers.map((breaker) => [breaker.appId, breaker.openedAt]));
  return slowest.map((endpoint) =>
    withoutAbsent({ ...endpoint, breakerOpenedAt: openedAt.get(endpoint.appId) }),
  );
}

type Waiting = Omit<SlowEndpoint, 'breakerOpenedAt'>;

/** An application's events are in many shards. */
function sum(ofShards: Waiting[]): Waiting {
  return ofShards.reduce(({ appId, events, oldestDueAt }, other) => ({
    appId,
    events: events + other.events,
    oldestDueAt: Math.min(oldestDueAt, other.oldestDueAt),
  }));
}

/** A failed event has waited since it was first due, so a future retry counts, too. */
async function selectSlowest(
  db: Db,
  { now, limit, shards, part }: ShardScope & { now: number; limit: number },
): Promise<Waiting[]> {
  return db<Waiting[]>`
    select app_id, count(*)::integer as events, min(next_attempt_at) as oldest_due_at
    from (
      select app_id, next_attempt_at, state from event_queue
      where state in ('pending', 'retrying') and next_attempt_at is not null
        ${withinShard(db, shards, part, 'event_queue')} limit ${LOOKED_AT}
    ) as open
    where state = 'retrying' or next_attempt_at <= ${now}
    group by app_id order by events desc, app_id limit ${limit}`;
}
