import { inChunks } from '#platform/database/chunks.ts';
import type { Tx } from '#platform/database.ts';
import { bucketOf, firstIdAt } from '#platform/ids.ts';
import { sliceAfterSlice, withinShard } from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';
import { findFeed } from '../feed/queries.ts';
import { findStanding, type LoggedRow, stateOf } from '../log/event-log.ts';
import { findRecordedAfter, type RecordedRow } from '../log/queries.ts';
import type { EventKey, OpenSlice } from '../queries.ts';
import { type LockedTask, updateTask } from './queries.ts';

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
  { appId, since, at, notSince, limit, shards, part }: OpenSlice & Omit<Replay, 'by'> & { since: number },
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

/** A second click within this time has no further effect. */
export const SAME_REQUEST_MS = 10_000;

type Deps = Pick<Platform, 'clock' | 'shards'>;

/**
 * Makes one slice of an application's events due again: those that failed since a time, and those that were
 * never sent. The latter are searched for in the log, because events outside the queue have no index.
 *
 * @returns how many are due again; `hasMore` when a slice was full
 */
export async function replaySlice(
  tx: Tx,
  { clock, shards }: Deps,
  task: LockedTask,
  limit: number,
): Promise<{ count: number; hasMore: boolean }> {
  const { appId, requestedAt, since: from, afterId } = task;
  const since = from ?? 0;
  const { fetchedPosition } = await findFeed(tx, appId);
  const after = afterId ?? firstIdAt('dlv', since);
  const rows = await findStanding(tx, await findRecordedAfter(tx, appId, { after, limit }));
  const at = clock.now();
  const replay = { by: 'webhook' as const, at, notSince: requestedAt - SAME_REQUEST_MS };
  const slice = { appId, since, at, notSince: replay.notSince, shards };
  const times: number[] = [];
  await sliceAfterSlice(shards, limit, async (part, left) => {
    const ofShard = await updateReplayedSince(tx, { ...slice, limit: left, part });
    times.push(...ofShard);
    return ofShard.length;
  });
  if (times.length >= limit) {
    // Each shard has reached a different time.
    if (!shards.isDistributed) await updateTask(tx, { ...task, since: Math.max(...times) });
    return { count: times.length, hasMore: true };
  }
  const unsent = rows.filter(
    (row) => row.type !== 'ping' && row.createdAt >= since && stateOf(row, fetchedPosition) === 'unsent',
  );
  const count = times.length + (await replayUnsent(tx, appId, unsent, replay));
  const last = rows.length === limit ? rows.at(-1) : undefined;
  if (last) await updateTask(tx, { ...task, afterId: last.deliveryId });
  return { count, hasMore: last !== undefined };
}

/** They are not in the queue, except those that a bot had replayed into its feed. */
async function replayUnsent(tx: Tx, appId: string, events: LoggedRow[], replay: Replay): Promise<number> {
  let count = 0;
  const unsent = events.filter(({ state }) => state === null);
  for (const ofBucket of Map.groupBy(unsent, ({ bucket }) => bucket).values()) {
    const rows = ofBucket.map((event) => ({ ...event, appId, logged: event.seq ?? 0 }));
    count += await insertReplayed(tx, rows, replay);
  }
  for (const event of events) {
    if (event.state !== null && (await updateReplayed(tx, event, replay))) count++;
  }
  return count;
}
