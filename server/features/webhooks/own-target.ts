import {
  type Applications,
  applicationNotFound,
  type DeliveryApplication,
  type Owned,
} from '#features/applications/index.ts';
import { failedPrecondition } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { type Target, targetOf } from './rules.ts';

export type TargetDeps = Pick<Platform, 'clock'> & { applications: Applications };

/** An owner's application as the delivery of events sees it. @throws ApiError 404 */
export async function findOwnReceiver(
  { applications }: Pick<TargetDeps, 'applications'>,
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
export async function findOwnTarget(deps: TargetDeps, own: Owned): Promise<Target> {
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
