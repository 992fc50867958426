import type { ApplicationState } from '#contract/applications.ts';
import { type ApiError, failedPrecondition } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { deleteRedirectUris } from './addresses/redirect-uri-queries.ts';
import { recordAudit } from './audit/record.ts';
import { revokeKeys } from './credentials/key-queries.ts';
import { deleteExtensions } from './extensions/queries.ts';
import type { ApplicationHook } from './hook.ts';
import { type ApplicationRow, deleteOwned } from './queries.ts';
import { refuseWhileSuspended } from './rules.ts';
import { lockAnyApplication, lockOwnApplication, type Owned } from './service.ts';
import {
  moveOutOfSuspended,
  moveToActive,
  moveToDeleted,
  moveToDisabled,
  moveToSuspended,
} from './state-queries.ts';
import { endTeam } from './team/team.ts';

type Deps = Pick<Platform, 'db' | 'clock' | 'newId'>;

/** Credentials are kept but refused with 403; no webhook is sent; the bot stays. Repeating it is not an error. */
export async function disableApplication(deps: Deps, own: Owned): Promise<void> {
  await deps.db.begin(async (tx) => {
    const application = await lockOwnApplication(tx, own);
    if (application.state === 'disabled') return;
    if (!(await moveToDisabled(tx, application))) throw refuseWhileSuspended('disabled');
    await recordAudit(tx, deps, own, 'application.disabled');
  });
}

export async function reactivateApplication(
  deps: Deps,
  own: Owned,
  hooks: readonly ApplicationHook[],
): Promise<void> {
  const at = deps.clock.now();
  await deps.db.begin(async (tx) => {
    const application = await lockOwnApplication(tx, own);
    if (application.state === 'active') return;
    if (!(await moveToActive(tx, application))) throw refuseWhileSuspended('reactivated');
    await recordAudit(tx, deps, own, 'application.reactivated');
    for (const hook of hooks) await hook.reopened?.(tx, { ...application, at });
  });
  for (const hook of hooks) await hook.afterReopening?.(own.appId);
}

/**
 * Irreversible. The hooks of dependent features remove what belongs to the application.
 *
 * @param from the states in which it may be deleted: deleting an account also deletes suspended applications
 */
export async function deleteApplication(
  deps: Deps,
  own: Owned,
  hooks: readonly ApplicationHook[],
  from: readonly ApplicationState[] = ['active', 'disabled'],
): Promise<void> {
  const at = deps.clock.now();
  await deps.db.begin(async (tx) => {
    const application = await lockOwnApplication(tx, own);
    const { appId } = application;
    if (!(await moveToDeleted(tx, application, { deletedAt: at, from })))
      throw refuseWhileSuspended('deleted');
    await recordAudit(tx, deps, own, 'application.deleted');
    await revokeKeys(tx, application, at);
    await deleteRedirectUris(tx, appId);
    await deleteExtensions(tx, appId);
    await deleteOwned(tx, own.ownerId, appId);
    await endTeam(tx, appId);
    for (const hook of hooks) await hook.deleted?.(tx, { ...application, at });
  });
  for (const hook of hooks) await hook.afterDeletion?.(own.appId);
}

/** For operators: from active or disabled, whoever owns it. */
export async function suspendApplication(deps: Deps, appId: string): Promise<void> {
  await deps.db.begin(async (tx) => {
    const application = await lockAnyApplication(tx, appId);
    if (!(await moveToSuspended(tx, application))) throw refuseToMove(application);
    await recordAudit(tx, deps, { appId }, 'application.suspended');
  });
}

/** Restores the state from before the suspension, and returns it. */
export async function unsuspendApplication(
  deps: Deps,
  appId: string,
  hooks: readonly ApplicationHook[],
): Promise<ApplicationState> {
  const at = deps.clock.now();
  const back = await deps.db.begin(async (tx) => {
    const application = await lockAnyApplication(tx, appId);
    const state = await moveOutOfSuspended(tx, application);
    if (!state) throw refuseToMove(application);
    await recordAudit(tx, deps, { appId }, 'application.unsuspended');
    for (const hook of hooks) await hook.reopened?.(tx, { ...application, at });
    return state;
  });
  for (const hook of hooks) await hook.afterReopening?.(appId);
  return back;
}

function refuseToMove({ appId, state }: ApplicationRow): ApiError {
  return failedPrecondition('application.state', { appId, state });
}
