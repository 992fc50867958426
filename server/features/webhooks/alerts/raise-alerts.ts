import type { Db } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import {
  type AbandonedEvent,
  type AlertRow,
  findLatestAlerts,
  findUnalerted,
  insertAlert,
  insertNotices,
  lockLiving,
  takeUnalerted,
} from './queries.ts';

const MINUTES_BETWEEN = 5;
const APPLICATIONS_PER_STEP = 100;
const EVENTS_PER_ALERT = 10_000;

type Deps = Pick<Platform, 'db' | 'clock' | 'newId' | 'log'>;

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

/** Of a deleted application nobody is told. */
async function raiseAlert({ db, newId, log }: Deps, appId: string, at: number): Promise<boolean> {
  const raised = await db.begin(async (tx) => {
    const isLiving = await lockLiving(tx, appId);
    // Another worker may have been here first.
    if ((await dueOf(tx, [appId], at)).length === 0) return undefined;
    const events = await takeUnalerted(tx, appId, { at, limit: EVENTS_PER_ALERT });
    if (events.length === 0 || !isLiving) return undefined;
    const alert = digest({ appId, alertId: newId('alr'), createdAt: at }, events);
    await insertAlert(tx, alert);
    return { alert, contacts: await insertNotices(tx, alert) };
  });
  if (!raised) return false;
  const { alert, contacts } = raised;
  log.warn({ appId, alertId: alert.alertId, events: alert.eventCount, contacts }, 'events were abandoned');
  return true;
}

function digest(head: Pick<AlertRow, 'appId' | 'alertId' | 'createdAt'>, events: AbandonedEvent[]): AlertRow {
  const eventCounts: Record<string, number> = {};
  let [firstEventAt, lastEventAt] = [Number.POSITIVE_INFINITY, 0];
  for (const { type, createdAt } of events) {
    eventCounts[type] = (eventCounts[type] ?? 0) + 1;
    firstEventAt = Math.min(firstEventAt, createdAt);
    lastEventAt = Math.max(lastEventAt, createdAt);
  }
  return { ...head, eventCount: events.length, eventCounts, firstEventAt, lastEventAt };
}
