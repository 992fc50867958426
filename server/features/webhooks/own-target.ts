import {
  type ApplicationHook,
  applicationNotFound,
  type DeliveryApplication,
  type Owned,
} from '#features/applications/index.ts';
import type { Tx } from '#platform/database.ts';
import { failedPrecondition } from '#platform/errors.ts';
import { deleteContacts } from './alerts/contact-queries.ts';
import { deleteBreaker } from './breakers.ts';
import type { WebhookDeps } from './deps.ts';
import { type Target, targetOf } from './rules.ts';
import { upsertTask } from './tasks/queries.ts';
import { type TaskDeps, workOnTask } from './tasks/work.ts';

/** An owner's application as the delivery of events sees it. @throws ApiError 404 */
export async function findOwnReceiver(
  { applications }: WebhookDeps,
  own: Owned,
): Promise<DeliveryApplication> {
  await applications.requireOwn(own);
  const [receiver] = await applications.findForDelivery([own.appId]);
  if (!receiver) throw applicationNotFound();
  return receiver;
}

/**
 * The current target of events of an owner's application.
 *
 * @throws ApiError 404; 400 with the reason if there is none
 */
export async function findOwnTarget(deps: WebhookDeps, own: Owned): Promise<Target> {
  return requireTarget(await findOwnReceiver(deps, own), deps.clock.now());
}

/** @throws ApiError 400 with the reason why nothing is sent */
export function requireTarget(receiver: DeliveryApplication, now: number): Target {
  const target = targetOf(receiver, now);
  if (target === 'cancelled') throw applicationNotFound();
  if (target === 'unreadable_url') throw failedPrecondition('webhook.url-unreadable');
  if (target === 'unreadable_secret') throw failedPrecondition('webhook.secret-unreadable');
  if (target === 'unsent') throw failedPrecondition('webhook.no-url');
  if (target === 'parked') throw failedPrecondition('webhook.not-sent', { state: receiver.state });
  return target;
}

/**
 * Adapts an application's open events to its state: a first slice before the owner is answered, and the rest
 * by a worker.
 */
export function createWebhookApplicationHook(deps: TaskDeps): ApplicationHook {
  const follow = async (appId: string) => {
    await workOnTask(deps, { appId, kind: 'follow-state' });
  };
  return {
    async deleted(tx, application) {
      await requestFollowing(tx, application);
      // No alerts about a deleted application, and no stored addresses.
      await deleteContacts(tx, application.appId);
    },
    // An attempt that is in progress and fails later is ended by the next claim.
    afterDeletion: follow,
    retargeted: requestFollowing,
    afterReopening: follow,
  };
}

/** The application now has another endpoint, or none. */
async function requestFollowing(tx: Tx, { appId, at }: { appId: string; at: number }): Promise<void> {
  await deleteBreaker(tx, appId);
  await upsertTask(tx, { appId, kind: 'follow-state', requestedAt: at, since: null });
}
