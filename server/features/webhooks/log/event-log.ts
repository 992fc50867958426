import type { LoggedState } from '#contract/choices.ts';
import { passes } from '#contract/webhooks/event-filter.ts';
import type {
  Attempt,
  EventFilter,
  LoggedEvent,
  LoggedEventDetails,
  ShownEvent,
} from '#contract/webhooks.ts';
import type { Owned } from '#features/applications/index.ts';
import { withoutAbsent } from '#platform/absent.ts';
import type { Keyring } from '#platform/crypto/keyring.ts';
import type { Db } from '#platform/database.ts';
import { notFound } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import { openAnswer } from '../attempts/answer.ts';
import { type AttemptEntry, viewAttempt } from '../attempts/attempt-log.ts';
import { findAttempts, findLatestAttempts, type MadeAttempt } from '../attempts/queries.ts';
import type { WebhookDeps } from '../deps.ts';
import { findFeed } from '../feed/queries.ts';
import type { QueueState } from '../queries.ts';
import { findLatest, findOfMessages, findQueued, findRecorded, type RecordedRow } from './queries.ts';

/** Contract §8. */
export const LOGGED_EVENTS = 100;

/** The last 100 events of an application, filtered if requested, the newest first. */
export async function listEvents(
  { db, applications }: WebhookDeps,
  own: Owned,
  filter: EventFilter,
): Promise<LoggedEvent[]> {
  await applications.requireOwn(own);
  const events = await findLatestEvents(db, own.appId, LOGGED_EVENTS);
  return events.filter((event) => passes(filter, event));
}

/** The newest event of an application, for callers that have checked its owner. */
export async function findLastEvent(db: Db, appId: string): Promise<LoggedEvent | undefined> {
  const [event] = await findLatestEvents(db, appId, 1);
  return event;
}

/** The latest events of an application, whoever owns it, the newest first. */
export async function findLatestEvents(db: Db, appId: string, limit: number): Promise<LoggedEvent[]> {
  const rows = await findStanding(db, await findLatest(db, appId, { limit }));
  const { fetchedPosition } = await findFeed(db, appId);
  return rows.map((row) => viewEvent(row, fetchedPosition));
}

/** The events of messages of one conversation for one application, with every attempt. */
export async function findEventsOfMessages(
  db: Db,
  messages: { appId: string; bucket: number; msgIds: string[] },
): Promise<LoggedEventDetails[]> {
  const rows = await findStanding(db, await findOfMessages(db, messages));
  const feed = await findFeed(db, messages.appId);
  const deliveryIds = rows.map(({ deliveryId }) => deliveryId);
  const attempts = await findAttempts(db, { bucket: messages.bucket, deliveryIds });
  return rows.map((row) => ({
    ...viewEvent(row, feed.fetchedPosition),
    attemptLog: (attempts.get(row.deliveryId) ?? []).map(({ entry }) => viewAttempt(entry)),
  }));
}

/** The latest attempt of the newest event of an application, for callers that have checked its owner. */
export async function findLastAttempt(db: Db, appId: string): Promise<Attempt | undefined> {
  const [row] = await findStanding(db, await findLatest(db, appId, { limit: 1 }));
  return row?.latestEntry ? viewAttempt(row.latestEntry) : undefined;
}

/**
 * One event, with what its receiver answered.
 *
 * @throws ApiError 404
 */
export async function showEvent(
  { db, applications, keyring }: WebhookDeps,
  own: Owned,
  eventId: string,
): Promise<ShownEvent> {
  await applications.requireOwn(own);
  const row = await requireEvent(db, own.appId, eventId);
  const attempts = await findAttempts(db, { bucket: row.bucket, deliveryIds: [eventId] });
  const { fetchedPosition } = await findFeed(db, own.appId);
  return {
    ...viewEvent(row, fetchedPosition),
    attemptLog: (attempts.get(eventId) ?? []).map((made) => viewWithAnswer(keyring, made)),
  };
}

/** @throws ApiError 404 */
export async function requireEvent(db: Db, appId: string, eventId: string): Promise<LoggedRow> {
  const recorded = isId('dlv', eventId) ? await findRecorded(db, appId, [eventId]) : [];
  const [row] = await findStanding(db, recorded);
  if (!row) throw eventNotFound();
  return row;
}

export function eventNotFound() {
  return notFound('event.unknown');
}

function viewWithAnswer(
  keyring: Keyring,
  { deliveryId, seq, entry, answer: ciphertext, answerKeyId: keyId }: MadeAttempt,
): ShownEvent['attemptLog'][number] {
  const answer =
    ciphertext !== null && keyId !== null
      ? openAnswer(keyring, { deliveryId, seq }, { ciphertext, keyId })
      : undefined;
  return { ...viewAttempt(entry), number: seq, ...(answer && { answer }) };
}

export function viewEvent(row: LoggedRow, fetchedPosition: number): LoggedEvent {
  const { deliveryId, type, msgId, createdAt, latestEntry, nextAttemptAt, replayedAt } = row;
  return withoutAbsent({
    eventId: deliveryId,
    createdAt,
    type,
    msgId: isId('msg', msgId) ? msgId : undefined,
    state: stateOf(row, fetchedPosition),
    attempts: row.attempts ?? latestEntry?.attempt ?? 0,
    host: latestEntry?.host,
    status: latestEntry?.status,
    latencyMs: latestEntry?.timings?.at(-1),
    errorClass: latestEntry?.errorClass,
    nextAttemptAt,
    replayedAt,
  });
}

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
    // In the memory of its worker, or about to be found by another.
    const isHeld = !standing && !made && event.workerId !== null;
    return {
      ...event,
      state: standing?.state ?? (isHeld ? 'pending' : null),
      attempts: standing?.attempts ?? null,
      nextAttemptAt: standing?.nextAttemptAt ?? (isHeld ? event.createdAt : null),
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
