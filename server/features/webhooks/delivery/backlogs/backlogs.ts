import { withoutAbsent } from '#platform/absent.ts';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/database.ts';
import { bucketOf } from '#platform/ids.ts';
import { type ShardScope, withinShard } from '#platform/partitioning/shards.ts';
import { selectOpenBreakers } from '../../breakers.ts';
import type { WebhookDeps } from '../../deps.ts';
import type { Due, DueEvent, Offer } from '../../queries.ts';
import type { EndpointQueues } from '../endpoint-queues.ts';
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
  return withoutAbsent({
    waiting: Math.min(LOOKED_AT, waiting),
    oldestDueAt: dueAt.length > 0 ? Math.min(...dueAt) : undefined,
    breakerOpenedAt: breaker?.openedAt,
  });
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

/**
 * An event may become visible after a younger one: a backlog is read from its beginning again after this time.
 */
const READ_AGAIN_MS = 1_000;

/** As many events for each application as it has slots, and `usual` for unknown ones. */
export interface Offers {
  usual: number;
  offers: ReadonlyMap<string, Offer>;
  /** How many of the events read may already be in progress. */
  known: number;
}

/**
 * The read position in the backlog of each application. Events in progress are still in the queue, at its
 * head: with more events waiting than slots, reading continues from there instead of from the beginning.
 */
export class Backlogs {
  readonly #clock: Clock;
  readonly #queues: EndpointQueues;
  readonly #read = new Map<string, { upTo: Due; since: number }>();

  constructor(clock: Clock, queues: EndpointQueues) {
    this.#clock = clock;
    this.#queues = queues;
  }

  offers(): Offers {
    const usual = this.#queues.freeOfUnknown;
    const offers = new Map<string, Offer>();
    let known = 0;
    for (const appId of this.#queues.known()) {
      const free = this.#queues.freeOf(appId);
      const running = this.#queues.runningOf(appId);
      const after = running > 0 ? this.#positionOf(appId) : undefined;
      const limit = free > 0 && !after ? free + running : free;
      known += limit - free;
      if (limit !== usual || after) offers.set(appId, { limit, after });
    }
    return { usual, offers, known };
  }

  /**
   * Records the result of a read: an application that filled its offer may have more events.
   *
   * @param found all events
   * @param begun those whose attempts have begun since
   * @param isWhole whether it reached every application
   */
  note(
    found: readonly DueEvent[],
    begun: readonly DueEvent[],
    { usual, offers, isWhole }: Offers & { isWhole: boolean },
  ): void {
    const counts = countByApplication(found);
    const last = new Map(begun.map((event) => [event.appId, event]));
    for (const appId of isWhole ? [...this.#read.keys(), ...counts.keys()] : counts.keys()) {
      const { limit, after } = offers.get(appId) ?? { limit: usual };
      const latest = last.get(appId);
      if ((counts.get(appId) ?? 0) < limit) this.#read.delete(appId);
      else if (latest) {
        const { nextAttemptAt, deliveryId } = latest;
        const since = (after && this.#read.get(appId)?.since) ?? this.#clock.now();
        this.#read.set(appId, { upTo: { nextAttemptAt, deliveryId }, since });
      }
    }
  }

  #positionOf(appId: string): Due | undefined {
    const read = this.#read.get(appId);
    if (!read) return undefined;
    if (Math.abs(this.#clock.now() - read.since) < READ_AGAIN_MS) return read.upTo;
    this.#read.delete(appId);
    return undefined;
  }
}

export function countByApplication(events: readonly { appId: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { appId } of events) counts.set(appId, (counts.get(appId) ?? 0) + 1);
  return counts;
}
