import type { Platform } from '#platform/platform.ts';
import { deleteAlertsBefore } from '../alerts/queries.ts';
import { deleteEndedBefore } from './expiry-queries.ts';

const DAY_MS = 24 * 3_600_000;
/** So that one step never goes on for long; a busy server's next step goes on. */
const MAX_ROUNDS = 500;

/**
 * One step of the worker: forgets events past their time, and alerts with them. What is still to be sent is kept,
 * however old: it waits for its application to be reactivated.
 */
export async function removeExpiredEvents(
  { db, clock, config }: Pick<Platform, 'db' | 'clock' | 'config'>,
  { limit }: { limit: number },
): Promise<void> {
  const before = clock.now() - config.eventRetentionDays * DAY_MS;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if ((await db.write((tx) => deleteEndedBefore(tx, { before, limit }))) < limit) break;
  }
  await db.write((tx) => deleteAlertsBefore(tx, before));
}
