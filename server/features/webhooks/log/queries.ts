import type { EventType } from '#contract/webhooks.ts';
import { inChunks } from '#platform/database/chunks.ts';
import type { Statement } from '#platform/database/statement.ts';
import type { Db, Tx } from '#platform/database.ts';
import { bucketOf } from '#platform/ids.ts';
import { type ShardPart, type Shards, withinShard } from '#platform/partitioning/shards.ts';
import type { AttemptEntry } from '../attempts/attempt-log.ts';
import type { NewEvent, QueueState } from '../queries.ts';

/** How many finished attempts of an event are shown: those of two replays and the first run. */
const SHOWN_ATTEMPTS = 24;

/** An event as it was recorded; not its body. */
export interface RecordedRow {
  bucket: number;
  deliveryId: string;
  type: EventType;
  msgId: string;
  createdAt: number;
  feedPosition: number | null;
}

/** The state of an event in the queue. */
export interface QueuedRow extends EventKey {
  state: QueueState;
  attempts: number;
  nextAttemptAt: number | null;
  replayedAt: number | null;
}

/** The latest attempt of an event. */
export interface LatestAttempt extends EventKey {
  entry: AttemptEntry;
  seq: number;
  replayedAt: number | null;
}

type EventKey = Pick<RecordedRow, 'bucket' | 'deliveryId'>;

/** Sorts after every id. */
export const AFTER_ALL = '~';

/**
 * Events of an application as a table of a statement. One index has those with a position in its feed,
 * another the others. The slice is read from each, since PostgreSQL would otherwise sort all of them.
 */
function eventsOf(db: Db, appId: string, condition: Statement, slice: Statement = db``): Statement {
  const those = (place: Statement) => db`
    (select bucket, delivery_id, type, msg_id, body, body_key_id, created_at, feed_position from events
     where app_id = ${appId} and feed_position ${place} and ${condition} ${slice})`;
  return db`(${those(db`is null`)} union all ${those(db`is not null`)}) as event`;
}

/** The latest of an application, the newest first. A read over many shards: they lie with their conversations. */
export async function findLatest(
  db: Db,
  appId: string,
  { before = AFTER_ALL, limit }: { before?: string; limit: number },
): Promise<RecordedRow[]> {
  const latest = db`order by delivery_id desc limit ${limit}`;
  return db<RecordedRow[]>`
    select bucket, delivery_id, type, msg_id, created_at, feed_position
    from ${eventsOf(db, appId, db`delivery_id < ${before}`, latest)} ${latest}`;
}

/** The next of an application after one, the oldest first. A read over many shards. */
export async function findRecordedAfter(
  db: Db,
  appId: string,
  { after, limit }: { after: string; limit: number },
): Promise<RecordedRow[]> {
  const next = db`order by delivery_id limit ${limit}`;
  return db<RecordedRow[]>`
    select bucket, delivery_id, type, msg_id, created_at, feed_position
    from ${eventsOf(db, appId, db`delivery_id > ${after}`, next)} ${next}`;
}

/** The events of messages that are in one bucket, for one application. */
export async function findOfMessages(
  db: Db,
  { appId, bucket, msgIds }: { appId: string; bucket: number; msgIds: string[] },
): Promise<RecordedRow[]> {
  return db<RecordedRow[]>`
    select bucket, delivery_id, type, msg_id, created_at, feed_position from events
    where bucket = ${bucket} and app_id = ${appId} and msg_id = any(${msgIds})`;
}

/** Those of the events that the application has. A read over many shards: only their ids are known. */
export async function findRecorded(db: Db, appId: string, deliveryIds: string[]): Promise<RecordedRow[]> {
  return db<RecordedRow[]>`
    select bucket, delivery_id, type, msg_id, created_at, feed_position
    from ${eventsOf(db, appId, db`delivery_id = any(${deliveryIds})`)}`;
}

/** Those of the events that are in the queue. A read of the shards that they are in. */
export async function findQueued(db: Db, events: readonly EventKey[]): Promise<QueuedRow[]> {
  return db<QueuedRow[]>`
    select bucket, delivery_id, state, attempts, next_attempt_at, replayed_at from event_queue
    where bucket = any(${bucketsOf(events)}) and delivery_id = any(${idsOf(events)})`;
}

/** The latest attempt of each, where there is one. A read of the shards that they lie in. */
export async function findLatestAttempts(db: Db, events: readonly EventKey[]): Promise<LatestAttempt[]> {
  return db<LatestAttempt[]>`
    select distinct on (bucket, delivery_id) bucket, delivery_id, entry, seq, replayed_at from event_attempts
    where bucket = any(${bucketsOf(events)}) and delivery_id = any(${idsOf(events)})
    order by bucket, delivery_id, seq desc`;
}

function bucketsOf(events: readonly EventKey[]): number[] {
  return [...new Set(events.map(({ bucket }) => bucket))];
}

function idsOf(events: readonly EventKey[]): string[] {
  return events.map(({ deliveryId }) => deliveryId);
}

/** The attempts of events of one bucket, the oldest first. */
export async function findAttempts(
  db: Db,
  { bucket, deliveryIds }: { bucket: number; deliveryIds: string[] },
): Promise<Map<string, AttemptEntry[]>> {
  const rows = await db<{ deliveryId: string; entry: AttemptEntry }[]>`
    select delivery_id, entry from event_attempts
    where bucket = ${bucket} and delivery_id = any(${deliveryIds})
    order by delivery_id, seq`;
  const entries = Map.groupBy(rows, ({ deliveryId }) => deliveryId);
  return new Map(
    deliveryIds.map((id) => [id, (entries.get(id) ?? []).slice(-SHOWN_ATTEMPTS).map(({ entry }) => entry)]),
  );
}

/** A read over many shards: only the ids of the events are known. */
export async function findSealed(db: Db, appId: string, deliveryIds: string[]): Promise<SealedEvent[]> {
  return db<SealedEvent[]>`
    select delivery_id, body, body_key_id from ${eventsOf(db, appId, db`delivery_id = any(${deliveryIds})`)}`;
}

export interface SealedEvent {
  deliveryId: string;
  body: Buffer;
  bodyKeyId: number;
}

/** The event of a message, if it is among the latest of its application. */
export async function findLatestOfMessage(
  db: Db,
  { appId, msgId, among }: { appId: string; msgId: string; among: number },
): Promise<SealedEvent | undefined> {
  const latest = db`order by delivery_id desc limit ${among}`;
  const [row] = await db<SealedEvent[]>`
    select delivery_id, body, body_key_id
    from (
      select delivery_id, msg_id, body, body_key_id from ${eventsOf(db, appId, db`true`, latest)} ${latest}
    ) as latest
    where msg_id = ${msgId} limit 1`;
  return row;
}

export interface Ended extends Omit<NewEvent, 'type'> {
  type: EventType;
}

/** An event that is not sent, because its only attempt was made before it was recorded. */
export async function insertEnded(tx: Tx, event: Ended): Promise<void> {
  await tx`
    insert into events ${tx(event, 'bucket', 'deliveryId', 'appId', 'type', 'msgId', 'body', 'bodyKeyId', 'createdAt')}`;
}

/** The ways in which an event can come again. */
export type ReplayTarget = 'webhook' | 'feed';

export interface Replay {
  by: ReplayTarget;
  at: number;
  notSince: number;
}

function standingOf({ by, at }: Replay) {
  return by === 'webhook'
    ? { state: 'pending', nextAttemptAt: at, replayedAt: at }
    : { state: 'unsent', nextAttemptAt: null, replayedAt: at };
}

/** Restarts an event of the queue, with all its attempts; false when that was done just now, or it is due. */
export async function updateReplayed(
  tx: Tx,
  { bucket, deliveryId }: EventKey,
  replay: Replay,
): Promise<boolean> {
  const { state, nextAttemptAt, replayedAt } = standingOf(replay);
  const rows = await tx`
    update event_queue
    set state = ${state}, attempts = 0, next_attempt_at = ${nextAttemptAt}, replayed_at = ${replayedAt}
    where bucket = ${bucket} and delivery_id = ${deliveryId} and state in ('unsent', 'retrying', 'abandoned')
      and (next_attempt_at is null or next_attempt_at > ${replay.at})
      and (replayed_at is null or replayed_at <= ${replay.notSince})
    returning delivery_id`;
  return rows.length === 1;
}

export interface Requeued extends EventKey, Pick<RecordedRow, 'type' | 'createdAt'> {
  appId: string;
  /** Attempts so far. */
  logged: number;
}

/** Puts events of one bucket back that have left the queue, or never were there; how many nobody else has just put back. */
export async function insertReplayed(tx: Tx, events: Requeued[], replay: Replay): Promise<number> {
  const rows = events.map((event) => ({
    ...event,
    ...standingOf(replay),
    appBucket: bucketOf(event.appId),
    attempts: 0,
  }));
  const inserted = await Promise.all(
    inChunks(rows).map(
      (some) => tx`
        insert into event_queue as replayed ${tx(some, 'bucket', 'deliveryId', 'appId', 'appBucket', 'type', 'state', 'attempts', 'logged', 'nextAttemptAt', 'replayedAt', 'createdAt')}
        on conflict (bucket, delivery_id) do nothing
        returning replayed.delivery_id`,
    ),
  );
  return inserted.flat().length;
}

/** It gets a new place when its feed is read. */
export async function updateUnpositioned(tx: Tx, { bucket, deliveryId }: EventKey): Promise<void> {
  await tx`
    update events set feed_position = null where bucket = ${bucket} and delivery_id = ${deliveryId}`;
}

/** The same for what failed at least once, the oldest first. Returns when each happened. */
export async function updateReplayedSince(
  tx: Tx,
  { appId, since, at, notSince, limit, shards, part }: ReplayedSince,
): Promise<number[]> {
  const within = (table: string) => withinShard(tx, shards, part, table);
  const replayed = await tx<{ createdAt: number }[]>`
    with failed as materialized (
      select bucket, delivery_id from event_queue
      where app_id = ${appId} and state in ('retrying', 'abandoned') and created_at >= ${since}
        and (next_attempt_at is null or next_attempt_at > ${at})
        and (replayed_at is null or replayed_at <= ${notSince})
        ${within('event_queue')}
      order by created_at
      limit ${tx.constant(limit)}
      for update skip locked
    )
    update event_queue as replayed
    set state = 'pending', attempts = 0, next_attempt_at = ${at}, replayed_at = ${at}
    from failed
    where replayed.bucket = failed.bucket and replayed.delivery_id = failed.delivery_id ${within('replayed')}
    returning replayed.created_at`;
  return replayed.map(({ createdAt }) => createdAt);
}

export interface ReplayedSince {
  appId: string;
  since: number;
  at: number;
  notSince: number;
  limit: number;
  shards: Pick<Shards, 'isDistributed'>;
  part: ShardPart;
}
