import { inChunks } from '#platform/database/chunks.ts';
import type { Tx } from '#platform/database.ts';
import { bucketOf } from '#platform/ids.ts';
import { type ShardPart, type Shards, withinShard } from '#platform/partitioning/shards.ts';
import type { EventKey } from '../attempts/queries.ts';
import type { RecordedRow } from '../log/queries.ts';

/** The ways in which an event can be sent again. */
export type ReplayTarget = 'webhook' | 'feed';

export interface Replay {
  by: ReplayTarget;
  at: number;
  notSince: number;
}

function standingOf({ by, at }: Replay) {
  return by === 'webhook'
    ? { state: 'pending', nextAttemptAt: at, replayedAt: at }
    : { state: 'unsent', nextAttemptAt: null, replayedAt: at };
}

/** Restarts an event of the queue, with all its attempts; false if it was just restarted, or is due. */
export async function updateReplayed(
  tx: Tx,
  { bucket, deliveryId }: EventKey,
  replay: Replay,
): Promise<boolean> {
  const { state, nextAttemptAt, replayedAt } = standingOf(replay);
  const rows = await tx`
    update event_queue
    set state = ${state}, attempts = 0, next_attempt_at = ${nextAttemptAt}, replayed_at = ${replayedAt}
    where bucket = ${bucket} and delivery_id = ${deliveryId} and state in ('unsent', 'retrying', 'abandoned')
      and (next_attempt_at is null or next_attempt_at > ${replay.at})
      and (replayed_at is null or replayed_at <= ${replay.notSince})
    returning delivery_id`;
  return rows.length === 1;
}

export interface Requeued extends EventKey, Pick<RecordedRow, 'type' | 'createdAt'> {
  appId: string;
  /** Attempts so far. */
  logged: number;
}

/**
 * Puts events of one bucket back into the queue, or into it for the first time; returns how many were not
 * already there.
 */
export async function insertReplayed(tx: Tx, events: Requeued[], replay: Replay): Promise<number> {
  const rows = events.map((event) => ({
    ...event,
    ...standingOf(replay),
    appBucket: bucketOf(event.appId),
    attempts: 0,
  }));
  const inserted = await Promise.all(
    inChunks(rows).map(
      (some) => tx`
        insert into event_queue as replayed ${tx(some, 'bucket', 'deliveryId', 'appId', 'appBucket', 'type', 'state', 'attempts', 'logged', 'nextAttemptAt', 'replayedAt', 'createdAt')}
        on conflict (bucket, delivery_id) do nothing
        returning replayed.delivery_id`,
    ),
  );
  return inserted.flat().length;
}

/** Removes its position; it gets a new one when its feed is read. */
export async function updateUnpositioned(tx: Tx, { bucket, deliveryId }: EventKey): Promise<void> {
  await tx`
    update events set feed_position = null where bucket = ${bucket} and delivery_id = ${deliveryId}`;
}

/** Restarts events that failed at least once, the oldest first. Returns the time of each. */
export async function updateReplayedSince(
  tx: Tx,
  { appId, since, at, notSince, limit, shards, part }: ReplayedSince,
): Promise<number[]> {
  const within = (table: string) => withinShard(tx, shards, part, table);
  const replayed = await tx<{ createdAt: number }[]>`
    with failed as materialized (
      select bucket, delivery_id from event_queue
      where app_id = ${appId} and state in ('retrying', 'abandoned') and created_at >= ${since}
        and (next_attempt_at is null or next_attempt_at > ${at})
        and (replayed_at is null or replayed_at <= ${notSince})
        ${within('event_queue')}
      order by created_at
      limit ${tx.constant(limit)}
      for update skip locked
    )
    update event_queue as replayed
    set state = 'pending', attempts = 0, next_attempt_at = ${at}, replayed_at = ${at}
    from failed
    where replayed.bucket = failed.bucket and replayed.delivery_id = failed.delivery_id ${within('replayed')}
    returning replayed.created_at`;
  return replayed.map(({ createdAt }) => createdAt);
}

export interface ReplayedSince {
  appId: string;
  since: number;
  at: number;
  notSince: number;
  limit: number;
  shards: Pick<Shards, 'isDistributed'>;
  part: ShardPart;
}
