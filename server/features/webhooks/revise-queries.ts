import type { Tx } from '#platform/database.ts';
import type { NewEvent } from './queries.ts';

/** Bounds of the events of a message: the range of ids, and the applications. */
interface EventsOfMessage {
  bucket: number;
  msgId: string;
  appIds: readonly string[];
  from: string;
  until: string;
}

/** The events of a message that were neither attempted nor fetched. One in progress counts as sent. */
export async function lockUnsentEvents(
  tx: Tx,
  { bucket, msgId, appIds, from, until }: EventsOfMessage,
): Promise<Pick<NewEvent, 'deliveryId' | 'body' | 'bodyKeyId'>[]> {
  return tx<Pick<NewEvent, 'deliveryId' | 'body' | 'bodyKeyId'>[]>`
    select event.delivery_id, event.body, event.body_key_id
    from events event
    left join event_queue queued
      on queued.bucket = ${bucket} and queued.bucket = event.bucket and queued.delivery_id = event.delivery_id
    where event.bucket = ${bucket} and event.app_id = any(${[...appIds]})
      and event.delivery_id >= ${from} and event.delivery_id < ${until}
      and event.msg_id = ${msgId} and event.feed_position is null
      and (queued.state is null or queued.state = 'pending' and queued.attempts = 0)
      and not exists (
        select from event_attempts made
        where made.bucket = ${bucket} and made.bucket = event.bucket and made.delivery_id = event.delivery_id
      )
    for update of event`;
}

export async function updateEventBody(
  tx: Tx,
  row: Pick<NewEvent, 'bucket' | 'deliveryId' | 'body' | 'bodyKeyId'>,
): Promise<void> {
  await tx`
    update events set body = ${row.body}, body_key_id = ${row.bodyKeyId}
    where bucket = ${row.bucket} and delivery_id = ${row.deliveryId}`;
}

type EventKey = Pick<NewEvent, 'bucket' | 'deliveryId'>;

export async function deleteEvent(tx: Tx, { bucket, deliveryId }: EventKey): Promise<void> {
  await tx`delete from events where bucket = ${bucket} and delivery_id = ${deliveryId}`;
}

export async function deleteFromQueue(tx: Tx, { bucket, deliveryId }: EventKey): Promise<void> {
  await tx`delete from event_queue where bucket = ${bucket} and delivery_id = ${deliveryId}`;
}

/** @returns the ids of those that existed */
export async function deleteEventsOf(
  tx: Tx,
  { bucket, msgIds, from, until }: { bucket: number; msgIds: string[]; from: string; until: string },
): Promise<string[]> {
  const rows = await tx<{ deliveryId: string }[]>`
    delete from events
    where bucket = ${bucket} and delivery_id >= ${from} and delivery_id < ${until} and msg_id = any(${msgIds})
    returning delivery_id`;
  return rows.map(({ deliveryId }) => deliveryId);
}

export async function deleteAllFromQueue(tx: Tx, bucket: number, deliveryIds: string[]): Promise<void> {
  await tx`delete from event_queue where bucket = ${bucket} and delivery_id = any(${deliveryIds})`;
}

export async function deleteAttempts(tx: Tx, bucket: number, deliveryIds: string[]): Promise<void> {
  await tx`delete from event_attempts where bucket = ${bucket} and delivery_id = any(${deliveryIds})`;
}
