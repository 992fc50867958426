import type { Statement } from '#platform/database/statement.ts';
import type { Db, Tx } from '#platform/database.ts';
import { AFTER_ALL } from '#platform/http/cursor.ts';
import { isOneOf } from '#platform/partitioning/keys.ts';
import type { EventKey, NewEvent, QueuedEvent } from '../queries.ts';

/** An event as it was recorded, without its body. */
export interface RecordedRow extends Omit<NewEvent, 'appId' | 'body' | 'bodyKeyId'> {
  feedPosition: number | null;
}

/** The state of an event in the queue. */
export type QueuedRow = Omit<QueuedEvent, 'appId' | 'logged'>;

/**
 * Events of an application as a table of a statement. One index has those with a position in its feed,
 * another the others. The slice is read from each, since PostgreSQL would otherwise sort all of them.
 */
function eventsOf(db: Db, appId: string, condition: Statement, slice: Statement = db``): Statement {
  const those = (position: Statement) => db`
    (select bucket, delivery_id, type, msg_id, body, body_key_id, created_at, feed_position, worker_id from events
     where app_id = ${appId} and feed_position ${position} and ${condition} ${slice})`;
  return db`(${those(db`is null`)} union all ${those(db`is not null`)}) as event`;
}

function columns(db: Db) {
  return db`bucket, delivery_id, type, msg_id, created_at, feed_position, worker_id`;
}

/**
 * The latest events of an application, the newest first. A read over many shards: events are in those of their
 * conversations.
 */
export async function findLatest(
  db: Db,
  appId: string,
  { before = AFTER_ALL, limit }: { before?: string; limit: number },
): Promise<RecordedRow[]> {
  const latest = db`order by delivery_id desc limit ${limit}`;
  return db<RecordedRow[]>`
    select ${columns(db)} from ${eventsOf(db, appId, db`delivery_id < ${before}`, latest)} ${latest}`;
}

/** The next events of an application after a given one, the oldest first. A read over many shards. */
export async function findRecordedAfter(
  db: Db,
  appId: string,
  { after, limit }: { after: string; limit: number },
): Promise<RecordedRow[]> {
  const next = db`order by delivery_id limit ${limit}`;
  return db<RecordedRow[]>`
    select ${columns(db)} from ${eventsOf(db, appId, db`delivery_id > ${after}`, next)} ${next}`;
}

/** The events of messages that are in one bucket, for one application. */
export async function findOfMessages(
  db: Db,
  { appId, bucket, msgIds }: { appId: string; bucket: number; msgIds: string[] },
): Promise<RecordedRow[]> {
  return db<RecordedRow[]>`
    select ${columns(db)} from events
    where bucket = ${bucket} and app_id = ${appId} and msg_id = any(${msgIds})`;
}

/** Those of the events that the application has. A read over many shards: only their ids are known. */
export async function findRecorded(db: Db, appId: string, deliveryIds: string[]): Promise<RecordedRow[]> {
  return db<RecordedRow[]>`
    select ${columns(db)} from ${eventsOf(db, appId, db`delivery_id = any(${deliveryIds})`)}`;
}

/** Those of the events that are in the queue. A read over their shards. */
export async function findQueued(db: Db, events: readonly EventKey[]): Promise<QueuedRow[]> {
  return db<QueuedRow[]>`
    select bucket, delivery_id, state, attempts, next_attempt_at, replayed_at from event_queue
    where ${isOneOf(db, events, ['deliveryId'])}`;
}

/** A read over many shards: only the ids of the events are known. */
export async function findSealed(db: Db, appId: string, deliveryIds: string[]): Promise<SealedEvent[]> {
  return db<SealedEvent[]>`
    select delivery_id, body, body_key_id from ${eventsOf(db, appId, db`delivery_id = any(${deliveryIds})`)}`;
}

export type SealedEvent = Pick<NewEvent, 'deliveryId' | 'body' | 'bodyKeyId'>;

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

/** An event that is not sent, because its only attempt was made before it was recorded. */
export async function insertEnded(tx: Tx, event: Omit<NewEvent, 'workerId'>): Promise<void> {
  await tx`
    insert into events ${tx(event, 'bucket', 'deliveryId', 'appId', 'type', 'msgId', 'body', 'bodyKeyId', 'createdAt')}`;
}
