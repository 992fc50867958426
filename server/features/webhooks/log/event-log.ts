import type { EventFilter, LoggedEvent, LoggedEventDetails } from '#contract/webhooks.ts';
import type { Applications, Owned } from '#features/applications/index.ts';
import type { Db } from '#platform/database.ts';
import { notFound } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { findFeed } from '../feed/queries.ts';
import { type AttemptEntry, viewAttempt } from './attempt-log.ts';
import { findLatest, findLogged, findLoggedOfMessages, type LoggedRow } from './queries.ts';

export type LogDeps = Pick<Platform, 'db'> & { applications: Applications };

/** Contract §8. */
export const LOGGED_EVENTS = 100;

/** The last 100 events of an application, or those of them that the filter lets through, the newest first. */
export async function listEvents(
  { db, applications }: LogDeps,
  own: Owned,
  { state, type, since }: EventFilter,
): Promise<LoggedEvent[]> {
  await applications.requireOwn(own);
  const events = await findLatestEvents(db, own.appId, LOGGED_EVENTS);
  return events.filter(
    (event) =>
      (state === undefined || event.state === state) &&
      (type === undefined || event.type === type) &&
      (since === undefined || event.createdAt >= Number(since)),
  );
}

/** The newest event of an application, for those who checked whose it is. */
export async function findLastEvent(db: Db, appId: string): Promise<LoggedEvent | undefined> {
  const [event] = await findLatestEvents(db, appId, 1);
  return event;
}

/** The latest events of an application, whoever owns it, the newest first. */
export async function findLatestEvents(db: Db, appId: string, limit: number): Promise<LoggedEvent[]> {
  const [rows, { fetchedPosition }] = [await findLatest(db, appId, limit), await findFeed(db, appId)];
  return rows.map((row) => viewEvent(row, fetchedPosition));
}

/** The events of messages of one conversation for one application, with every attempt. */
export async function findEventsOfMessages(
  db: Db,
  messages: { appId: string; bucket: number; msgIds: string[] },
): Promise<LoggedEventDetails[]> {
  const [rows, feed] = [await findLoggedOfMessages(db, messages), await findFeed(db, messages.appId)];
  return rows.map((row) => viewDetails(row, feed.fetchedPosition));
}

/** @throws ApiError 404 */
export async function showEvent(
  { db, applications }: LogDeps,
  own: Owned,
  eventId: string,
): Promise<LoggedEventDetails> {
  await applications.requireOwn(own);
  const row = isId('dlv', eventId) ? await findLogged(db, own.appId, eventId) : undefined;
  if (!row) throw eventNotFound();
  return viewDetails(row, (await findFeed(db, own.appId)).fetchedPosition);
}

export function eventNotFound() {
  return notFound('event.unknown');
}

function viewDetails(
  row: LoggedRow & { attemptLog: AttemptEntry[] },
  fetchedPosition: number,
): LoggedEventDetails {
  return { ...viewEvent(row, fetchedPosition), attemptLog: row.attemptLog.map(viewAttempt) };
}

function viewEvent(row: LoggedRow, fetchedPosition: number): LoggedEvent {
  const { deliveryId, type, msgId, attempts, createdAt, latestEntry, nextAttemptAt, replayedAt } = row;
  const isFetched = row.feedPosition !== null && row.feedPosition <= fetchedPosition;
  const state = row.state === 'unsent' && isFetched ? 'fetched' : row.state;
  const latencyMs = latestEntry?.timings?.at(-1);
  // While an attempt is under way, the column holds the end of its lease.
  const isWaiting = nextAttemptAt !== null && !row.isUnderWay;
  return {
    eventId: deliveryId,
    createdAt,
    type,
    ...(type !== 'ping' && { msgId }),
    state,
    attempts,
    ...(latestEntry?.status !== undefined && { status: latestEntry.status }),
    ...(latencyMs != null && { latencyMs }),
    ...(latestEntry?.errorClass !== undefined && { errorClass: latestEntry.errorClass }),
    ...(isWaiting && { nextAttemptAt }),
    ...(replayedAt !== null && { replayedAt }),
  };
}
