import type { Db } from '#platform/database.ts';
import type { ShardScope } from '#platform/partitioning/shards.ts';
import { readEachShard, withinShard } from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';
import { findOpenBreakers } from '../../breakers.ts';
import { findSoonest } from '../../queries.ts';
import { findBusy } from '../leases.ts';

/** The limit of the count: a higher number would not be more useful, and reading must stay cheap. */
const COUNTED = 100_000;

/**
 * The length of the queue, the delay of the workers, and the number of endpoints that do not answer.
 *
 * @param busy the applications to which the worker of this process is sending
 */
export function watchQueue(deps: Platform, busy: () => string[] = () => []): void {
  const { metrics, db, clock, redis } = deps;
  metrics.gauge(
    'parley_webhook_queue_events',
    'Events to be sent, at most 100000 of each kind.',
    async () => {
      const { due, waiting, parked } = await countOpen(deps);
      return Object.entries({ due, waiting, parked }).map(([state, value]) => ({ labels: { state }, value }));
    },
  );
  metrics.gauge(
    'parley_webhook_queue_age_seconds',
    'For how long the oldest event has been due that a worker could have sent.',
    async () => {
      const now = clock.now();
      const others = redis ? await findBusy(redis).catch(() => []) : [];
      // Events to slow or failing endpoints are late through no fault of the workers.
      const excused = [...(await findOpenBreakers(db)), ...busy(), ...others];
      const oldest = await readQueue(deps, (scope) => findSoonest(db, scope, excused));
      return (now - Math.min(now, ...oldest)) / 1000;
    },
  );
  metrics.gauge(
    'parley_webhook_breakers_open',
    'Webhook endpoints that do not answer: one event at a time is sent to each.',
    async () => (await findOpenBreakers(db)).length,
  );
}

/** On Citus one read per shard, without unreachable ones. */
export function readQueue<R>(
  { shards, log }: Platform,
  read: (scope: ShardScope) => Promise<R[]>,
): Promise<R[]> {
  return readEachShard(
    shards,
    (part) => read({ shards, part }),
    (err) => log.warn({ err }, 'the queue of a shard cannot be read'),
  );
}

/** Events to be sent, at most 100,000 of each kind. */
export async function countOpen(deps: Platform): Promise<OpenCounts> {
  const counts = await readQueue(deps, (scope) => countOpenAt(deps.db, deps.clock.now(), scope));
  const sum = (kind: keyof OpenCounts) =>
    Math.min(
      COUNTED,
      counts.reduce((all, one) => all + one[kind], 0),
    );
  return { due: sum('due'), waiting: sum('waiting'), parked: sum('parked') };
}

interface OpenCounts {
  due: number;
  waiting: number;
  parked: number;
}

async function countOpenAt(db: Db, now: number, { shards, part }: ShardScope): Promise<OpenCounts[]> {
  return db<OpenCounts[]>`
    select count(*) filter (where next_attempt_at <= ${now})::integer as due,
      count(*) filter (where next_attempt_at > ${now})::integer as waiting,
      count(*) filter (where next_attempt_at is null)::integer as parked
    from (
      select next_attempt_at from event_queue
      where state in ('pending', 'retrying') ${withinShard(db, shards, part, 'event_queue')} limit ${COUNTED}
    ) as open`;
}
