import { eachByItself } from '#platform/concurrency/each-by-itself.ts';
import type { Db } from '#platform/database.ts';
import { eachShardByItself, readEachShard, type ShardPart } from '#platform/partitioning/shards.ts';
import type { WebhookDeps } from '../deps.ts';
import {
  type AlertRow,
  findLatestAlert,
  findUnalerted,
  insertNotices,
  lockLiving,
  takeUnalerted,
  updateNoticesDue,
  upsertAlert,
} from './queries.ts';

const MINUTES_BETWEEN = 5;
const ALERTS_PER_STEP = 100;
const EVENTS_PER_SLICE = 1_000;
/** How late contacts are notified if the worker dies while counting the events. */
const COUNTED_WITHIN_MS = 60_000;

/**
 * One step: creates an alert about the abandoned events of each application that had none in the last 5
 * minutes. The abandoned rows are the queue, so that none is lost; later ones share the next alert.
 *
 * @returns how many alerts were created
 */
export async function raiseAlerts(deps: WebhookDeps): Promise<number> {
  const { db, clock, shards, log } = deps;
  const at = clock.now();
  const unalerted = await readEachShard(
    shards,
    (part) => findUnalerted(db, { shards, part }),
    (err) => log.error({ err }, 'the abandoned events of a shard cannot be read'),
  );
  let raised = 0;
  const raise = async (appId: string) => {
    if (raised < ALERTS_PER_STEP && (await isDue(db, appId, at)) && (await raiseAlert(deps, appId, at)))
      raised++;
  };
  await eachByItself(new Set(unalerted), raise, 'not every alert could be raised');
  return raised;
}

/** It had no alert in the last 5 minutes. */
async function isDue(db: Db, appId: string, at: number): Promise<boolean> {
  return ((await findLatestAlert(db, appId)) ?? Number.NEGATIVE_INFINITY) <= at - MINUTES_BETWEEN * 60_000;
}

/**
 * There are no alerts about deleted applications. The events are marked in slices; the contacts are notified
 * when all are counted.
 */
async function raiseAlert(deps: WebhookDeps, appId: string, at: number): Promise<boolean> {
  const { db, newId, log, shards } = deps;
  let alert: AlertRow | undefined;
  let contacts = 0;
  const takeSlice = (part: ShardPart) =>
    db.begin(async (tx) => {
      const isLiving = await lockLiving(tx, appId);
      // Another worker may have been here first.
      if (!alert && !(await isDue(tx, appId, at))) return undefined;
      const events = await takeUnalerted(tx, appId, { at, limit: EVENTS_PER_SLICE, shards, part });
      if (events.length === 0 || !isLiving) return undefined;
      const counted = add(alert ?? { ...EMPTY, appId, alertId: newId('alr'), createdAt: at }, events);
      await upsertAlert(tx, counted);
      if (!alert) contacts = await insertNotices(tx, counted, at + COUNTED_WITHIN_MS);
      return { counted, hasMore: events.length >= EVENTS_PER_SLICE };
    });
  await eachShardByItself(shards, async (part) => {
    for (let hasMore = true; hasMore; ) {
      const taken = await takeSlice(part);
      alert = taken?.counted ?? alert;
      hasMore = taken?.hasMore === true;
    }
  });
  if (!alert) return false;
  const { alertId, eventCount } = alert as AlertRow;
  await db.begin((tx) => updateNoticesDue(tx, { appId, alertId }, at));
  log.warn({ appId, alertId, events: eventCount, contacts }, 'events were abandoned');
  return true;
}

const EMPTY = { eventCount: 0, eventCounts: {}, firstEventAt: Number.POSITIVE_INFINITY, lastEventAt: 0 };

function add(alert: AlertRow, events: Awaited<ReturnType<typeof takeUnalerted>>): AlertRow {
  const eventCounts = { ...alert.eventCounts };
  for (const { type } of events) eventCounts[type] = (eventCounts[type] ?? 0) + 1;
  const times = events.map(({ createdAt }) => createdAt);
  return {
    ...alert,
    eventCount: alert.eventCount + events.length,
    eventCounts,
    firstEventAt: Math.min(alert.firstEventAt, ...times),
    lastEventAt: Math.max(alert.lastEventAt, ...times),
  };
}
