import {
  applicationNotFound,
  findApplicationForDelivery,
  findOwnApplication,
  type Owned,
} from '#features/applications/service.ts';
import { failedPrecondition } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { judgeReceiver, type Target } from '../rules.ts';

/**
 * Where the events of an own application go at this moment.
 *
 * @throws ApiError 404; 400 that says why there are none
 */
export async function findOwnTarget(
  deps: Pick<Platform, 'db' | 'clock' | 'keyring'>,
  own: Owned,
): Promise<Target> {
  if (!(await findOwnApplication(deps.db, own))) throw applicationNotFound();
  const receiver = await findApplicationForDelivery(deps, own.appId);
  const target = judgeReceiver(receiver, deps.clock.now());
  if (!receiver || target === 'cancelled') throw applicationNotFound();
  if (target === 'unreadable_url') throw failedPrecondition('the webhook URL cannot be read: set it again');
  if (target === 'unreadable_secret')
    throw failedPrecondition('the webhook secret cannot be read: make a new one');
  if (target !== 'parked') return target;
  throw failedPrecondition(
    receiver.state === 'active'
      ? 'the application has no webhook URL: set one first'
      : `the application is ${receiver.state}, and no webhook is sent`,
  );
}
