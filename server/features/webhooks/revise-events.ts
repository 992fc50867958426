import type { EventMessage } from '#contract/webhooks/events.ts';
import type { Tx } from '#platform/database.ts';
import { firstIdAt } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { openBodyIfReadable, sealBody } from './record-events.ts';
import {
  deleteAllFromQueue,
  deleteAttempts,
  deleteEvent,
  deleteEventsOf,
  deleteFromQueue,
  lockUnsentEvents,
  updateEventBody,
} from './revise-queries.ts';

/** An event is recorded within this time of its message. */
const RECORDED_WITHIN_MS = 10 * 60_000;

/** A message, and the applications that receive its events. */
export interface RevisedMessage {
  bucket: number;
  msgId: string;
  sentAt: number;
  appIds: readonly string[];
}

/**
 * Updates the pending events of a message to its current content, in the transaction that changes the message.
 * An attempted or fetched event does not change (docs/decisions/0056-messages-that-change.md).
 *
 * @param change returns undefined for a deleted message, whose events are not sent
 */
export async function reviseEvents(
  tx: Tx,
  { keyring }: Pick<Platform, 'keyring'>,
  { bucket, msgId, sentAt, appIds }: RevisedMessage,
  change: (data: EventMessage) => EventMessage | undefined,
): Promise<void> {
  if (appIds.length === 0) return;
  const from = firstIdAt('dlv', sentAt);
  const until = firstIdAt('dlv', sentAt + RECORDED_WITHIN_MS);
  for (const row of await lockUnsentEvents(tx, { bucket, msgId, appIds, from, until })) {
    const { deliveryId } = row;
    const key = { bucket, deliveryId };
    const opened = openBodyIfReadable(keyring, row);
    const event = opened && JSON.parse(opened.toString());
    const data = event && change(event.data);
    // An unreadable one reveals nothing, whatever happens to the message.
    if (!data) {
      await deleteFromQueue(tx, key);
      await deleteEvent(tx, key);
    } else {
      const text = Buffer.from(JSON.stringify({ ...event, data }));
      const { ciphertext: body, keyId: bodyKeyId } = sealBody(keyring, deliveryId, text);
      await updateEventBody(tx, { ...key, body, bodyKeyId });
    }
  }
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
    until: firstIdAt('dlv', Math.max(...times) + RECORDED_WITHIN_MS),
  });
  if (deliveryIds.length === 0) return;
  await deleteAllFromQueue(tx, bucket, deliveryIds);
  await deleteAttempts(tx, bucket, deliveryIds);
}
