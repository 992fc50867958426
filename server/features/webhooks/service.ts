import type { ApplicationFollower } from '#features/applications/follower.ts';
import { findApplicationsForDelivery } from '#features/applications/service.ts';
import type { Platform } from '#platform/platform.ts';
import { cancelOpenDeliveries, findParkedApplications, unparkDeliveries } from './queries.ts';
import { judgeReceiver } from './rules.ts';

/**
 * Lets parked deliveries go on with the attempts they have left. Call it after the commit that made the applications
 * take events again: reactivated, no longer suspended, a webhook URL set.
 */
export async function resumeDeliveries(
  { db, clock, dueDeliveries }: Pick<Platform, 'db' | 'clock' | 'dueDeliveries'>,
  appIds: string[],
): Promise<void> {
  const resumed = await db.begin((tx) => unparkDeliveries(tx, appIds, clock.now()));
  if (resumed > 0) dueDeliveries.raise();
}

/** What applications tell this feature; hand it to whatever changes them. */
export function deliveryFollower(
  deps: Pick<Platform, 'db' | 'clock' | 'dueDeliveries'>,
): ApplicationFollower {
  return {
    afterReopening: (appId) => resumeDeliveries(deps, [appId]),
    // An attempt that is under way and fails later is ended by the next claim.
    afterDeletion: (appId) => deps.db.begin((tx) => cancelOpenDeliveries(tx, appId)),
  };
}

/**
 * Finds parked deliveries whose application takes events again, or is gone: what a process that died between the two
 * commits left behind. One step for the delivery worker, at its start and now and then.
 */
export async function resumeForgotten(
  deps: Pick<Platform, 'db' | 'clock' | 'keyring' | 'dueDeliveries'>,
): Promise<void> {
  const appIds = await findParkedApplications(deps.db);
  if (appIds.length > 0) await resumeChanged(deps, appIds);
}

/** Resumes those of the applications that are no longer a reason to wait. */
export async function resumeChanged(
  deps: Pick<Platform, 'db' | 'clock' | 'keyring' | 'dueDeliveries'>,
  appIds: string[],
): Promise<void> {
  const found = await findApplicationsForDelivery(deps, appIds);
  const receivers = new Map(found.map((receiver) => [receiver.appId, receiver]));
  const now = deps.clock.now();
  const changed = appIds.filter((appId) => judgeReceiver(receivers.get(appId), now) !== 'parked');
  if (changed.length > 0) await resumeDeliveries(deps, changed);
}
