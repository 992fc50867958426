import type { EventMessage, MessageEventType } from '#contract/events.ts';
import type { Tx } from '#platform/database.ts';
import type { Keyring, Sealed, SealedPlace } from '#platform/keyring.ts';
import type { Platform } from '#platform/platform.ts';
import { insertDeliveries, type LeasedDelivery } from './queries.ts';
import type { FirstState } from './rules.ts';

/** One event for one application. The bucket is that of the message's conversation. */
export interface OutgoingEvent {
  bucket: number;
  appId: string;
  type: MessageEventType;
  msgId: string;
  data: EventMessage;
  /** Of `firstStateFor` the application. */
  state: FirstState;
  at: number;
}

/**
 * Writes events into the outbox, in the transaction of the message that causes them. The body's bytes are made here
 * once; every attempt sends them. After the commit, `announceEvents`.
 *
 * @returns their ids, in the same order
 */
export async function recordEvents(
  tx: Tx,
  { keyring, newId }: Pick<Platform, 'keyring' | 'newId'>,
  events: OutgoingEvent[],
): Promise<string[]> {
  if (events.length === 0) return [];
  const rows = events.map(({ bucket, appId, type, msgId, data, state, at }) => {
    const deliveryId = newId('dlv');
    const sealed = sealBody(keyring, deliveryId, Buffer.from(JSON.stringify({ type, data })));
    return {
      bucket,
      deliveryId,
      appId,
      type,
      msgId,
      body: sealed.ciphertext,
      bodyKeyId: sealed.keyId,
      state,
      attempts: 0,
      nextAttemptAt: state === 'pending' ? at : null,
      createdAt: at,
    };
  });
  await insertDeliveries(tx, rows);
  return rows.map(({ deliveryId }) => deliveryId);
}

export function sealBody(keyring: Keyring, deliveryId: string, body: Buffer): Sealed {
  return keyring.seal(placeOf(deliveryId), body);
}

/** After the commit: tells who sends events, and who fetches them. */
export function announceEvents(
  { dueDeliveries, live }: Pick<Platform, 'dueDeliveries' | 'live'>,
  events: readonly Pick<OutgoingEvent, 'appId' | 'state'>[],
): void {
  if (events.some(({ state }) => state === 'pending')) dueDeliveries.raise();
  for (const appId of new Set(events.map((event) => event.appId))) {
    live.publish(appId, { type: 'event.recorded', data: {} });
  }
}

/** The bytes of the request, as they were recorded. */
export function openBody(
  keyring: Keyring,
  { deliveryId, bodyKeyId, body }: Pick<LeasedDelivery, 'deliveryId' | 'bodyKeyId' | 'body'>,
): Buffer {
  return keyring.open(placeOf(deliveryId), { keyId: bodyKeyId, ciphertext: body });
}

function placeOf(deliveryId: string): SealedPlace {
  return { table: 'deliveries', rowId: deliveryId };
}
