import { inChunks } from '#platform/database/chunks.ts';
import type { Statement } from '#platform/database/statement.ts';
import type { Tx } from '#platform/database.ts';
import { bucketOf } from '#platform/ids.ts';
import type { NewEvent } from './queries.ts';

/** Pipelined with the following statements: none waits for another's answer. */
export async function insertEvents(tx: Tx, events: NewEvent[]): Promise<void> {
  await Promise.all(
    inChunks(events).map(
      (rows) => tx`
        insert into events ${tx(rows, 'bucket', 'deliveryId', 'appId', 'type', 'msgId', 'body', 'bodyKeyId', 'createdAt')}`,
    ),
  );
}

/** They are due at once. */
export async function insertQueued(
  tx: Tx,
  events: Omit<NewEvent, 'body' | 'bodyKeyId' | 'msgId'>[],
): Promise<void> {
  const rows = events.map((event) => ({
    ...event,
    appBucket: bucketOf(event.appId),
    state: 'pending',
    attempts: 0,
    logged: 0,
    nextAttemptAt: event.createdAt,
  }));
  await Promise.all(
    inChunks(rows).map(
      (some) => tx`
        insert into event_queue ${tx(some, 'bucket', 'deliveryId', 'appId', 'appBucket', 'type', 'state', 'attempts', 'logged', 'nextAttemptAt', 'createdAt')}`,
    ),
  );
}

type Recorded = NewEvent & { isDue: boolean };

/** Both in one statement, for a single PostgreSQL; Citus accepts only rows of values for one table. */
export async function insertEventBatch(tx: Tx, events: readonly Recorded[]): Promise<void> {
  await tx`with ${insertingEvents(tx, events)} select`;
}

/** The same as part of a statement that stores messages: only for the messages in its table `stored`. */
export function insertingEventsOfStored(tx: Tx, events: readonly Recorded[]): Statement {
  return insertingEvents(tx, events, tx`where msg_id in (select msg_id from stored)`);
}

/** From arrays, which cost less than rows of values. Only due events go into the queue. */
function insertingEvents(tx: Tx, events: readonly Recorded[], condition: Statement = tx``): Statement {
  return tx`
    recorded as materialized (
      select bucket, delivery_id, app_id, app_bucket, type, msg_id, body, body_key_id, created_at, is_due from unnest(
        ${events.map(({ bucket }) => bucket)}::integer[], ${events.map(({ deliveryId }) => deliveryId)}::text[],
        ${events.map(({ appId }) => appId)}::text[], ${events.map(({ appId }) => bucketOf(appId))}::integer[],
        ${events.map(({ type }) => type)}::text[], ${events.map(({ msgId }) => msgId)}::text[],
        ${events.map(({ body }) => body.toString('hex'))}::text[], ${events.map(({ bodyKeyId }) => bodyKeyId)}::integer[],
        ${events.map(({ createdAt }) => createdAt)}::bigint[], ${events.map(({ isDue }) => isDue)}::boolean[]
      ) as recorded (bucket, delivery_id, app_id, app_bucket, type, msg_id, body, body_key_id, created_at, is_due)
      ${condition}
    ), queued as (
      insert into event_queue
        (bucket, delivery_id, app_id, app_bucket, type, state, attempts, logged, next_attempt_at, created_at)
      select bucket, delivery_id, app_id, app_bucket, type, 'pending', 0, 0, created_at, created_at
      from recorded where is_due
    ), kept as (
      insert into events (bucket, delivery_id, app_id, type, msg_id, body, body_key_id, created_at)
      select bucket, delivery_id, app_id, type, msg_id, decode(body, 'hex'), body_key_id, created_at from recorded
    )`;
}
