import { setTimeout as pause } from 'node:timers/promises';
import type { Applications } from '#features/applications/index.ts';
import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { shardAfterShard, sliceAfterSlice } from '#platform/shards.ts';
import { updateReplayedSince } from '../log/queries.ts';
import {
  cancelOpenDeliveries,
  findParkedApplications,
  parkDueDeliveries,
  unparkDeliveries,
} from '../queries.ts';
import { firstStateFor } from '../rules.ts';
import {
  deleteTask,
  type EventTask,
  findTasks,
  lockTask,
  type TaskKey,
  updateTaskSince,
  upsertTask,
} from './queries.ts';

/** Some 20 ms of the database. */
const SLICE = 1_000;
const TASKS_PER_STEP = 100;
/** A second click within this time finds the first one's work done. */
export const SAME_REQUEST_MS = 10_000;

export type TaskDeps = Pick<Platform, 'db' | 'clock' | 'shards' | 'dueDeliveries'> & {
  applications: Pick<Applications, 'findEventReceivers'>;
};

export interface Slice {
  count: number;
  hasMore: boolean;
}

/**
 * One step of the worker: takes the tasks that there are in turns, a slice each, until they are done, and rests as long as
 * it works, so that others' events are not delayed.
 */
export async function workOnTasks(deps: TaskDeps, signal?: AbortSignal): Promise<void> {
  let tasks = await findTasks(deps.db, TASKS_PER_STEP);
  while (tasks.length > 0 && !signal?.aborted) {
    const unfinished: TaskKey[] = [];
    for (const task of tasks) {
      const startedAt = performance.now();
      const { hasMore } = await workOnTask(deps, task);
      if (hasMore) unfinished.push(task);
      await pause(performance.now() - startedAt);
    }
    tasks = unfinished;
  }
}

/** One slice of one task, and the end of it when that was the last. */
export async function workOnTask(deps: TaskDeps, key: TaskKey): Promise<Slice> {
  const { db, dueDeliveries } = deps;
  const slice = await db.begin(async (tx) => {
    const task = await lockTask(tx, key);
    if (!task) return { count: 0, hasMore: false };
    const count = await work(tx, deps, task);
    const hasMore = count >= SLICE;
    if (!hasMore) await deleteTask(tx, key);
    return { count, hasMore };
  });
  if (slice.count > 0) dueDeliveries.raise();
  return slice;
}

async function work(tx: Tx, deps: TaskDeps, task: EventTask): Promise<number> {
  switch (task.kind) {
    case 'follow-state':
      return followState(tx, deps, task.appId);
    case 'replay':
      return replay(tx, deps, task);
    default:
      return task.kind satisfies never;
  }
}

/** Makes one slice of an application's open events what it is now: due, waiting, or cancelled. Returns how many changed. */
export async function followState(
  tx: Tx,
  { clock, applications, shards }: TaskDeps,
  appId: string,
): Promise<number> {
  const now = clock.now();
  const [receiver] = await applications.findEventReceivers([appId], tx);
  return sliceAfterSlice(shards, SLICE, (part, limit) => {
    const slice = { appId, limit, shards, part };
    if (!receiver) return cancelOpenDeliveries(tx, slice);
    if (firstStateFor(receiver) === 'pending') return unparkDeliveries(tx, { ...slice, at: now });
    return parkDueDeliveries(tx, { ...slice, dueBy: now });
  });
}

/** An event has found its application disabled or deleted: what is due beside it waits, or ends, at once. */
export async function followAtOnce(deps: TaskDeps, appId: string): Promise<void> {
  const changed = await deps.db.begin((tx) => followState(tx, deps, appId));
  if (changed > 0) deps.dueDeliveries.raise();
}

/**
 * Finds parked deliveries whose application takes events again, or is gone: a process died while it parked them. One step
 * of the delivery worker, at its start and now and then.
 */
export async function resumeForgotten(deps: TaskDeps): Promise<void> {
  const { db, clock, shards } = deps;
  const found = await shardAfterShard(shards, (part) => findParkedApplications(db, { shards, part }));
  const appIds = [...new Set(found.flat())];
  if (appIds.length === 0) return;
  const receivers = await deps.applications.findEventReceivers(appIds);
  const waiting = new Set(
    receivers.filter((receiver) => firstStateFor(receiver) !== 'pending').map(({ appId }) => appId),
  );
  const requestedAt = clock.now();
  for (const appId of appIds.filter((one) => !waiting.has(one))) {
    await db.begin((tx) => upsertTask(tx, { appId, kind: 'follow-state', requestedAt, since: null }));
    await workOnTask(deps, { appId, kind: 'follow-state' });
  }
}

async function replay(
  tx: Tx,
  { clock, applications, shards }: TaskDeps,
  { appId, kind, requestedAt, since }: EventTask,
): Promise<number> {
  const [receiver] = await applications.findEventReceivers([appId], tx);
  if (!receiver) return 0;
  const notSince = requestedAt - SAME_REQUEST_MS;
  const slice = { appId, since: since ?? 0, at: clock.now(), notSince, shards };
  const times: number[] = [];
  await sliceAfterSlice(shards, SLICE, async (part, limit) => {
    const ofShard = await updateReplayedSince(tx, { ...slice, limit, part });
    times.push(...ofShard);
    return ofShard.length;
  });
  // Of several shards each is elsewhere in time.
  if (times.length === SLICE && !shards.isDistributed)
    await updateTaskSince(tx, { appId, kind }, Math.max(...times));
  return times.length;
}
