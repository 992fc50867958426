import { inChunks } from '#platform/database/chunks.ts';
import type { Tx } from '#platform/database.ts';
import { bucketOf } from '#platform/ids.ts';
import type { NewEvent } from './queries.ts';

/** Sent at once, as the statements after it: none waits for the other's answer. */
export async function insertEvents(tx: Tx, events: NewEvent[]): Promise<void> {
  await Promise.all(
    inChunks(events).map(
      (rows) => tx`
        insert into events ${tx(rows, 'bucket', 'deliveryId', 'appId', 'type', 'msgId', 'body', 'bodyKeyId', 'createdAt')}`,
    ),
  );
}

/** They are due from the moment when they happened. */
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

/**
 * Both for one PostgreSQL, at once and from arrays, which cost less than rows of values; Citus takes nothing else. Only what is
 * due goes into the queue.
 */
export async function insertEventsTogether(
  tx: Tx,
  events: readonly (NewEvent & { isDue: boolean })[],
): Promise<void> {
  await tx`
    with recorded as materialized (
      select bucket, delivery_id, app_id, app_bucket, type, msg_id, body, body_key_id, created_at, is_due from unnest(
        ${events.map(({ bucket }) => bucket)}::integer[], ${events.map(({ deliveryId }) => deliveryId)}::text[],
        ${events.map(({ appId }) => appId)}::text[], ${events.map(({ appId }) => bucketOf(appId))}::integer[],
        ${events.map(({ type }) => type)}::text[], ${events.map(({ msgId }) => msgId)}::text[],
        ${events.map(({ body }) => body.toString('hex'))}::text[], ${events.map(({ bodyKeyId }) => bodyKeyId)}::integer[],
        ${events.map(({ createdAt }) => createdAt)}::bigint[], ${events.map(({ isDue }) => isDue)}::boolean[]
      ) as recorded (bucket, delivery_id, app_id, app_bucket, type, msg_id, body, body_key_id, created_at, is_due)
    ), queued as (
      insert into event_queue
        (bucket, delivery_id, app_id, app_bucket, type, state, attempts, logged, next_attempt_at, created_at)
      select bucket, delivery_id, app_id, app_bucket, type, 'pending', 0, 0, created_at, created_at
      from recorded where is_due
    )
    insert into events (bucket, delivery_id, app_id, type, msg_id, body, body_key_id, created_at)
    select bucket, delivery_id, app_id, type, msg_id, decode(body, 'hex'), body_key_id, created_at from recorded`;
}
