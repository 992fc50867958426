import type { ApplicationHook } from '#features/applications/index.ts';
import type { Tx } from '#platform/database.ts';
import { deleteContacts } from './alerts/contact-queries.ts';
import { deleteBreaker } from './breakers/queries.ts';
import { upsertTask } from './tasks/queries.ts';
import { type TaskDeps, workOnTask } from './tasks/work.ts';

/**
 * Lets an application's open events follow its state. However many there are, a first slice of them follows before the
 * owner is answered, and a worker does the rest.
 */
export function createWebhookApplicationHook(deps: TaskDeps): ApplicationHook {
  const follow = async (appId: string) => {
    await workOnTask(deps, { appId, kind: 'follow-state' });
  };
  return {
    async deleted(tx, application) {
      await requestFollowing(tx, application);
      // Nobody is alerted about a deleted application, and nobody's address is kept.
      await deleteContacts(tx, application.appId);
    },
    // An attempt that is under way and fails later is ended by the next claim.
    afterDeletion: follow,
    reopened: requestFollowing,
    afterReopening: follow,
  };
}

/** Its endpoint is another one now, or none. */
async function requestFollowing(tx: Tx, { appId, at }: { appId: string; at: number }): Promise<void> {
  await deleteBreaker(tx, appId);
  await upsertTask(tx, { appId, kind: 'follow-state', requestedAt: at, since: null });
}
