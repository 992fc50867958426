import type { Db, Tx } from '#platform/database.ts';
import type { AttemptEntry } from '../log/attempt-log.ts';
import { KEPT_ATTEMPTS } from '../queries.ts';

/** An event that has no position in the feed yet: nobody has read that far. */
interface UnpositionedEvent {
  bucket: number;
  deliveryId: string;
  /** A worker that looked for what is due has skipped it while it was locked. */
  isDue: boolean;
}

/** An event in its application's feed; the body is sealed. */
export interface PositionedEvent {
  feedPosition: number;
  deliveryId: string;
  type: string;
  body: Buffer;
  bodyKeyId: number;
  createdAt: number;
}

export interface FoundEvent {
  bucket: number;
  deliveryId: string;
  feedPosition: number;
}

/** An event that the bot gives up, and the attempt that says so. */
export interface GivenUpEvent extends Pick<FoundEvent, 'bucket' | 'deliveryId'> {
  entry: AttemptEntry;
}

export interface DeadLetterRow extends Omit<PositionedEvent, 'feedPosition' | 'type'> {
  attempts: number;
  latestEntry: AttemptEntry | null;
}

export async function findEventsAfter(
  db: Db,
  appId: string,
  { after, limit }: { after: number; limit: number },
): Promise<PositionedEvent[]> {
  return db<PositionedEvent[]>`
    select feed_position, delivery_id, type, body, body_key_id, created_at
    from deliveries
    where app_id = ${appId} and feed_position > ${after}
    order by feed_position
    limit ${limit}`;
}

export async function hasUnpositioned(db: Db, appId: string): Promise<boolean> {
  const rows = await db`select 1 from deliveries where app_id = ${appId} and feed_position is null limit 1`;
  return rows.length > 0;
}

/** How far a feed goes, and how far the bot came in it. */
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

/** Where the events at these positions lie. A read over many shards. */
export async function findAtPositions(db: Db, appId: string, positions: number[]): Promise<FoundEvent[]> {
  return db<FoundEvent[]>`
    select bucket, delivery_id, feed_position
    from deliveries where app_id = ${appId} and feed_position = any(${positions})`;
}

/** Gives up events that no webhook gets, with the attempt that says so. */
export async function updateGivenUp(tx: Tx, events: GivenUpEvent[]): Promise<void> {
  await tx`
    update deliveries as failed
    set state = 'abandoned', attempts = said.attempts,
      attempt_log = case
        when jsonb_array_length(failed.attempt_log) < ${KEPT_ATTEMPTS}::integer then failed.attempt_log
        else failed.attempt_log - 0
      end || said.entry::jsonb
    from unnest(
      ${events.map(({ bucket }) => bucket)}::integer[],
      ${events.map(({ deliveryId }) => deliveryId)}::text[],
      ${events.map(({ entry }) => entry.attempt)}::integer[],
      ${events.map(({ entry }) => JSON.stringify(entry))}::text[]
    ) as said (bucket, delivery_id, attempts, entry)
    where failed.bucket = any(${events.map(({ bucket }) => bucket)})
      and failed.bucket = said.bucket and failed.delivery_id = said.delivery_id and failed.state = 'unsent'`;
}

/** Events that were given up, the oldest first. A read over many shards. */
export async function findDeadLetters(
  db: Db,
  appId: string,
  { after, limit }: { after: string; limit: number },
): Promise<DeadLetterRow[]> {
  return db<DeadLetterRow[]>`
    select delivery_id, created_at, attempts, body, body_key_id, attempt_log -> -1 as latest_entry
    from deliveries
    where app_id = ${appId} and state = 'abandoned' and type <> 'ping' and delivery_id > ${after}
    order by delivery_id
    limit ${limit}`;
}

/** Those of the applications that have events without a position. */
export async function findWithUnpositioned(db: Db, appIds: string[]): Promise<Set<string>> {
  const rows = await db<{ appId: string }[]>`
    select distinct app_id from deliveries where app_id = any(${appIds}) and feed_position is null`;
  return new Set(rows.map(({ appId }) => appId));
}

export async function findLastPositions(db: Db, appIds: string[]): Promise<Map<string, number>> {
  const rows = await db<{ appId: string; lastPosition: number }[]>`
    select app_id, last_position from event_feeds where app_id = any(${appIds})`;
  return new Map(rows.map(({ appId, lastPosition }) => [appId, lastPosition]));
}

/** The last position that was assigned. Until the transaction ends nobody else assigns positions in this feed. */
export async function lockFeed(tx: Tx, appId: string): Promise<number> {
  const [feed] = await tx<{ lastPosition: number }[]>`
    insert into event_feeds as feed (app_id, last_position) values (${appId}, 0)
    on conflict (app_id) do update set last_position = feed.last_position
    returning feed.last_position`;
  return feed?.lastPosition ?? 0;
}

/** Committed events without a position. Rows that a worker is changing are skipped until the next time. */
export async function lockUnpositioned(tx: Tx, appId: string, limit: number): Promise<UnpositionedEvent[]> {
  return tx<UnpositionedEvent[]>`
    select bucket, delivery_id, state in ('pending', 'retrying') and lease_owner is null as is_due
    from deliveries
    where app_id = ${appId} and feed_position is null
    order by delivery_id
    limit ${limit}
    for update skip locked`;
}

export async function updatePositions(
  tx: Tx,
  events: UnpositionedEvent[],
  lastPosition: number,
): Promise<void> {
  await tx`
    update deliveries as positioned set feed_position = assigned.feed_position
    from unnest(
      ${events.map(({ bucket }) => bucket)}::integer[],
      ${events.map(({ deliveryId }) => deliveryId)}::text[],
      ${events.map((_, i) => lastPosition + 1 + i)}::bigint[]
    ) as assigned (bucket, delivery_id, feed_position)
    where positioned.bucket = any(${events.map(({ bucket }) => bucket)})
      and positioned.bucket = assigned.bucket and positioned.delivery_id = assigned.delivery_id`;
}

export async function updateLastPosition(tx: Tx, appId: string, lastPosition: number): Promise<void> {
  await tx`update event_feeds set last_position = ${lastPosition} where app_id = ${appId}`;
}
