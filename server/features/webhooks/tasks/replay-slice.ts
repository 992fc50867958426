import type { Tx } from '#platform/database.ts';
import { firstIdAt } from '#platform/ids.ts';
import { sliceAfterSlice } from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';
import { findFeed } from '../feed/queries.ts';
import { findRecordedAfter } from '../log/queries.ts';
import { findStanding, type LoggedRow, stateOf } from '../log/standing.ts';
import { type LockedTask, updateTaskAfter, updateTaskSince } from './queries.ts';
import { insertReplayed, type Replay, updateReplayed, updateReplayedSince } from './replay-queries.ts';

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
    if (!shards.isDistributed) await updateTaskSince(tx, task, Math.max(...times));
    return { count: times.length, hasMore: true };
  }
  const unsent = rows.filter(
    (row) => row.type !== 'ping' && row.createdAt >= since && stateOf(row, fetchedPosition) === 'unsent',
  );
  const count = times.length + (await replayUnsent(tx, appId, unsent, replay));
  const last = rows.length === limit ? rows.at(-1) : undefined;
  if (last) await updateTaskAfter(tx, task, last.deliveryId);
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
