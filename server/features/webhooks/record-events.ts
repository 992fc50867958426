import type { EventMessage, MessageEventType } from '#contract/webhooks/events.ts';
import type { Keyring, Sealed, SealingContext } from '#platform/crypto/keyring.ts';
import type { Statement } from '#platform/database/statement.ts';
import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import type { DueEvent, NewEvent } from './queries.ts';
import { insertEventBatch, insertEvents, insertingEventsOfStored, insertQueued } from './record-queries.ts';
import type { FirstState } from './rules.ts';

/** One event for one application. The bucket is that of the message's conversation. */
export interface OutgoingEvent {
  bucket: number;
  appId: string;
  type: MessageEventType;
  msgId: string;
  data: EventMessage;
  /** The result of `firstStateFor` for the application. */
  state: FirstState;
  at: number;
}

type Deps = Pick<Platform, 'keyring' | 'newId' | 'shards'>;

/**
 * Writes events into the outbox, in the transaction of the message that causes them. The bytes of the body are
 * created here once; every attempt sends them. After the commit, call `announceEvents`.
 *
 * @returns their ids, in the same order
 */
export async function recordEvents(tx: Tx, deps: Deps, events: OutgoingEvent[]): Promise<string[]> {
  const rows = toRows(deps, events);
  if (deps.shards.isDistributed) {
    const due = rows.filter(({ isDue }) => isDue);
    await Promise.all([insertEvents(tx, rows), insertQueued(tx, due)]);
  } else if (rows.length > 0) await insertEventBatch(tx, rows);
  return rows.map(({ deliveryId }) => deliveryId);
}

/**
 * The same as a part of the statement that stores the messages, on a single PostgreSQL: only for messages in
 * its table `stored`.
 */
export function recordingEvents(tx: Tx, deps: Deps, events: OutgoingEvent[]): Statement {
  return insertingEventsOfStored(tx, toRows(deps, events));
}

function toRows(
  { keyring, newId }: Pick<Deps, 'keyring' | 'newId'>,
  events: OutgoingEvent[],
): (NewEvent & { isDue: boolean })[] {
  const texts = new Map<EventMessage, Buffer>();
  return events.map((event) => {
    const { type, data, state, at } = event;
    const deliveryId = newId('dlv');
    const text = texts.get(data) ?? Buffer.from(JSON.stringify({ type, data }));
    texts.set(data, text);
    const { ciphertext: body, keyId: bodyKeyId } = sealBody(keyring, deliveryId, text);
    return { ...event, isDue: state === 'pending', deliveryId, body, bodyKeyId, createdAt: at };
  });
}

export function sealBody(keyring: Keyring, deliveryId: string, body: Buffer): Sealed {
  return keyring.seal(contextOf(deliveryId), body);
}

/** After the commit: wakes up delivery and event streams. */
export function announceEvents(
  { dueDeliveries, live }: Pick<Platform, 'dueDeliveries' | 'live'>,
  events: readonly Pick<OutgoingEvent, 'appId' | 'state'>[],
): void {
  if (events.some(({ state }) => state === 'pending')) dueDeliveries.raise();
  for (const appId of new Set(events.map((event) => event.appId))) {
    live.publish(appId, { type: 'event.recorded', data: {} });
  }
}

/** The bytes of the request, as they were recorded; undefined if the row cannot be read. */
export function openBodyIfReadable(
  keyring: Keyring,
  { deliveryId, bodyKeyId, body }: Pick<DueEvent, 'deliveryId' | 'bodyKeyId' | 'body'>,
): Buffer | undefined {
  return keyring.openIfReadable(contextOf(deliveryId), { keyId: bodyKeyId, ciphertext: body });
}

/** The former table of the events, to which their bodies are still bound. */
function contextOf(deliveryId: string): SealingContext {
  return { table: 'deliveries', rowId: deliveryId };
}
