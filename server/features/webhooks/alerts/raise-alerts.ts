import type { Db } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { shardAfterShard } from '#platform/shards.ts';
import {
  type AbandonedEvent,
  type AlertRow,
  findLatestAlerts,
  findUnalerted,
  insertAlert,
  insertNotices,
  lockLiving,
  takeUnalerted,
  updateAlertCounts,
  updateNoticesDue,
} from './queries.ts';

const MINUTES_BETWEEN = 5;
const APPLICATIONS_PER_STEP = 100;
const EVENTS_PER_SLICE = 1_000;
/** Contacts are told so late when whoever counts the events dies over it. */
const COUNTED_WITHIN_MS = 60_000;

type Deps = Pick<Platform, 'db' | 'clock' | 'newId' | 'log' | 'shards'>;

/**
 * One step: makes an alert of the abandoned events of each application that had none in the last 5 minutes. The
 * abandoned rows are the queue, so that none is forgotten whatever dies; those that come meanwhile share the next.
 *
 * @returns how many alerts were made
 */
export async function raiseAlerts(deps: Deps): Promise<number> {
  const at = deps.clock.now();
  const unalerted = await findUnalerted(deps.db, APPLICATIONS_PER_STEP);
  let raised = 0;
  for (const appId of await dueOf(deps.db, unalerted, at)) {
    if (await raiseAlert(deps, appId, at)) raised++;
  }
  return raised;
}

/** Those that had no alert in the last 5 minutes. */
async function dueOf(db: Db, appIds: string[], at: number): Promise<string[]> {
  if (appIds.length === 0) return [];
  const latest = await findLatestAlerts(db, appIds);
  const since = at - MINUTES_BETWEEN * 60_000;
  return appIds.filter((appId) => (latest.get(appId) ?? Number.NEGATIVE_INFINITY) <= since);
}

/** Of a deleted application nobody is told. The events are taken in slices; the contacts are told when all are counted. */
async function raiseAlert(deps: Deps, appId: string, at: number): Promise<boolean> {
  const { db, newId, log, shards } = deps;
  let alert: AlertRow | undefined;
  let contacts = 0;
  let count: number;
  do {
    count = await db.begin(async (tx) => {
      const isLiving = await lockLiving(tx, appId);
      // Another worker may have been here first.
      if (!alert && (await dueOf(tx, [appId], at)).length === 0) return 0;
      const slice = { at, limit: EVENTS_PER_SLICE, shards };
      const taken = await shardAfterShard(shards, (part) => takeUnalerted(tx, appId, { ...slice, part }));
      const events = taken.flat();
      if (events.length === 0 || !isLiving) return 0;
      if (alert) {
        alert = add(alert, events);
        await updateAlertCounts(tx, alert);
      } else {
        alert = add(begin({ appId, alertId: newId('alr'), createdAt: at }), events);
        await insertAlert(tx, alert);
        contacts = await insertNotices(tx, alert, at + COUNTED_WITHIN_MS);
      }
      return events.length;
    });
  } while (count >= EVENTS_PER_SLICE);
  if (!alert) return false;
  const { alertId, eventCount } = alert;
  await db.begin((tx) => updateNoticesDue(tx, { appId, alertId }, at));
  log.warn({ appId, alertId, events: eventCount, contacts }, 'events were abandoned');
  return true;
}

function begin(head: Pick<AlertRow, 'appId' | 'alertId' | 'createdAt'>): AlertRow {
  return { ...head, eventCount: 0, eventCounts: {}, firstEventAt: Number.POSITIVE_INFINITY, lastEventAt: 0 };
}

function add(alert: AlertRow, events: AbandonedEvent[]): AlertRow {
  const eventCounts = { ...alert.eventCounts };
  let { firstEventAt, lastEventAt } = alert;
  for (const { type, createdAt } of events) {
    eventCounts[type] = (eventCounts[type] ?? 0) + 1;
    firstEventAt = Math.min(firstEventAt, createdAt);
    lastEventAt = Math.max(lastEventAt, createdAt);
  }
  const eventCount = alert.eventCount + events.length;
  return { ...alert, eventCount, eventCounts, firstEventAt, lastEventAt };
}
