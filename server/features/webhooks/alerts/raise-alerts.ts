import { findEventReceivers } from '#features/applications/service.ts';
import type { Platform } from '#platform/platform.ts';
import {
  type AbandonedEvent,
  type AlertRow,
  findLatestAlerts,
  findUnalerted,
  insertAlert,
  insertNotices,
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
  const { db, clock } = deps;
  const appIds = await findUnalerted(db, APPLICATIONS_PER_STEP);
  if (appIds.length === 0) return 0;
  const at = clock.now();
  const latest = await findLatestAlerts(db, appIds);
  const living = new Set((await findEventReceivers(db, appIds)).map(({ appId }) => appId));
  let raised = 0;
  for (const appId of appIds) {
    if (at - (latest.get(appId) ?? Number.NEGATIVE_INFINITY) < MINUTES_BETWEEN * 60_000) continue;
    if (await raiseAlert(deps, { appId, at, isLiving: living.has(appId) })) raised++;
  }
  return raised;
}

/** Of a deleted application nobody is told. */
async function raiseAlert(
  { db, newId, log }: Deps,
  { appId, at, isLiving }: { appId: string; at: number; isLiving: boolean },
): Promise<boolean> {
  const raised = await db.begin(async (tx) => {
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
