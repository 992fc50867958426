import type { ChosenEventData } from '#contract/webhooks/chosen-events.ts';
import type { EventType } from '#contract/webhooks/event-types.ts';
import type { EventMessage } from '#contract/webhooks/events.ts';
import type { Keyring, Sealed, SealingContext } from '#platform/crypto/keyring.ts';
import { inChunks } from '#platform/database/chunks.ts';
import type { Statement } from '#platform/database/statement.ts';
import type { Tx } from '#platform/database.ts';
import { bucketOf } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import type { WebhookDeps } from './deps.ts';
import type { DueEvent, NewEvent, QueuedEvent } from './queries.ts';
import type { FirstState } from './rules.ts';

/** One event for one application. The bucket is that of the message's conversation. */
export interface OutgoingEvent {
  bucket: number;
  appId: string;
  type: EventType;
  /** Set if it is known before. */
  eventId?: string;
  /** The id of the event itself if it is not about a new message. */
  msgId: string;
  data: EventMessage | ChosenEventData;
  /** The result of `firstStateFor` for the application. */
  state: FirstState;
  at: number;
}

type Deps = Pick<Platform, 'keyring' | 'newId' | 'shards'> & Partial<Pick<WebhookDeps, 'memoryQueue'>>;
type Recorded = NewEvent & { isQueued: boolean };

/**
 * Writes events into the outbox, in the transaction of the message that causes them. The bytes of the body are
 * created here once; every attempt sends them. After the commit, call `announceEvents`.
 *
 * @returns their ids, in the same order
 */
export async function recordEvents(tx: Tx, deps: Deps, events: OutgoingEvent[]): Promise<string[]> {
  const rows = toRows(deps, events);
  if (deps.shards.isDistributed) {
    const queued = rows.filter(({ isQueued }) => isQueued);
    await Promise.all([insertEvents(tx, rows), insertQueued(tx, queued.map(toFresh).map(toQueued))]);
  } else if (rows.length > 0) await tx`with ${insertingEvents(tx, rows)} select`;
  return rows.map(({ deliveryId }) => deliveryId);
}

/**
 * The same as a part of the statement that stores the messages, on a single PostgreSQL: only for messages in
 * its table `stored`.
 */
export function recordingEvents(tx: Tx, deps: Deps, events: OutgoingEvent[]): Statement {
  return insertingEvents(tx, toRows(deps, events), tx`where msg_id in (select msg_id from stored)`);
}

function toRows({ keyring, newId, memoryQueue }: Omit<Deps, 'shards'>, events: OutgoingEvent[]): Recorded[] {
  const texts = new Map<OutgoingEvent['data'], Buffer>();
  return events.map((event) => {
    const { bucket, appId, type, msgId, data, state, at } = event;
    const { eventId: deliveryId = newId('dlv') } = event;
    const text = texts.get(data) ?? Buffer.from(JSON.stringify({ type, data }));
    texts.set(data, text);
    const { ciphertext: body, keyId: bodyKeyId } = sealBody(keyring, deliveryId, text);
    const isDue = state === 'pending';
    const workerId = (isDue && memoryQueue?.workerFor(appId)) || null;
    const isQueued = isDue && workerId === null;
    const row = { bucket, deliveryId, appId, type, msgId, body, bodyKeyId, createdAt: at, workerId };
    if (workerId !== null) memoryQueue?.record(event, { ...toHeld(row), body: text, isOpen: true });
    return { ...row, isQueued };
  });
}

export function sealBody(keyring: Keyring, deliveryId: string, body: Buffer): Sealed {
  return keyring.seal(contextOf(deliveryId), body);
}

/** A new event: it is due at once. */
function toFresh({ workerId, createdAt, ...event }: NewEvent): DueEvent {
  const due = {
    state: 'pending',
    attempts: 0,
    logged: 0,
    nextAttemptAt: createdAt,
    replayedAt: null,
  } as const;
  return { ...event, ...due };
}

/** An event that this worker has in memory. */
export function toHeld(event: NewEvent): DueEvent {
  return { ...toFresh(event), isHeld: true };
}

/** After the commit: wakes up delivery and event streams. */
export function announceEvents(
  { dueDeliveries, memoryQueue, live }: WebhookDeps,
  events: readonly Pick<OutgoingEvent, 'appId' | 'state'>[],
): void {
  const due = events.filter(({ state }) => state === 'pending');
  if (due.length > 0 && memoryQueue.confirm(due) < due.length) dueDeliveries.raise();
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

/** Pipelined with the following statements: none waits for another's answer. */
async function insertEvents(tx: Tx, events: NewEvent[]): Promise<void> {
  await Promise.all(
    inChunks(events).map(
      (rows) => tx`
        insert into events ${tx(rows, 'bucket', 'deliveryId', 'appId', 'type', 'msgId', 'body', 'bodyKeyId', 'createdAt', 'workerId')}`,
    ),
  );
}

/** A row of the queue. */
export type NewQueued = Omit<QueuedEvent, 'replayedAt'> & Pick<NewEvent, 'type' | 'createdAt'>;

/** An event that has not been attempted, as it goes into the queue. */
export function toQueued(event: DueEvent): NewQueued {
  const { bucket, deliveryId, appId, type, state, attempts, logged, nextAttemptAt } = event;
  const createdAt = nextAttemptAt;
  return { bucket, deliveryId, appId, type, state, attempts, logged, nextAttemptAt, createdAt };
}

/** Leaves out those that are in the queue already. */
export async function insertQueued(tx: Tx, events: NewQueued[]): Promise<void> {
  const rows = events.map((event) => ({ ...event, appBucket: bucketOf(event.appId) }));
  await Promise.all(
    inChunks(rows).map(
      (some) => tx`
        insert into event_queue ${tx(some, 'bucket', 'deliveryId', 'appId', 'appBucket', 'type', 'state', 'attempts', 'logged', 'nextAttemptAt', 'createdAt')}
        on conflict (bucket, delivery_id) do nothing`,
    ),
  );
}

/**
 * Both in one statement, for a single PostgreSQL, from arrays, which cost less than rows of values; Citus accepts only rows of
 * values for one table.
 */
function insertingEvents(tx: Tx, events: readonly Recorded[], condition: Statement = tx``): Statement {
  return tx`
    recorded as materialized (
      select bucket, delivery_id, app_id, app_bucket, type, msg_id, body, body_key_id, created_at, worker_id, is_queued from unnest(
        ${events.map(({ bucket }) => bucket)}::integer[], ${events.map(({ deliveryId }) => deliveryId)}::text[],
        ${events.map(({ appId }) => appId)}::text[], ${events.map(({ appId }) => bucketOf(appId))}::integer[],
        ${events.map(({ type }) => type)}::text[], ${events.map(({ msgId }) => msgId)}::text[],
        ${events.map(({ body }) => body)}::bytea[], ${events.map(({ bodyKeyId }) => bodyKeyId)}::integer[],
        ${events.map(({ createdAt }) => createdAt)}::bigint[], ${events.map(({ workerId }) => workerId)}::integer[],
        ${events.map(({ isQueued }) => isQueued)}::boolean[]
      ) as recorded (bucket, delivery_id, app_id, app_bucket, type, msg_id, body, body_key_id, created_at, worker_id, is_queued)
      ${condition}
    ), queued as (
      insert into event_queue
        (bucket, delivery_id, app_id, app_bucket, type, state, attempts, logged, next_attempt_at, created_at)
      select bucket, delivery_id, app_id, app_bucket, type, 'pending', 0, 0, created_at, created_at
      from recorded where is_queued
    ), kept as (
      insert into events (bucket, delivery_id, app_id, type, msg_id, body, body_key_id, created_at, worker_id)
      select bucket, delivery_id, app_id, type, msg_id, body, body_key_id, created_at, worker_id from recorded
    )`;
}
