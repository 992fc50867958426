import type { ApplicationHook } from '#features/applications/index.ts';
import type { Tx } from '#platform/database.ts';
import { deleteContacts } from './alerts/contact-queries.ts';
import { deleteBreaker } from './breakers/queries.ts';
import { upsertTask } from './tasks/queries.ts';
import { type TaskDeps, workOnTask } from './tasks/work.ts';

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
    reopened: requestFollowing,
    afterReopening: follow,
  };
}

/** The application now has another endpoint, or none. */
async function requestFollowing(tx: Tx, { appId, at }: { appId: string; at: number }): Promise<void> {
  await deleteBreaker(tx, appId);
  await upsertTask(tx, { appId, kind: 'follow-state', requestedAt: at, since: null });
}
