import { setTimeout as pause } from 'node:timers/promises';
import type { Applications } from '#features/applications/index.ts';
import { eachByItself } from '#platform/concurrency/each-by-itself.ts';
import type { Tx } from '#platform/database.ts';
import { readEachShard, restMs, sliceAfterSlice } from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';
import type { WebhookDeps } from '../deps.ts';
import {
  endOpenDeliveries,
  findParkedApplications,
  parkDueDeliveries,
  unparkDeliveries,
} from '../queries.ts';
import { firstStateFor } from '../rules.ts';
import { deleteTask, findTasks, type LockedTask, lockTask, type TaskKey, upsertTask } from './queries.ts';
import { replaySlice } from './replay-queries.ts';

/** Some 20 ms of the database. */
const SLICE = 1_000;
const TASKS_PER_STEP = 100;

export type TaskDeps = Pick<Platform, 'db' | 'clock' | 'shards' | 'dueDeliveries'> & {
  applications: Pick<Applications, 'findEventReceivers'>;
};

export interface Slice {
  count: number;
  hasMore: boolean;
}

/**
 * One step of the worker: processes tasks in turn, a slice each, until they are done. It pauses for as long as
 * it worked, so that other events are not delayed. Returns after how many milliseconds to look again, if not soon: the first
 * slice of each task is processed by who requests it.
 */
export async function workOnTasks(deps: TaskDeps, signal?: AbortSignal): Promise<number | undefined> {
  let tasks = await findTasks(deps.db, TASKS_PER_STEP);
  const isIdle = tasks.length === 0;
  while (tasks.length > 0 && !signal?.aborted) {
    const unfinished: TaskKey[] = [];
    const workOnSlice = async (task: TaskKey) => {
      const startedAt = performance.now();
      const { hasMore } = await workOnTask(deps, task);
      if (hasMore) unfinished.push(task);
      await pause(performance.now() - startedAt);
    };
    await eachByItself(tasks, workOnSlice, 'not every task could be worked on');
    tasks = unfinished;
  }
  return isIdle ? restMs(deps.shards) : undefined;
}

/** Processes one slice of a task, and ends the task after the last one. */
export async function workOnTask(deps: TaskDeps, key: TaskKey): Promise<Slice> {
  const { db, dueDeliveries } = deps;
  const slice = await db.begin(async (tx) => {
    const task = await lockTask(tx, key);
    if (!task) return { count: 0, hasMore: false };
    const done = await work(tx, deps, task);
    if (!done.hasMore) await deleteTask(tx, key);
    return done;
  });
  if (slice.count > 0) dueDeliveries.raise();
  return slice;
}

async function work(tx: Tx, deps: TaskDeps, task: LockedTask): Promise<Slice> {
  const { kind, appId } = task;
  switch (kind) {
    case 'follow-state': {
      const count = await followState(tx, deps, appId);
      return { count, hasMore: count >= SLICE };
    }
    case 'replay': {
      const [receiver] = await deps.applications.findEventReceivers([appId], tx);
      return receiver ? replaySlice(tx, deps, task, SLICE) : { count: 0, hasMore: false };
    }
    default:
      return kind satisfies never;
  }
}

/**
 * Adapts one slice of an application's open events to its current state: due, waiting, unsent, or cancelled. Returns
 * how many changed.
 */
export async function followState(
  tx: Tx,
  { clock, applications, shards }: TaskDeps,
  appId: string,
): Promise<number> {
  const now = clock.now();
  const [receiver] = await applications.findEventReceivers([appId], tx);
  return sliceAfterSlice(shards, SLICE, (part, limit) => {
    const slice = { appId, limit, shards, part };
    const state = receiver ? firstStateFor(receiver) : 'cancelled';
    if (state === 'pending') return unparkDeliveries(tx, { ...slice, at: now });
    return state === undefined
      ? parkDueDeliveries(tx, { ...slice, dueBy: now })
      : endOpenDeliveries(tx, slice, state);
  });
}

/**
 * After an event's application was found disabled, deleted or without a URL: its other due events are parked, cancelled or
 * unsent at once.
 */
export async function followAtOnce(deps: TaskDeps, appId: string): Promise<void> {
  const changed = await deps.db.begin((tx) => followState(tx, deps, appId));
  if (changed > 0) deps.dueDeliveries.raise();
}

/**
 * Finds parked deliveries whose application receives events again, was deleted or has no URL any more, because a process died
 * while parking them. One step of the delivery worker, at its start and now and then.
 */
export async function resumeForgotten(deps: WebhookDeps): Promise<void> {
  const { db, clock, shards, log } = deps;
  const found = await readEachShard(
    shards,
    (part) => findParkedApplications(db, { shards, part }),
    (err) => log.error({ err }, 'the parked events of a shard cannot be read'),
  );
  const appIds = [...new Set(found)];
  if (appIds.length === 0) return;
  const receivers = await deps.applications.findEventReceivers(appIds);
  const waiting = new Set(
    receivers.filter((receiver) => firstStateFor(receiver) === undefined).map(({ appId }) => appId),
  );
  const requestedAt = clock.now();
  const resume = async (appId: string) => {
    await db.begin((tx) => upsertTask(tx, { appId, kind: 'follow-state', requestedAt, since: null }));
    await workOnTask(deps, { appId, kind: 'follow-state' });
  };
  const parked = appIds.filter((appId) => !waiting.has(appId));
  await eachByItself(parked, resume, 'not all that is parked could be resumed');
}
