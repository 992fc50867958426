import type { EventMessage } from '#contract/webhooks/events.ts';
import type { Tx } from '#platform/database.ts';
import { firstIdAt, isId, timeOfId } from '#platform/ids.ts';
import { DELIVERIES_TOPIC } from '#platform/live.ts';
import type { WebhookDeps } from './deps.ts';
import type { EventKey, NewEvent } from './queries.ts';
import { openBodyIfReadable, sealBody } from './record-events.ts';

/** An event is recorded within this time of its message. */
const RECORDED_WITHIN_MS = 10 * 60_000;

/** A message, and the applications that receive those of its conversation. */
export interface RevisedMessage {
  bucket: number;
  conversationId: string;
  msgId: string;
  sentAt: number;
  appIds: readonly string[];
}

/**
 * Updates the pending events of a message to its current content, in the transaction that changes the message.
 * An event that was attempted or fetched, or is being sent from the memory of this process, does not change
 * (docs/decisions/0056-messages-that-change.md).
 *
 * @param change returns undefined for a deleted message, whose events are not sent
 */
export async function reviseEvents(
  tx: Tx,
  { keyring, live, memoryQueue }: Pick<WebhookDeps, 'keyring' | 'live' | 'memoryQueue'>,
  { bucket, conversationId, msgId, sentAt, appIds }: RevisedMessage,
  change: (data: EventMessage) => EventMessage | undefined,
): Promise<void> {
  // A bot that has left a group still gets the events from before.
  const receivers = isId('grp', conversationId) ? undefined : appIds;
  if (receivers?.length === 0) return;
  const from = firstIdAt('dlv', sentAt);
  const until = recordedBefore([{ msgId, sentAt }]);
  for (const row of await lockUnsentEvents(tx, { bucket, msgId, appIds: receivers, from, until })) {
    const { deliveryId } = row;
    // Before the commit: whoever has the event in memory queues it, which waits for the lock on its row.
    live.publish(DELIVERIES_TOPIC, { type: 'event.revised', data: { eventId: deliveryId } });
    if (memoryQueue.isSending(deliveryId)) continue;
    const key = { bucket, deliveryId };
    const opened = openBodyIfReadable(keyring, row);
    const event = opened && JSON.parse(opened.toString());
    const data = event && change(event.data);
    // An unreadable one reveals nothing, whatever happens to the message.
    if (!data) {
      await deleteFromQueue(tx, bucket, [deliveryId]);
      await deleteEvent(tx, key);
    } else {
      const text = Buffer.from(JSON.stringify({ ...event, data }));
      const { ciphertext: body, keyId: bodyKeyId } = sealBody(keyring, deliveryId, text);
      await updateEventBody(tx, { ...key, body, bodyKeyId });
    }
  }
}

/** The ids of their events are lower. If the clock is set back, ids go on from the time of before. */
function recordedBefore(messages: readonly Pick<RevisedMessage, 'msgId' | 'sentAt'>[]): string {
  const times = messages.map(({ msgId, sentAt }) => Math.max(sentAt, timeOfId(msgId)));
  return firstIdAt('dlv', Math.max(...times) + RECORDED_WITHIN_MS);
}

/** Deletes the events of messages of one bucket in any state, so that no text outlives its message. */
export async function forgetMessages(
  tx: Tx,
  bucket: number,
  messages: readonly { msgId: string; sentAt: number }[],
): Promise<void> {
  const times = messages.map(({ sentAt }) => sentAt);
  const deliveryIds = await deleteEventsOf(tx, {
    bucket,
    msgIds: messages.map(({ msgId }) => msgId),
    from: firstIdAt('dlv', Math.min(...times)),
    until: recordedBefore(messages),
  });
  if (deliveryIds.length === 0) return;
  await deleteFromQueue(tx, bucket, deliveryIds);
  await deleteAttempts(tx, bucket, deliveryIds);
}

type SealedEvent = Pick<NewEvent, 'deliveryId' | 'body' | 'bodyKeyId'>;

/** The events of a message that were neither attempted nor fetched, within a range of ids; of all applications unless given. */
async function lockUnsentEvents(
  tx: Tx,
  {
    bucket,
    msgId,
    appIds,
    from,
    until,
  }: { bucket: number; msgId: string; appIds: readonly string[] | undefined; from: string; until: string },
): Promise<SealedEvent[]> {
  return tx<SealedEvent[]>`
    select event.delivery_id, event.body, event.body_key_id
    from events event
    left join event_queue queued
      on queued.bucket = ${bucket} and queued.bucket = event.bucket and queued.delivery_id = event.delivery_id
    where event.bucket = ${bucket} ${appIds ? tx`and event.app_id = any(${[...appIds]})` : tx``}
      and event.delivery_id >= ${from} and event.delivery_id < ${until}
      and event.msg_id = ${msgId} and event.feed_position is null
      and (queued.state is null or queued.state in ('pending', 'unsent') and queued.attempts = 0)
      and not exists (
        select from event_attempts made
        where made.bucket = ${bucket} and made.bucket = event.bucket and made.delivery_id = event.delivery_id
      )
    order by event.delivery_id for update of event`;
}

async function updateEventBody(tx: Tx, row: SealedEvent & EventKey): Promise<void> {
  await tx`
    update events set body = ${row.body}, body_key_id = ${row.bodyKeyId}
    where bucket = ${row.bucket} and delivery_id = ${row.deliveryId}`;
}

async function deleteEvent(tx: Tx, { bucket, deliveryId }: EventKey): Promise<void> {
  await tx`delete from events where bucket = ${bucket} and delivery_id = ${deliveryId}`;
}

/** @returns the ids of those that existed */
async function deleteEventsOf(
  tx: Tx,
  { bucket, msgIds, from, until }: { bucket: number; msgIds: string[]; from: string; until: string },
): Promise<string[]> {
  const rows = await tx<{ deliveryId: string }[]>`
    delete from events
    where bucket = ${bucket} and delivery_id >= ${from} and delivery_id < ${until} and msg_id = any(${msgIds})
    returning delivery_id`;
  return rows.map(({ deliveryId }) => deliveryId);
}

async function deleteFromQueue(tx: Tx, bucket: number, deliveryIds: string[]): Promise<void> {
  await tx`delete from event_queue where bucket = ${bucket} and delivery_id = any(${deliveryIds})`;
}

async function deleteAttempts(tx: Tx, bucket: number, deliveryIds: string[]): Promise<void> {
  await tx`delete from event_attempts where bucket = ${bucket} and delivery_id = any(${deliveryIds})`;
}
