import { say } from '#contract/reasons.ts';
import type { AcknowledgeEvents } from '#contract/webhooks/event-feed.ts';
import { invalidArgument } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import type { AttemptEntry } from '../attempts/attempt-log.ts';
import { insertAttempts } from '../attempts/queries.ts';
import { findAtPositions, findFeed, updateAcknowledged, upsertGivenUp } from './queries.ts';

type Failed = NonNullable<AcknowledgeEvents['failed']>[number];

/**
 * Stores the position up to which the bot handled its feed. Failed events are abandoned, like one whose 8th
 * webhook attempt failed: they are in the event log, contacts are alerted, and they can be replayed. Events
 * sent to the webhook are not affected.
 *
 * @throws ApiError 400 for a cursor that was never issued
 */
export async function acknowledgeEvents(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  appId: string,
  { upTo, failed = [] }: AcknowledgeEvents,
): Promise<void> {
  const { lastPosition } = await findFeed(db, appId);
  if (upTo !== undefined && Number(upTo) > lastPosition) throw invalidArgument('upTo', 'not-a-cursor-here');
  const byPosition = new Map(failed.map((event) => [Number(event.cursor), event]));
  for (const position of byPosition.keys()) {
    if (position > lastPosition) throw invalidArgument('failed', 'not-a-cursor-here');
  }
  const found = byPosition.size > 0 ? await findAtPositions(db, appId, [...byPosition.keys()]) : [];
  const at = clock.now();
  await db.begin(async (tx) => {
    for (const { feedPosition, ...event } of found) {
      const entry = entryOf(byPosition.get(feedPosition) as Failed, at);
      const queued = await upsertGivenUp(tx, appId, { ...event, attempts: entry.attempt });
      if (queued) await insertAttempts(tx, [{ ...event, ...queued, entry }]);
    }
    if (upTo !== undefined) await updateAcknowledged(tx, appId, Number(upTo));
  });
}

function entryOf({ attempts, error = 'Error' }: Failed, at: number): AttemptEntry {
  const { reason, values } = say('attempt.bot-failed', { attempts, error });
  return { attempt: attempts, at, errorClass: 'bot_failed', reason, values };
}
