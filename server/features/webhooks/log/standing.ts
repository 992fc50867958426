import type { LoggedState } from '#contract/webhooks.ts';
import type { Db } from '#platform/database.ts';
import type { AttemptEntry } from '../attempts/attempt-log.ts';
import { findLatestAttempts } from '../attempts/queries.ts';
import type { QueueState } from '../queries.ts';
import { findQueued, type RecordedRow } from './queries.ts';

/** An event with its state in the queue and its latest attempt. */
export interface LoggedRow extends RecordedRow {
  /** Null if it is not in the queue: delivered, never sent, or a ping. */
  state: QueueState | null;
  attempts: number | null;
  nextAttemptAt: number | null;
  replayedAt: number | null;
  latestEntry: AttemptEntry | null;
  /** Of the latest attempt. */
  seq: number | null;
}

/**
 * In the order of the events. With separate statements, because Citus cannot join rows with the latest of
 * another table.
 */
export async function findStanding(db: Db, events: RecordedRow[]): Promise<LoggedRow[]> {
  if (events.length === 0) return [];
  // In this order, because an event that leaves the queue in between has an attempt by then.
  const queued = new Map((await findQueued(db, events)).map((row) => [row.deliveryId, row]));
  const latest = new Map((await findLatestAttempts(db, events)).map((row) => [row.deliveryId, row]));
  return events.map((event) => {
    const standing = queued.get(event.deliveryId);
    const made = latest.get(event.deliveryId);
    return {
      ...event,
      state: standing?.state ?? null,
      attempts: standing?.attempts ?? null,
      nextAttemptAt: standing?.nextAttemptAt ?? null,
      replayedAt: standing?.replayedAt ?? made?.replayedAt ?? null,
      latestEntry: made?.entry ?? null,
      seq: made?.seq ?? null,
    };
  });
}

/** An event that is not in the queue has ended with its latest attempt, or was never sent. */
export function stateOf(
  { state, latestEntry, feedPosition }: LoggedRow,
  fetchedPosition: number,
): LoggedState {
  if (!latestEntry || state === 'unsent') {
    const isFetched = feedPosition !== null && feedPosition <= fetchedPosition;
    return state !== null && state !== 'unsent' ? state : isFetched ? 'fetched' : 'unsent';
  }
  return state ?? (latestEntry.errorClass === undefined ? 'delivered' : 'abandoned');
}
