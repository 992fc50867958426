import type { Platform } from '#platform/platform.ts';
import { viewAttempt } from '../attempts/attempt-log.ts';
import { findLatestAttempts } from '../attempts/queries.ts';
import { openBodyIfReadable } from '../record-events.ts';
import { findBodies, findDeadLetters } from './queries.ts';

/** An event that was abandoned. */
export interface DeadLetter {
  eventId: string;
  createdAt: number;
  failedAt: number;
  attempts: number;
  message: string;
  /** The bytes that a webhook gets. */
  body: Buffer;
}

export interface DeadLetterPart {
  /** Without unreadable ones. */
  deadLetters: DeadLetter[];
  /** Missing at the end. */
  nextAfter?: string;
}

/** The events that neither the bot nor its webhook handled, oldest first. */
export async function readDeadLetters(
  { db, keyring }: Pick<Platform, 'db' | 'keyring'>,
  appId: string,
  { after = '', limit }: { after: string | undefined; limit: number },
): Promise<DeadLetterPart> {
  const rows = await findDeadLetters(db, appId, { after, limit });
  const sealed = new Map((await findBodies(db, rows)).map((event) => [event.deliveryId, event]));
  const latest = new Map((await findLatestAttempts(db, rows)).map((made) => [made.deliveryId, made.entry]));
  const deadLetters = rows.flatMap(({ deliveryId: eventId, attempts }) => {
    const event = sealed.get(eventId);
    const body = event && openBodyIfReadable(keyring, event);
    if (!body) return [];
    const { createdAt } = event;
    const entry = latest.get(eventId);
    const { at, message = '' } = entry ? viewAttempt(entry) : { at: createdAt };
    return [{ eventId, createdAt, failedAt: at, attempts, message, body }];
  });
  const last = rows.length === limit ? rows.at(-1)?.deliveryId : undefined;
  return { deadLetters, ...(last !== undefined && { nextAfter: last }) };
}
