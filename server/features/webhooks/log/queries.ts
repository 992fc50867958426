import type { DeliveryState, EventType } from '#contract/webhooks.ts';
import type { Db, Tx } from '#platform/database.ts';
import type { AttemptEntry } from './attempt-log.ts';

/** A delivery as the event log shows it; not its body. */
export interface LoggedRow {
  bucket: number;
  deliveryId: string;
  type: EventType;
  msgId: string;
  state: DeliveryState;
  attempts: number;
  nextAttemptAt: number | null;
  isUnderWay: boolean;
  createdAt: number;
  replayedAt: number | null;
  feedPosition: number | null;
  latestEntry: AttemptEntry | null;
}

/** The latest of an application, the newest first. A read over many shards: they lie with their conversations. */
export async function findLatest(db: Db, appId: string, limit: number): Promise<LoggedRow[]> {
  return db<LoggedRow[]>`
    select bucket, delivery_id, type, msg_id, state, attempts, next_attempt_at, lease_owner is not null as is_under_way,
      created_at, replayed_at, feed_position, attempt_log -> -1 as latest_entry
    from deliveries where app_id = ${appId} order by delivery_id desc limit ${limit}`;
}

/** A read over many shards: only the id of the event is known. */
export async function findLogged(
  db: Db,
  appId: string,
  deliveryId: string,
): Promise<(LoggedRow & { attemptLog: AttemptEntry[] }) | undefined> {
  const [row] = await db<(LoggedRow & { attemptLog: AttemptEntry[] })[]>`
    select bucket, delivery_id, type, msg_id, state, attempts, next_attempt_at, lease_owner is not null as is_under_way,
      created_at, replayed_at, feed_position, attempt_log -> -1 as latest_entry, attempt_log
    from deliveries where app_id = ${appId} and delivery_id = ${deliveryId}`;
  return row;
}

/** The events of messages that lie in one bucket, for one application. */
export async function findLoggedOfMessages(
  db: Db,
  { appId, bucket, msgIds }: { appId: string; bucket: number; msgIds: string[] },
): Promise<(LoggedRow & { attemptLog: AttemptEntry[] })[]> {
  return db<(LoggedRow & { attemptLog: AttemptEntry[] })[]>`
    select bucket, delivery_id, type, msg_id, state, attempts, next_attempt_at, lease_owner is not null as is_under_way,
      created_at, replayed_at, feed_position, attempt_log -> -1 as latest_entry, attempt_log
    from deliveries where bucket = ${bucket} and app_id = ${appId} and msg_id = any(${msgIds})`;
}

/** Those of the events that the application has; no pings. A read over many shards. */
export async function findReplayable(
  db: Db,
  appId: string,
  deliveryIds: string[],
): Promise<Pick<LoggedRow, 'bucket' | 'deliveryId'>[]> {
  return db<Pick<LoggedRow, 'bucket' | 'deliveryId'>[]>`
    select bucket, delivery_id from deliveries
    where app_id = ${appId} and delivery_id = any(${deliveryIds}) and type <> 'ping'`;
}

/** A read over many shards: only the id of the event is known. */
export async function findSealed(
  db: Db,
  appId: string,
  deliveryId: string,
): Promise<SealedEvent | undefined> {
  const [row] = await db<SealedEvent[]>`
    select delivery_id, body, body_key_id from deliveries where app_id = ${appId} and delivery_id = ${deliveryId}`;
  return row;
}

export interface SealedEvent {
  deliveryId: string;
  body: Buffer;
  bodyKeyId: number;
}

/** The event of a message, if it is among the latest of its application. */
export async function findLatestOfMessage(
  db: Db,
  { appId, msgId, among }: { appId: string; msgId: string; among: number },
): Promise<SealedEvent | undefined> {
  const [row] = await db<SealedEvent[]>`
    select delivery_id, body, body_key_id
    from (
      select delivery_id, msg_id, body, body_key_id
      from deliveries where app_id = ${appId} order by delivery_id desc limit ${among}
    ) as latest
    where msg_id = ${msgId} limit 1`;
  return row;
}

export interface Ended {
  bucket: number;
  deliveryId: string;
  appId: string;
  type: EventType;
  body: Buffer;
  bodyKeyId: number;
  state: DeliveryState;
  entry: AttemptEntry;
  at: number;
}

/** An event whose only attempt was made before it was recorded. Nobody is alerted of it: its owner is looking on. */
export async function insertEnded(tx: Tx, event: Ended): Promise<void> {
  await tx`
    insert into deliveries (bucket, delivery_id, app_id, type, msg_id, body, body_key_id, state, attempts, attempt_log,
      created_at, alerted_at)
    values (${event.bucket}, ${event.deliveryId}, ${event.appId}, ${event.type}, ${event.deliveryId}, ${event.body},
      ${event.bodyKeyId}, ${event.state}, 1, ${JSON.stringify([event.entry])}::text::jsonb, ${event.at}, ${event.at})`;
}

/**
 * Begins a delivery anew: with all its attempts at the webhook, or at the end of the feed. False when that was done just now
 * or an attempt is under way.
 */
export async function updateReplayed(
  tx: Tx,
  { bucket, deliveryId }: Pick<LoggedRow, 'bucket' | 'deliveryId'>,
  { by, at, notSince }: { by: 'webhook' | 'feed'; at: number; notSince: number },
): Promise<boolean> {
  const [state, nextAttemptAt] = by === 'webhook' ? ['pending', at] : ['unsent', null];
  const rows = await tx`
    update deliveries
    set state = ${state}, attempts = 0, next_attempt_at = ${nextAttemptAt}, replayed_at = ${at},
      feed_position = case when ${by} = 'feed' then null else feed_position end
    where bucket = ${bucket} and delivery_id = ${deliveryId}
      and state in ('unsent', 'retrying', 'delivered', 'abandoned') and lease_owner is null
      and (replayed_at is null or replayed_at <= ${notSince})
    returning delivery_id`;
  return rows.length === 1;
}

/** The same for what failed at least once, the oldest first. Returns when each happened. */
export async function updateReplayedSince(
  tx: Tx,
  { appId, since, at, notSince, limit }: ReplayedSince,
): Promise<number[]> {
  const replayed = await tx<{ createdAt: number }[]>`
    with failed as materialized (
      select bucket, delivery_id from deliveries
      where app_id = ${appId} and state in ('retrying', 'abandoned') and created_at >= ${since}
        and type <> 'ping' and lease_owner is null and (replayed_at is null or replayed_at <= ${notSince})
      order by created_at
      limit ${tx.constant(limit)}
      for update skip locked
    )
    update deliveries as replayed
    set state = 'pending', attempts = 0, next_attempt_at = ${at}, replayed_at = ${at}
    from failed
    where replayed.bucket = failed.bucket and replayed.delivery_id = failed.delivery_id
    returning replayed.created_at`;
  return replayed.map(({ createdAt }) => createdAt);
}

export interface ReplayedSince {
  appId: string;
  since: number;
  at: number;
  notSince: number;
  limit: number;
}
