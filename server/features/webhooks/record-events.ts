import type { EventMessage, MessageEventType } from '#contract/events.ts';
import type { Tx } from '#platform/database.ts';
import type { Keyring, SealedPlace } from '#platform/keyring.ts';
import type { Platform } from '#platform/platform.ts';
import { insertDeliveries, type LeasedDelivery } from './queries.ts';

/** One event for one application. The bucket is that of the message's conversation. */
export interface OutgoingEvent {
  bucket: number;
  appId: string;
  type: MessageEventType;
  msgId: string;
  data: EventMessage;
  at: number;
}

/**
 * Writes events into the outbox, in the transaction of the message that causes them, for applications that
 * `receivesEvents` says so of. The body's bytes are made here once; every attempt sends them. After the commit, raise
 * `dueDeliveries`.
 */
export async function recordEvents(
  tx: Tx,
  { keyring, newId }: Pick<Platform, 'keyring' | 'newId'>,
  events: OutgoingEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ bucket, appId, type, msgId, data, at }) => {
    const deliveryId = newId('dlv');
    const body = Buffer.from(JSON.stringify({ type, data }));
    const sealed = keyring.seal(placeOf(deliveryId), body);
    return {
      bucket,
      deliveryId,
      appId,
      type,
      msgId,
      body: sealed.ciphertext,
      bodyKeyId: sealed.keyId,
      state: 'pending' as const,
      attempts: 0,
      nextAttemptAt: at,
      createdAt: at,
    };
  });
  await insertDeliveries(tx, rows);
}

/** The bytes of the request, as they were recorded. */
export function openBody(keyring: Keyring, { deliveryId, bodyKeyId, body }: LeasedDelivery): Buffer {
  return keyring.open(placeOf(deliveryId), { keyId: bodyKeyId, ciphertext: body });
}

function placeOf(deliveryId: string): SealedPlace {
  return { table: 'deliveries', rowId: deliveryId };
}
