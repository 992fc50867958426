import type { LoggedEventDetails, Recovery } from '#contract/webhooks.ts';
import type { Owned } from '#features/applications/index.ts';
import { failedPrecondition } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import { upsertTask } from '../tasks/queries.ts';
import { SAME_REQUEST_MS, type TaskDeps, workOnTask } from '../tasks/work.ts';
import { findOwnTarget, type TargetDeps } from '../tools/own-target.ts';
import { eventNotFound, showEvent } from './event-log.ts';
import { findLogged, updateReplayed } from './queries.ts';

type Deps = TaskDeps & TargetDeps;

/**
 * Sends an event again: the same bytes and msgId, 8 fresh attempts, the first one now. One that is about to be sent, or
 * was sent again a moment ago, is left as it is.
 *
 * @throws ApiError 404; 400 for a ping, and while the application takes no webhooks
 */
export async function replayEvent(deps: Deps, own: Owned, eventId: string): Promise<LoggedEventDetails> {
  const { db, clock, dueDeliveries } = deps;
  await findOwnTarget(deps, own);
  const event = isId('dlv', eventId) ? await findLogged(db, own.appId, eventId) : undefined;
  if (!event) throw eventNotFound();
  if (event.type === 'ping') throw failedPrecondition('event.ping');
  const at = clock.now();
  const isBegun = await db.begin((tx) => updateReplayed(tx, event, { at, notSince: at - SAME_REQUEST_MS }));
  if (isBegun) dueDeliveries.raise();
  return showEvent(deps, own, eventId);
}

/**
 * Sends again all that failed at least once and happened at this time or later, whether it was abandoned or waits for
 * its next attempt: a first slice now, the rest by a worker. The receiver is not flooded: how much it gets at once grows
 * with what it takes.
 *
 * @throws ApiError 404; 400 while the application takes no webhooks
 */
export async function recoverEvents(deps: Deps, own: Owned, since: number): Promise<Recovery> {
  const { db, clock } = deps;
  await findOwnTarget(deps, own);
  const { appId } = own;
  const kind = 'replay';
  await db.begin((tx) => upsertTask(tx, { appId, kind, requestedAt: clock.now(), since }));
  const { count, hasMore } = await workOnTask(deps, { appId, kind });
  return { recovered: count, hasMore };
}
