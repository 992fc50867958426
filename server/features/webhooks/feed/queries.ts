import type { Db, Tx } from '#platform/database.ts';
import { bucketOf } from '#platform/ids.ts';
import { type ShardScope, withinShard } from '#platform/partitioning/shards.ts';
import type { EventKey, NewEvent, QueuedEvent } from '../queries.ts';

/** In the feed of its application. */
interface Positioned {
  feedPosition: number;
}

/** The body is sealed. */
type SealedBody = Pick<NewEvent, 'deliveryId' | 'createdAt' | 'body' | 'bodyKeyId'>;
type PositionedEvent = SealedBody & Pick<NewEvent, 'type'> & Positioned;
type FoundEvent = EventKey & Pick<NewEvent, 'type' | 'createdAt'>;
type DeadLetterRow = EventKey & Pick<QueuedEvent, 'attempts'>;

export async function findEventsAfter(
  db: Db,
  appId: string,
  { after, limit }: { after: number; limit: number },
): Promise<PositionedEvent[]> {
  return db<PositionedEvent[]>`
    select feed_position, delivery_id, type, body, body_key_id, created_at
    from events
    where app_id = ${appId} and feed_position > ${after}
    order by feed_position
    limit ${limit}`;
}

export async function hasUnpositioned(db: Db, appId: string): Promise<boolean> {
  const rows = await db`select 1 from events where app_id = ${appId} and feed_position is null limit 1`;
  return rows.length > 0;
}

/** The end of a feed, and the bot's position in it. */
export interface Feed {
  lastPosition: number;
  fetchedPosition: number;
  acknowledgedPosition: number;
}

export async function findFeed(db: Db, appId: string): Promise<Feed> {
  const [feed] = await db<Feed[]>`
    select last_position, fetched_position, acknowledged_position from event_feeds where app_id = ${appId}`;
  return feed ?? { lastPosition: 0, fetchedPosition: 0, acknowledgedPosition: 0 };
}

export async function updateFetched(tx: Tx, appId: string, position: number): Promise<void> {
  await tx`
    update event_feeds set fetched_position = ${position} where app_id = ${appId} and fetched_position < ${position}`;
}

export async function updateAcknowledged(tx: Tx, appId: string, position: number): Promise<void> {
  await tx`
    update event_feeds set acknowledged_position = ${position}
    where app_id = ${appId} and acknowledged_position < ${position}`;
}

/** The events at these positions that are not for a webhook and were not abandoned. A read over many shards. */
export async function findAtPositions(
  db: Db,
  appId: string,
  positions: number[],
): Promise<(FoundEvent & Positioned)[]> {
  return db<(FoundEvent & Positioned)[]>`
    select event.bucket, event.delivery_id, event.type, event.created_at, event.feed_position
    from events event
    left join event_queue queued on queued.bucket = event.bucket and queued.delivery_id = event.delivery_id
    where event.app_id = ${appId} and event.feed_position = any(${positions})
      and (queued.state = 'unsent' or queued.state is null and event.worker_id is null and not exists (
        select from event_attempts made where made.bucket = event.bucket and made.delivery_id = event.delivery_id
      ))`;
}

/** Abandons an event without a webhook; undefined if another call has just done so. */
export async function upsertGivenUp(
  tx: Tx,
  appId: string,
  { bucket, deliveryId, type, createdAt, attempts }: FoundEvent & { attempts: number },
): Promise<Pick<QueuedEvent, 'logged' | 'replayedAt'> | undefined> {
  const [row] = await tx<Pick<QueuedEvent, 'logged' | 'replayedAt'>[]>`
    insert into event_queue as given (bucket, delivery_id, app_id, app_bucket, type, state, attempts, logged, created_at)
    values (${bucket}, ${deliveryId}, ${appId}, ${bucketOf(appId)}, ${type}, 'abandoned', ${attempts}, 1, ${createdAt})
    on conflict (bucket, delivery_id) do update
    set state = 'abandoned', attempts = excluded.attempts, logged = given.logged + 1
    where given.state = 'unsent'
    returning given.logged, given.replayed_at`;
  return row;
}

/** Events that were abandoned, the oldest first. A read over many shards. */
export async function findDeadLetters(
  db: Db,
  appId: string,
  { after, limit }: { after: string; limit: number },
): Promise<DeadLetterRow[]> {
  return db<DeadLetterRow[]>`
    select bucket, delivery_id, attempts from event_queue
    where app_id = ${appId} and state = 'abandoned' and delivery_id > ${after}
    order by delivery_id
    limit ${limit}`;
}

/** A read over their shards. */
export async function findBodies(db: Db, events: readonly EventKey[]): Promise<SealedBody[]> {
  return db<SealedBody[]>`
    select delivery_id, created_at, body, body_key_id from events
    where bucket = any(${events.map(({ bucket }) => bucket)})
      and delivery_id = any(${events.map(({ deliveryId }) => deliveryId)})`;
}

/** Those of the applications that have events without a position. */
export async function findWithUnpositioned(db: Db, appIds: string[]): Promise<Set<string>> {
  const rows = await db<{ appId: string }[]>`
    select distinct app_id from events where app_id = any(${appIds}) and feed_position is null`;
  return new Set(rows.map(({ appId }) => appId));
}

export async function findLastPositions(db: Db, appIds: string[]): Promise<Map<string, number>> {
  const rows = await db<{ appId: string; lastPosition: number }[]>`
    select app_id, last_position from event_feeds where app_id = any(${appIds})`;
  return new Map(rows.map(({ appId, lastPosition }) => [appId, lastPosition]));
}

/** Locks the feed against assigning positions until the transaction ends, and returns the last position. */
export async function lockFeed(tx: Tx, appId: string): Promise<number> {
  const [feed] = await tx<{ lastPosition: number }[]>`
    insert into event_feeds as feed (app_id, last_position) values (${appId}, 0)
    on conflict (app_id) do update set last_position = feed.last_position
    returning feed.last_position`;
  return feed?.lastPosition ?? 0;
}

/** Committed events without a position. Locked rows are skipped until the next time. */
export async function lockUnpositioned(
  tx: Tx,
  appId: string,
  { limit, shards, part }: ShardScope & { limit: number },
): Promise<EventKey[]> {
  return tx<EventKey[]>`
    select bucket, delivery_id
    from events
    where app_id = ${appId} and feed_position is null ${withinShard(tx, shards, part)}
    order by delivery_id
    limit ${limit}
    for update skip locked`;
}

export async function updatePositions(tx: Tx, events: (EventKey & Positioned)[]): Promise<void> {
  await tx`
    update events as positioned set feed_position = assigned.feed_position
    from unnest(
      ${events.map(({ bucket }) => bucket)}::integer[],
      ${events.map(({ deliveryId }) => deliveryId)}::text[],
      ${events.map(({ feedPosition }) => feedPosition)}::bigint[]
    ) as assigned (bucket, delivery_id, feed_position)
    where positioned.bucket = any(${events.map(({ bucket }) => bucket)})
      and positioned.bucket = assigned.bucket and positioned.delivery_id = assigned.delivery_id`;
}

export async function updateLastPosition(tx: Tx, appId: string, lastPosition: number): Promise<void> {
  await tx`update event_feeds set last_position = ${lastPosition} where app_id = ${appId}`;
}
