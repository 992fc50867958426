import { applicationNotFound, type DeliveryApplication, type Owned } from '#features/applications/index.ts';
import { failedPrecondition } from '#platform/errors.ts';
import type { WebhookDeps } from './deps.ts';
import { type Target, targetOf } from './rules.ts';

/** An owner's application as the delivery of events sees it. @throws ApiError 404 */
export async function findOwnReceiver(
  { applications }: Pick<WebhookDeps, 'applications'>,
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
  if (target !== 'parked') return target;
  if (receiver.state === 'active') throw failedPrecondition('webhook.no-url');
  throw failedPrecondition('webhook.not-sent', { state: receiver.state });
}
