import type { ApplicationFollower } from '#features/applications/follower.ts';
import { findEventReceivers } from '#features/applications/service.ts';
import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { deleteBreaker } from './breakers/queries.ts';
import { findParkedApplications } from './queries.ts';
import { firstStateFor } from './rules.ts';
import { upsertTask } from './tasks/queries.ts';
import { followState, workOnTask } from './tasks/work.ts';

type Deps = Pick<Platform, 'db' | 'clock' | 'dueDeliveries'>;

/**
 * What applications tell this feature; hand it to whatever changes them. However many events are open, a first slice of
 * them follows before the owner is answered, and a worker does the rest.
 */
export function deliveryFollower(deps: Deps): ApplicationFollower {
  const follow = async (appId: string) => {
    await workOnTask(deps, { appId, kind: 'follow-state' });
  };
  // An attempt that is under way and fails later is ended by the next claim.
  return { deleted: turn, afterDeletion: follow, reopened: turn, afterReopening: follow };
}

/** It is another endpoint now, or none; what waits has to follow. */
async function turn(tx: Tx, { appId, at }: { appId: string; at: number }): Promise<void> {
  await deleteBreaker(tx, appId);
  await upsertTask(tx, { appId, kind: 'follow-state', requestedAt: at, since: null });
}

/**
 * Finds parked deliveries whose application takes events again, or is gone: what a process that died while it parked them
 * left behind. One step for the delivery worker, at its start and now and then.
 */
export async function resumeForgotten(deps: Deps): Promise<void> {
  const { db, clock } = deps;
  const appIds = await findParkedApplications(db);
  if (appIds.length === 0) return;
  const receivers = await findEventReceivers(db, appIds);
  const waiting = new Set(
    receivers.filter((receiver) => firstStateFor(receiver) !== 'pending').map(({ appId }) => appId),
  );
  const requestedAt = clock.now();
  for (const appId of appIds.filter((one) => !waiting.has(one))) {
    await db.begin((tx) => upsertTask(tx, { appId, kind: 'follow-state', requestedAt, since: null }));
    await workOnTask(deps, { appId, kind: 'follow-state' });
  }
}

/** What is due with an event that found its application disabled or deleted waits, or ends, together with it. */
export async function followWithOthers({ db, clock, dueDeliveries }: Deps, appId: string): Promise<void> {
  const changed = await db.begin((tx) => followState(tx, appId, clock.now()));
  if (changed > 0) dueDeliveries.raise();
}
