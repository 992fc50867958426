import type { ApplicationState } from '#contract/applications.ts';
import type { Tx } from '#platform/database.ts';
import { failedPrecondition, notFound } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { recordAudit } from './audit/record.ts';
import type { ApplicationFollower } from './follower.ts';
import { deleteOwned, deleteRedirectUris, findApplication, revokeKeys } from './queries.ts';
import { refuseWhileSuspended } from './rules.ts';
import { lockOwnApplication, type Owned } from './service.ts';
import {
  moveOutOfSuspended,
  moveToActive,
  moveToDeleted,
  moveToDisabled,
  moveToSuspended,
} from './state-queries.ts';

type Deps = Pick<Platform, 'db' | 'clock' | 'newId'>;

/** Credentials are refused with 403 from now on, but kept; no webhook is sent; the bot stays. Twice is no error. */
export async function disableApplication(deps: Deps, own: Owned): Promise<void> {
  await deps.db.begin(async (tx) => {
    const { appId, state } = await lockOwnApplication(tx, own);
    if (state === 'disabled') return;
    if (!(await moveToDisabled(tx, appId))) throw refuseWhileSuspended('disabled');
    await recordAudit(tx, deps, own, 'application.disabled');
  });
}

export async function reactivateApplication(
  deps: Deps,
  own: Owned,
  followers: readonly ApplicationFollower[],
): Promise<void> {
  const at = deps.clock.now();
  await deps.db.begin(async (tx) => {
    const { appId, state } = await lockOwnApplication(tx, own);
    if (state === 'active') return;
    if (!(await moveToActive(tx, appId))) throw refuseWhileSuspended('reactivated');
    await recordAudit(tx, deps, own, 'application.reactivated');
    for (const follower of followers) await follower.reopened?.(tx, { appId, at });
  });
  for (const follower of followers) await follower.afterReopening?.(own.appId);
}

/**
 * Irreversible. What hangs on the application in features below this one is ended by the followers.
 *
 * @param from the states in which it may be deleted: an owner who leaves takes a suspended one along
 */
export async function deleteApplication(
  deps: Deps,
  own: Owned,
  followers: readonly ApplicationFollower[],
  from: readonly ApplicationState[] = ['active', 'disabled'],
): Promise<void> {
  const at = deps.clock.now();
  await deps.db.begin(async (tx) => {
    const { appId } = await lockOwnApplication(tx, own);
    if (!(await moveToDeleted(tx, appId, { deletedAt: at, from }))) throw refuseWhileSuspended('deleted');
    await recordAudit(tx, deps, own, 'application.deleted');
    await revokeKeys(tx, appId, at);
    await deleteRedirectUris(tx, appId);
    await deleteOwned(tx, own.ownerId, appId);
    for (const follower of followers) await follower.deleted?.(tx, { appId, at });
  });
  for (const follower of followers) await follower.afterDeletion?.(own.appId);
}

/** The platform team's part: from active or disabled, whoever owns it. */
export async function suspendApplication(deps: Deps, appId: string): Promise<void> {
  await deps.db.begin(async (tx) => {
    const isMoved = isId('app', appId) && (await moveToSuspended(tx, appId));
    if (!isMoved) throw await explainOperatorRefusal(tx, appId);
    await recordAudit(tx, deps, { appId }, 'application.suspended');
  });
}

/** Back to the state from before the suspension, which it returns. */
export async function unsuspendApplication(
  deps: Deps,
  appId: string,
  followers: readonly ApplicationFollower[],
): Promise<ApplicationState> {
  const at = deps.clock.now();
  const back = await deps.db.begin(async (tx) => {
    const state = isId('app', appId) ? await moveOutOfSuspended(tx, appId) : undefined;
    if (!state) throw await explainOperatorRefusal(tx, appId);
    await recordAudit(tx, deps, { appId }, 'application.unsuspended');
    for (const follower of followers) await follower.reopened?.(tx, { appId, at });
    return state;
  });
  for (const follower of followers) await follower.afterReopening?.(appId);
  return back;
}

async function explainOperatorRefusal(tx: Tx, appId: string): Promise<Error> {
  const row = isId('app', appId) ? await findApplication(tx, appId) : undefined;
  return row
    ? failedPrecondition(`the application ${appId} is ${row.state}`)
    : notFound(`there is no application ${appId}`);
}
