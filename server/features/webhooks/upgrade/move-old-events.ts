import { inChunks } from '#platform/database/chunks.ts';
import type { Tx } from '#platform/database.ts';
import { bucketOf } from '#platform/ids.ts';
import { restMs, sliceAfterSlice } from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';
import { insertAttempts } from '../attempts/queries.ts';
import {
  hasOld,
  insertMoved,
  insertMovedInQueue,
  type OldEvent,
  type Slice,
  takeAny,
  takeOf,
  takeOpen,
} from './queries.ts';

/** Some 20 ms of the database. */
const LIMIT = 512;

type Deps = Pick<Platform, 'db' | 'clock' | 'dueDeliveries' | 'shards'>;

/**
 * One step of the worker: moves the events of the previous version to the new tables, undelivered ones first.
 * That version may be running and still write events. Returns after how many milliseconds to look again, if not soon.
 */
export async function moveOldEvents(deps: Deps, signal?: AbortSignal): Promise<number | undefined> {
  let isAny = false;
  for (const take of [takeOpen, takeAny]) {
    let moved = LIMIT;
    while (!signal?.aborted && moved === LIMIT) {
      moved = await move(deps, take);
      isAny ||= moved > 0;
    }
  }
  return isAny ? undefined : restMs(deps.shards);
}

/** A reader of the feed must not miss an event that is moved later. */
export async function moveOldEventsOf(deps: Deps, appId: string): Promise<void> {
  if (!(await hasOld(deps.db, appId))) return;
  while ((await move(deps, (tx, slice) => takeOf(tx, appId, slice))) === LIMIT);
}

async function move(
  { db, clock, shards, dueDeliveries }: Deps,
  take: (tx: Tx, slice: Slice) => Promise<OldEvent[]>,
): Promise<number> {
  let isAnyDue = false;
  const moved = await sliceAfterSlice(shards, LIMIT, (part, limit) =>
    db.begin(async (tx) => {
      const events = await take(tx, { now: clock.now(), limit, shards, part });
      for (const some of inChunks(events)) await store(tx, some);
      isAnyDue ||= events.some(({ nextAttemptAt }) => nextAttemptAt !== null);
      return events.length;
    }),
  );
  if (isAnyDue) dueDeliveries.raise();
  return moved;
}

async function store(tx: Tx, events: OldEvent[]): Promise<void> {
  const queued = events
    // A failed ping is not sent again, and its owner saw the result.
    .filter(({ state, type }) => state !== 'unsent' && state !== 'delivered' && type !== 'ping')
    .map((event) => ({ ...event, appBucket: bucketOf(event.appId), logged: event.attemptLog.length }));
  const attempts = events.flatMap(({ bucket, deliveryId, replayedAt, attemptLog }) =>
    attemptLog.map((entry, i) => ({ bucket, deliveryId, replayedAt, logged: i + 1, entry })),
  );
  await insertMoved(tx, events);
  if (queued.length > 0) await insertMovedInQueue(tx, queued);
  await insertAttempts(tx, attempts);
}
