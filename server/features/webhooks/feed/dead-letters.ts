import type { Platform } from '#platform/platform.ts';
import { viewAttempt } from '../log/attempt-log.ts';
import { openBodyIfReadable } from '../record-events.ts';
import { findDeadLetters } from './queries.ts';

/** An event that was given up. */
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
  /** Without those that cannot be read. */
  deadLetters: DeadLetter[];
  /** Missing at the end. */
  nextAfter?: string;
}

/** What the bot or its webhook did not handle, the oldest first. */
export async function readDeadLetters(
  { db, keyring }: Pick<Platform, 'db' | 'keyring'>,
  appId: string,
  { after = '', limit }: { after: string | undefined; limit: number },
): Promise<DeadLetterPart> {
  const rows = await findDeadLetters(db, appId, { after, limit });
  const deadLetters = rows.flatMap(({ deliveryId: eventId, createdAt, attempts, latestEntry, ...sealed }) => {
    const body = openBodyIfReadable(keyring, { deliveryId: eventId, ...sealed });
    const { at, message = '' } = latestEntry ? viewAttempt(latestEntry) : { at: createdAt };
    return body ? [{ eventId, createdAt, failedAt: at, attempts, message, body }] : [];
  });
  const last = rows.length === limit ? rows.at(-1)?.deliveryId : undefined;
  return { deadLetters, ...(last !== undefined && { nextAfter: last }) };
}
