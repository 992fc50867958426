import type { Recovery, ShownEvent } from '#contract/webhooks.ts';
import { applicationNotFound, type DeliveryApplication, type Owned } from '#features/applications/index.ts';
import type { Db, Tx } from '#platform/database.ts';
import { failedPrecondition } from '#platform/errors.ts';
import type { WebhookDeps } from '../deps.ts';
import { findFeed } from '../feed/queries.ts';
import { findStanding, type LoggedRow, requireEvent, showEvent } from '../log/event-log.ts';
import { findRecorded } from '../log/queries.ts';
import { findOwnReceiver, findOwnTarget, requireTarget } from '../own-target.ts';
import { announceEvents } from '../record-events.ts';
import { upsertTask } from './queries.ts';
import {
  insertReplayed,
  type Replay,
  type ReplayTarget,
  SAME_REQUEST_MS,
  updateReplayed,
  updateUnpositioned,
} from './replay-queries.ts';
import { workOnTask } from './work.ts';

/**
 * Sends an event again: to the webhook with the same bytes and msgId and 8 new attempts, the first one now; to
 * a bot that fetches its events, and has no webhook, through the feed. An event that is about to be sent, or
 * was just sent again, is not affected.
 *
 * @throws ApiError 404; 400 for a ping, and while nothing can be sent
 */
export async function replayEvent(deps: WebhookDeps, own: Owned, eventId: string): Promise<ShownEvent> {
  const way = await findWay(deps, await findOwnReceiver(deps, own));
  const event = await requireEvent(deps.db, own.appId, eventId);
  if (event.type === 'ping') throw failedPrecondition('event.ping');
  await replay(deps, way, [event], (tx) =>
    deps.applications.recordAudit(tx, own, 'event.replayed', { eventId }),
  );
  return showEvent(deps, own, eventId);
}

/**
 * The same for the bot itself, and several events. Unknown ones are skipped.
 *
 * @returns how many are sent again
 * @throws ApiError 400 while nothing can be sent
 */
export async function replayEventsForBot(
  deps: WebhookDeps,
  appId: string,
  eventIds: string[],
): Promise<number> {
  const [receiver] = await deps.applications.findForDelivery([appId]);
  if (!receiver) throw applicationNotFound();
  const way = await findWay(deps, receiver);
  return replay(deps, way, await findReplayable(deps.db, appId, eventIds));
}

interface To {
  appId: string;
  by: ReplayTarget;
}

async function findWay({ db, clock }: WebhookDeps, receiver: DeliveryApplication): Promise<To> {
  const { appId, state, hasWebhookUrl } = receiver;
  const isFetching = state === 'active' && !hasWebhookUrl && (await findFeed(db, appId)).fetchedPosition > 0;
  if (isFetching) return { appId, by: 'feed' };
  requireTarget(receiver, clock.now());
  return { appId, by: 'webhook' };
}

async function replay(
  deps: WebhookDeps,
  { appId, by }: To,
  events: LoggedRow[],
  note?: (tx: Tx) => Promise<void>,
): Promise<number> {
  const at = deps.clock.now();
  const begun = await deps.db.begin(async (tx) => {
    let count = 0;
    for (const event of events) {
      if (await beginAnew(tx, appId, event, { by, at, notSince: at - SAME_REQUEST_MS })) count++;
    }
    if (count > 0) await note?.(tx);
    return count;
  });
  if (begun > 0) announceEvents(deps, [{ appId, state: by === 'webhook' ? 'pending' : 'unsent' }]);
  return begun;
}

async function beginAnew(tx: Tx, appId: string, event: LoggedRow, replay: Replay): Promise<boolean> {
  const isJustReplayed = event.replayedAt !== null && event.replayedAt > replay.notSince;
  if (event.state === null && isJustReplayed) return false;
  const requeued = { ...event, appId, logged: event.seq ?? 0 };
  const isBegun =
    event.state === null
      ? (await insertReplayed(tx, [requeued], replay)) === 1
      : await updateReplayed(tx, event, replay);
  if (isBegun && replay.by === 'feed') await updateUnpositioned(tx, event);
  return isBegun;
}

/**
 * Sends again all events since the given time that failed at least once, abandoned or waiting for their next
 * attempt, and all that were never sent for lack of a webhook URL: a first slice now, the rest by a worker. The
 * receiver is not flooded: concurrency grows with its successes.
 *
 * @throws ApiError 404; 400 while the application receives no webhooks
 */
export async function recoverEvents(deps: WebhookDeps, own: Owned, since: number): Promise<Recovery> {
  const { db, clock, applications } = deps;
  await findOwnTarget(deps, own);
  const { appId } = own;
  const kind = 'replay';
  await db.begin(async (tx) => {
    await upsertTask(tx, { appId, kind, requestedAt: clock.now(), since });
    await applications.recordAudit(tx, own, 'events.recovered', { since });
  });
  const { count, hasMore } = await workOnTask(deps, { appId, kind });
  return { recovered: count, hasMore };
}

/** Those of the events that the application has; no pings. */
async function findReplayable(db: Db, appId: string, eventIds: string[]): Promise<LoggedRow[]> {
  const recorded = await findRecorded(db, appId, eventIds);
  return findStanding(
    db,
    recorded.filter(({ type }) => type !== 'ping'),
  );
}
