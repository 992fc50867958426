import type { Tx } from '#platform/database.ts';
import type { NewDelivery } from './queries.ts';

/** Where the events of a message are: within these ids of these applications. */
interface EventsOfMessage {
  bucket: number;
  msgId: string;
  appIds: readonly string[];
  from: string;
  until: string;
}

/** Those events of a message that were neither sent nor fetched, and that nobody is sending. */
export async function lockUntold(
  tx: Tx,
  { bucket, msgId, appIds, from, until }: EventsOfMessage,
): Promise<Pick<NewDelivery, 'deliveryId' | 'body' | 'bodyKeyId'>[]> {
  return tx<Pick<NewDelivery, 'deliveryId' | 'body' | 'bodyKeyId'>[]>`
    select delivery_id, body, body_key_id
    from deliveries
    where bucket = ${bucket} and app_id = any(${[...appIds]}) and delivery_id >= ${from} and delivery_id < ${until}
      and msg_id = ${msgId} and state in ('unsent', 'pending') and attempts = 0 and lease_owner is null
      and feed_position is null
    for update`;
}

export async function updateDeliveryBody(
  tx: Tx,
  row: Pick<NewDelivery, 'bucket' | 'deliveryId' | 'body' | 'bodyKeyId'>,
): Promise<void> {
  await tx`
    update deliveries set body = ${row.body}, body_key_id = ${row.bodyKeyId}
    where bucket = ${row.bucket} and delivery_id = ${row.deliveryId}`;
}

export async function deleteDelivery(
  tx: Tx,
  { bucket, deliveryId }: Pick<NewDelivery, 'bucket' | 'deliveryId'>,
): Promise<void> {
  await tx`delete from deliveries where bucket = ${bucket} and delivery_id = ${deliveryId}`;
}
