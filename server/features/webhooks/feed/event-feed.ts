import { invalidArgument } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { openBodyIfReadable } from '../record-events.ts';
import {
  findLastPosition,
  findPlacedAfter,
  hasUnplaced,
  lockFeed,
  lockUnplaced,
  placeAfter,
  updateLastPosition,
} from './queries.ts';

/** So many events get their places in one transaction. */
const PLACED_AT_ONCE = 1000;

type Deps = Pick<Platform, 'db' | 'keyring' | 'dueDeliveries'>;

export interface FeedEvent {
  position: number;
  eventId: string;
  type: string;
  createdAt: number;
  /** The bytes that a webhook gets. */
  body: Buffer;
}

export interface FeedPart {
  /** Without those that cannot be read: a bot that is handed half an event would act on it. */
  events: FeedEvent[];
  /** The place of the last event that was looked at, readable or not. */
  end: number;
  /** There is more: ask again at once. */
  hasMore: boolean;
  /** A worker held an event that comes next: ask again soon. */
  isBehind: boolean;
}

/**
 * Reads an application's events in the order of their places. Places are given here, after the commit and under a lock
 * per application, so that no event ever appears before one that was read; who records events waits for nothing, and
 * those that nobody fetches cost nothing.
 *
 * @throws ApiError 400 for a place that was never given
 */
export async function readFeed(
  deps: Deps,
  appId: string,
  { after, limit }: { after: number; limit: number },
): Promise<FeedPart> {
  // In this order: what had no place a moment ago may have got one from another reader since.
  const isAnyUnplaced = await hasUnplaced(deps.db, appId);
  if (isAnyUnplaced) await placeEvents(deps, appId);
  const rows = await findPlacedAfter(deps.db, appId, { after, limit });
  const isBehind = isAnyUnplaced && rows.length < limit && (await hasUnplaced(deps.db, appId));
  if (rows.length === 0 && after > (await findLastPosition(deps.db, appId))) {
    throw invalidArgument('after', 'is no cursor of this application');
  }
  const events = rows.flatMap(({ feedPosition, deliveryId, type, createdAt, ...sealed }) => {
    const body = openBodyIfReadable(deps.keyring, { deliveryId, ...sealed });
    return body ? { position: feedPosition, eventId: deliveryId, type, createdAt, body } : [];
  });
  const end = rows.at(-1)?.feedPosition ?? after;
  return { events, end, hasMore: rows.length === limit, isBehind };
}

/** The place after everything that has happened so far. */
export async function findEndOfFeed(deps: Deps, appId: string): Promise<number> {
  while (await hasUnplaced(deps.db, appId)) if ((await placeEvents(deps, appId)) === 0) break;
  return findLastPosition(deps.db, appId);
}

async function placeEvents({ db, dueDeliveries }: Deps, appId: string): Promise<number> {
  const events = await db.begin(async (tx) => {
    const lastPosition = await lockFeed(tx, appId);
    const unplaced = await lockUnplaced(tx, appId, PLACED_AT_ONCE);
    if (unplaced.length === 0) return unplaced;
    await placeAfter(tx, unplaced, lastPosition);
    await updateLastPosition(tx, appId, lastPosition + unplaced.length);
    return unplaced;
  });
  if (events.some(({ isDue }) => isDue)) dueDeliveries.raise();
  return events.length;
}
