import { invalidArgument } from '#platform/errors.ts';
import { shardAfterShard } from '#platform/partitioning/shards.ts';
import type { WebhookDeps } from '../deps.ts';
import { openBodyIfReadable } from '../record-events.ts';
import {
  findEventsAfter,
  findFeed,
  hasUnpositioned,
  lockFeed,
  lockUnpositioned,
  updateFetched,
  updateLastPosition,
  updatePositions,
} from './queries.ts';

/** The number of positions assigned in one transaction. */
const MAX_ASSIGNED = 1000;

/**
 * Reads an application's events in the order of their positions. They are assigned here, after the commit and
 * under a lock per application, so that no event ever appears before one that was already read. Recording
 * events never waits for this, and events that are never fetched cost nothing.
 *
 * @returns the events with the bytes that a webhook gets, without unreadable ones, since a bot might act on a partial one; the
 * position of the last one read, whether readable or not; whether there are more, to be read at once; and whether the next one
 * is locked, to be read soon
 * @throws ApiError 400 for a position that was never assigned
 */
export async function readFeed(
  deps: WebhookDeps,
  appId: string,
  { after, limit }: { after: number; limit: number },
) {
  // In this order, because another reader may have assigned a position in between.
  const isAnyUnpositioned = await hasUnpositioned(deps.db, appId);
  if (isAnyUnpositioned) await assignPositions(deps, appId);
  const rows = await findEventsAfter(deps.db, appId, { after, limit });
  const isBehind = isAnyUnpositioned && rows.length < limit && (await hasUnpositioned(deps.db, appId));
  if (rows.length === 0 && after > (await findFeed(deps.db, appId)).lastPosition) {
    throw invalidArgument('after', 'not-a-cursor-here');
  }
  const events = rows.flatMap(({ feedPosition, deliveryId, type, createdAt, ...sealed }) => {
    const body = openBodyIfReadable(deps.keyring, { deliveryId, ...sealed });
    return body ? { position: feedPosition, eventId: deliveryId, type, createdAt, body } : [];
  });
  const end = rows.at(-1)?.feedPosition ?? after;
  return { events, end, hasMore: rows.length === limit, isBehind };
}

/** The position of the last event so far. */
export async function findEndOfFeed(deps: WebhookDeps, appId: string): Promise<number> {
  while (await hasUnpositioned(deps.db, appId)) if ((await assignPositions(deps, appId)) === 0) break;
  return (await findFeed(deps.db, appId)).lastPosition;
}

/** Records that the bot has fetched the events up to here: those without a webhook URL count as received. */
export async function markFetched({ db }: WebhookDeps, appId: string, position: number): Promise<void> {
  await db.write((tx) => updateFetched(tx, appId, position));
}

async function assignPositions({ db, shards }: WebhookDeps, appId: string): Promise<number> {
  const events = await db.begin(async (tx) => {
    const lastPosition = await lockFeed(tx, appId);
    const slice = { limit: MAX_ASSIGNED, shards };
    const locked = await shardAfterShard(shards, (part) => lockUnpositioned(tx, appId, { ...slice, part }));
    const unpositioned = locked.flat().sort((one, other) => (one.deliveryId < other.deliveryId ? -1 : 1));
    if (unpositioned.length === 0) return unpositioned;
    const positioned = unpositioned.map((event, i) => ({ ...event, feedPosition: lastPosition + 1 + i }));
    for (const ofShard of Map.groupBy(positioned, ({ bucket }) => shards.of(bucket)).values())
      await updatePositions(tx, ofShard);
    await updateLastPosition(tx, appId, lastPosition + unpositioned.length);
    return unpositioned;
  });
  return events.length;
}
