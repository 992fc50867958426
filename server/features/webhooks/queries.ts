import type { DeliveryState } from '#contract/choices.ts';
import type { EventType } from '#contract/webhooks/event-types.ts';
import type { Sealed } from '#platform/crypto/keyring.ts';
import type { Statement } from '#platform/database/statement.ts';
import type { Db, Tx } from '#platform/database.ts';
import { bucketOf } from '#platform/ids.ts';
import { type ShardScope, type Shards, withinShard } from '#platform/partitioning/shards.ts';
import type { AttemptEntry } from './attempts/attempt-log.ts';

export interface NewEvent {
  bucket: number;
  deliveryId: string;
  appId: string;
  type: EventType;
  msgId: string;
  body: Buffer;
  bodyKeyId: number;
  createdAt: number;
  /** The worker that has it in memory; null if it is in the queue, or not sent. */
  workerId: number | null;
}

export type EventKey = Pick<NewEvent, 'bucket' | 'deliveryId'>;

/** An event in the queue: not delivered yet, or abandoned. */
export interface QueuedEvent extends Pick<NewEvent, 'bucket' | 'deliveryId' | 'appId'> {
  state: QueueState;
  attempts: number;
  /** In total, including those before the last replay. */
  logged: number;
  nextAttemptAt: number | null;
  replayedAt: number | null;
}

/** An event whose attempt is due. */
export interface DueEvent extends QueuedEvent, Omit<NewEvent, 'createdAt' | 'workerId'> {
  nextAttemptAt: number;
  /** It is in the memory of this worker and not in the queue, and has not been attempted. */
  isHeld?: boolean;
  /** The body is not sealed. */
  isOpen?: boolean;
}

export type QueueState = Exclude<DeliveryState, 'delivered'>;

/** A position in the order in which applications take turns. */
export interface Turn {
  appBucket: number;
  appId: string;
}

export interface Claim extends ShardScope {
  /** Applications are taken in turn, beginning with the one after this. */
  after: Turn;
  /** Only applications whose bucket is lower. */
  before: number;
  now: number;
  /** The limit of one application, unless it has an entry in `offers`. */
  usual: number;
  offers: ReadonlyMap<string, Offer>;
  limit: number;
}

/** The events that one application may get. */
export interface Offer {
  limit: number;
  /** Events up to here have been read before. */
  after?: Due | undefined;
}

/** A position in the order in which the events of an application are sent. */
export type Due = Pick<DueEvent, 'nextAttemptAt' | 'deliveryId'>;

/**
 * Reads due events, the oldest of each application. Walks from application to application through the index
 * and stops once it has enough, so that the backlog of one costs nothing to the others. Nothing is written,
 * because each application has only one sending worker.
 */
export async function findDue(db: Db, claim: Claim): Promise<DueEvent[]> {
  const { after, before, now, offers, usual } = claim;
  const within = (table: string) => withinShard(db, claim.shards, claim.part, table);
  const offered = Object.fromEntries(
    Array.from(offers, ([appId, { limit, after: read }]) => [
      appId,
      read ? [limit, read.nextAttemptAt, read.deliveryId] : [limit],
    ]),
  );
  return db<DueEvent[]>`
    with recursive queue (app_bucket, app_id) as (
      (select app_bucket, app_id from event_queue
       where state in ('pending', 'retrying')
         and (app_bucket, app_id) > (${after.appBucket}, ${after.appId}) and app_bucket < ${before} ${within('event_queue')}
       order by app_bucket, app_id limit 1)
      union all
      select next.app_bucket, next.app_id
      from queue cross join lateral (
        select app_bucket, app_id from event_queue
        where state in ('pending', 'retrying')
          and (app_bucket, app_id) > (queue.app_bucket, queue.app_id) and app_bucket < ${before} ${within('event_queue')}
        order by app_bucket, app_id limit 1
      ) next
    ), offered as materialized (
      select ${JSON.stringify(offered)}::text::jsonb as offers
    ), due as materialized (
      select oldest.bucket, oldest.delivery_id, queue.app_id, oldest.state, oldest.attempts, oldest.logged,
        oldest.next_attempt_at, oldest.replayed_at
      from queue cross join lateral (
        select (select offers from offered) -> queue.app_id as offer
      ) of_queue cross join lateral (
        select bucket, delivery_id, state, attempts, logged, next_attempt_at, replayed_at
        from event_queue
        where app_bucket = queue.app_bucket and app_id = queue.app_id and state in ('pending', 'retrying')
          and next_attempt_at <= ${now}
          and (next_attempt_at, delivery_id) > (coalesce((offer ->> 1)::bigint, 0), coalesce(offer ->> 2, '')) ${within('event_queue')}
        order by next_attempt_at, delivery_id
        limit coalesce((offer ->> 0)::integer, ${usual}::integer)
      ) oldest
      limit ${claim.limit}
    )
    select due.bucket, due.delivery_id, due.app_id, due.state, due.attempts, due.logged, due.next_attempt_at,
      due.replayed_at, event.type, event.msg_id, event.body, event.body_key_id
    from due cross join lateral (
      select type, msg_id, body, body_key_id from events event
      where event.bucket = due.bucket and event.delivery_id = due.delivery_id ${within('event')}
      limit 1
    ) event`;
}

/** The outcome of an attempt. */
export interface Settlement {
  delivery: DueEvent;
  state: DeliveryState;
  attempts: number;
  nextAttemptAt: number | null;
  /** Missing if no attempt was made. */
  entry?: AttemptEntry;
  /** The answer of the receiver, if it failed. */
  answer?: Sealed | undefined;
}

/**
 * Removes delivered events from the queue if no other attempt was recorded since the claim. Returns their ids. Being parked
 * meanwhile changes nothing: the request was made.
 */
export async function deleteDelivered(
  tx: Tx,
  settlements: Settlement[],
  shards: Pick<Shards, 'isDistributed'>,
): Promise<string[]> {
  const deliveries = settlements.map(({ delivery }) => delivery);
  const deleted = await tx<{ deliveryId: string }[]>`
    delete from event_queue as delivered
    using unnest(
      ${deliveries.map(({ bucket }) => bucket)}::integer[],
      ${deliveries.map(({ deliveryId }) => deliveryId)}::text[],
      ${deliveries.map(({ attempts }) => attempts)}::integer[],
      ${deliveries.map(({ logged }) => logged)}::integer[]
    ) as claimed (bucket, delivery_id, attempts, logged)
    where delivered.bucket = claimed.bucket and delivered.delivery_id = claimed.delivery_id
      and delivered.attempts = claimed.attempts and delivered.logged = claimed.logged
      ${withinShard(tx, shards, deliveries, 'delivered')}
    returning delivered.delivery_id`;
  return deleted.map(({ deliveryId }) => deliveryId);
}

/**
 * The same for events that stay in the queue. There is no condition on open states: with outdated statistics PostgreSQL
 * would read all open events for it.
 */
export async function updateSettled(
  tx: Tx,
  settlements: Settlement[],
  shards: Pick<Shards, 'isDistributed'>,
): Promise<string[]> {
  const deliveries = settlements.map(({ delivery }) => delivery);
  const settled = await tx<{ deliveryId: string }[]>`
    update event_queue as settled
    set state = said.state, attempts = said.attempts, next_attempt_at = said.next_attempt_at,
      logged = settled.logged + said.made
    from unnest(
      ${deliveries.map(({ bucket }) => bucket)}::integer[],
      ${deliveries.map(({ deliveryId }) => deliveryId)}::text[],
      ${deliveries.map(({ attempts }) => attempts)}::integer[],
      ${deliveries.map(({ logged }) => logged)}::integer[],
      ${settlements.map(({ state }) => state)}::text[],
      ${settlements.map(({ attempts }) => attempts)}::integer[],
      ${settlements.map(({ nextAttemptAt }) => nextAttemptAt)}::bigint[],
      ${settlements.map(({ entry }) => Number(entry !== undefined))}::integer[]
    ) as said (bucket, delivery_id, claimed_attempts, claimed_logged, state, attempts, next_attempt_at, made)
    where settled.bucket = said.bucket and settled.delivery_id = said.delivery_id
      and settled.attempts = said.claimed_attempts and settled.logged = said.claimed_logged and settled.state <> 'cancelled'
      ${withinShard(tx, shards, deliveries, 'settled')}
    returning settled.delivery_id`;
  return settled.map(({ deliveryId }) => deliveryId);
}

/** How many of an application's open deliveries one statement changes at most. */
export interface OpenSlice extends ShardScope {
  appId: string;
  limit: number;
}

/** Makes parked deliveries of an application due. */
export function unparkDeliveries(tx: Tx, { at, ...slice }: OpenSlice & { at: number }): Promise<number> {
  return changeOpen(tx, slice, { which: tx`and next_attempt_at is null`, set: tx`next_attempt_at = ${at}` });
}

/** Parks due deliveries of an application until it receives events again; an attempt in progress is not due. */
export function parkDueDeliveries(
  tx: Tx,
  { dueBy, ...slice }: OpenSlice & { dueBy: number },
): Promise<number> {
  return changeOpen(tx, slice, {
    which: tx`and next_attempt_at <= ${dueBy}`,
    set: tx`next_attempt_at = null`,
  });
}

/** Leaves the open deliveries of an application to its feed, or cancels them. */
export function endOpenDeliveries(tx: Tx, slice: OpenSlice, state: 'unsent' | 'cancelled'): Promise<number> {
  return changeOpen(tx, slice, { which: tx``, set: tx`state = ${state}, next_attempt_at = null` });
}

/**
 * Leaves locked rows to the next claim. Rows to lock are selected in a materialized query, here as elsewhere: otherwise
 * PostgreSQL may repeat the query for each joined row, and select others each time.
 */
async function changeOpen(
  tx: Tx,
  { appId, limit, shards, part }: OpenSlice,
  { which, set }: { which: Statement; set: Statement },
): Promise<number> {
  const within = (table: string) => withinShard(tx, shards, part, table);
  const changed = await tx`
    with open as materialized (
      select bucket, delivery_id from event_queue
      where app_bucket = ${bucketOf(appId)} and app_id = ${appId} and state in ('pending', 'retrying') ${which}
        ${within('event_queue')}
      order by next_attempt_at, delivery_id
      limit ${tx.constant(limit)}
      for update skip locked
    )
    update event_queue as changed set ${set}
    from open
    where changed.bucket = open.bucket and changed.delivery_id = open.delivery_id ${within('changed')}`;
  return changed.count;
}

/**
 * The beginning of a statement: `queue` has the applications with open events. It steps from application to application
 * through the index, however many events are waiting for each.
 */
function withQueue(db: Db, { shards, part }: ShardScope): Statement {
  const within = withinShard(db, shards, part, 'event_queue');
  return db`
    with recursive queue (app_bucket, app_id) as (
      (select app_bucket, app_id from event_queue
       where state in ('pending', 'retrying') ${within} order by app_bucket, app_id limit 1)
      union all
      select next.app_bucket, next.app_id
      from queue cross join lateral (
        select app_bucket, app_id from event_queue
        where state in ('pending', 'retrying') and (app_bucket, app_id) > (queue.app_bucket, queue.app_id) ${within}
        order by app_bucket, app_id limit 1
      ) next
    )`;
}

/** The applications with parked events. */
export async function findParkedApplications(db: Db, scope: ShardScope): Promise<string[]> {
  const rows = await db<{ appId: string }[]>`
    ${withQueue(db, scope)}
    select app_id from queue
    where exists (
      select from event_queue
      where event_queue.app_bucket = queue.app_bucket and event_queue.app_id = queue.app_id
        and state in ('pending', 'retrying') and next_attempt_at is null ${withinShard(db, scope.shards, scope.part, 'event_queue')}
    )`;
  return rows.map(({ appId }) => appId);
}

/** When the first event is due of the applications, without some of them; nothing if none is waiting. */
export async function findSoonest(
  db: Db,
  scope: ShardScope,
  without: readonly string[] = [],
): Promise<number[]> {
  const [row] = await db<{ soonest: number | null }[]>`
    ${withQueue(db, scope)}
    select min(due.next_attempt_at) as soonest
    from queue cross join lateral (
      select next_attempt_at from event_queue
      where app_bucket = queue.app_bucket and app_id = queue.app_id and state in ('pending', 'retrying')
        and next_attempt_at is not null ${withinShard(db, scope.shards, scope.part, 'event_queue')}
      order by next_attempt_at limit 1
    ) due
    where queue.app_id <> all(${[...without]})`;
  return row?.soonest == null ? [] : [row.soonest];
}
