import type { Db, Tx } from '#platform/database.ts';

export interface EventTask {
  appId: string;
  kind: 'follow-state' | 'replay';
  requestedAt: number;
  /** Of a replay. */
  since: number | null;
}

/** A task locked by a worker. */
export interface LockedTask extends EventTask {
  /** The event up to which a replay has searched for unsent ones; undefined before it begins. */
  afterId: string | null;
}

export type TaskKey = Pick<EventTask, 'appId' | 'kind'>;

/** An existing one starts over; of two replays the one that reaches further back applies. */
export async function upsertTask(tx: Tx, { appId, kind, requestedAt, since }: EventTask): Promise<void> {
  await tx`
    insert into event_tasks as task (app_id, kind, requested_at, since)
    values (${appId}, ${kind}, ${requestedAt}, ${since})
    on conflict (app_id, kind) do update
    set requested_at = excluded.requested_at, since = least(task.since, excluded.since), after_id = null`;
}

/** The oldest first; a read over all shards, for the worker. */
export async function findTasks(db: Db, limit: number): Promise<TaskKey[]> {
  return db<TaskKey[]>`select app_id, kind from event_tasks order by requested_at limit ${limit}`;
}

/** Undefined if it is done, or locked by another worker. */
export async function lockTask(tx: Tx, { appId, kind }: TaskKey): Promise<LockedTask | undefined> {
  const [task] = await tx<LockedTask[]>`
    select app_id, kind, requested_at, since, after_id from event_tasks
    where app_id = ${appId} and kind = ${kind}
    for update skip locked`;
  return task;
}

/** Stores where a replay continues. */
export async function updateTask(tx: Tx, { appId, kind, since, afterId }: LockedTask): Promise<void> {
  await tx`
    update event_tasks set since = ${since}, after_id = ${afterId} where app_id = ${appId} and kind = ${kind}`;
}

export async function deleteTask(tx: Tx, { appId, kind }: TaskKey): Promise<void> {
  await tx`delete from event_tasks where app_id = ${appId} and kind = ${kind}`;
}
