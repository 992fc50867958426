import type { EventFilter, LoggedEvent, LoggedEventDetails, LoggedState } from '#contract/webhooks.ts';
import type { Applications, Owned } from '#features/applications/index.ts';
import type { Db } from '#platform/database.ts';
import { notFound } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { findFeed } from '../feed/queries.ts';
import { type AttemptEntry, viewAttempt } from './attempt-log.ts';
import { findAttempts, findLatest, findLogged, findLoggedOfMessages, type LoggedRow } from './queries.ts';

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
  const deliveryIds = rows.map(({ deliveryId }) => deliveryId);
  const attempts = await findAttempts(db, { bucket: messages.bucket, deliveryIds });
  return rows.map((row) => viewDetails(row, attempts, feed.fetchedPosition));
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
  const attempts = await findAttempts(db, { bucket: row.bucket, deliveryIds: [eventId] });
  return viewDetails(row, attempts, (await findFeed(db, own.appId)).fetchedPosition);
}

export function eventNotFound() {
  return notFound('event.unknown');
}

function viewDetails(
  row: LoggedRow,
  attempts: Map<string, AttemptEntry[]>,
  fetchedPosition: number,
): LoggedEventDetails {
  return {
    ...viewEvent(row, fetchedPosition),
    attemptLog: (attempts.get(row.deliveryId) ?? []).map(viewAttempt),
  };
}

/** Where an event stands; what is not in the queue has ended with its latest attempt, or was never sent. */
function stateOf({ state, latestEntry, feedPosition }: LoggedRow, fetchedPosition: number): LoggedState {
  if (!latestEntry || state === 'unsent') {
    const isFetched = feedPosition !== null && feedPosition <= fetchedPosition;
    return state !== null && state !== 'unsent' ? state : isFetched ? 'fetched' : 'unsent';
  }
  return state ?? (latestEntry.errorClass === undefined ? 'delivered' : 'abandoned');
}

function viewEvent(row: LoggedRow, fetchedPosition: number): LoggedEvent {
  const { deliveryId, type, msgId, createdAt, latestEntry, nextAttemptAt, replayedAt } = row;
  const latencyMs = latestEntry?.timings?.at(-1);
  return {
    eventId: deliveryId,
    createdAt,
    type,
    ...(type !== 'ping' && { msgId }),
    state: stateOf(row, fetchedPosition),
    attempts: row.attempts ?? latestEntry?.attempt ?? 0,
    ...(latestEntry?.status !== undefined && { status: latestEntry.status }),
    ...(latencyMs != null && { latencyMs }),
    ...(latestEntry?.errorClass !== undefined && { errorClass: latestEntry.errorClass }),
    ...(nextAttemptAt !== null && { nextAttemptAt }),
    ...(replayedAt !== null && { replayedAt }),
  };
}
