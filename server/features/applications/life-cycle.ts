import type { ApplicationState } from '#contract/applications.ts';
import type { AccountHook } from '#features/accounts/index.ts';
import type { Tx } from '#platform/database.ts';
import { ApiError, alreadyExists, failedPrecondition } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { recordAudit } from './audit/record.ts';
import { revokeKeys } from './credentials/key-queries.ts';
import { announceRevocation } from './credentials/keys.ts';
import type { ApplicationDeps, ApplicationHook, OperatorApplicationDeps } from './deps.ts';
import { type ApplicationRow, deleteOwned, findOwnedIds, type LockedApplication } from './queries.ts';
import { refuseWhileSuspended } from './rules.ts';
import {
  listApplications,
  listTeamApplications,
  lockAnyApplication,
  lockOwnApplication,
  type Owned,
  showApplication,
} from './service.ts';
import { findTeammates } from './team/queries.ts';
import { endTeam, leaveTeams } from './team/team.ts';

/** Credentials are kept but refused with 403; no webhook is sent; the bot stays. Repeating it is not an error. */
export async function disableApplication(deps: OperatorApplicationDeps, own: Owned): Promise<void> {
  await deps.db.begin(async (tx) => {
    const application = await lockOwnApplication(tx, own);
    if (application.state === 'disabled') return;
    if (!(await move(tx, application, { from: 'active', to: 'disabled' })))
      throw refuseWhileSuspended('disabled');
    await recordAudit(tx, deps, own, 'application.disabled');
  });
}

export async function reactivateApplication(
  deps: OperatorApplicationDeps,
  own: Owned,
  hooks: readonly ApplicationHook[],
): Promise<void> {
  const at = deps.clock.now();
  await deps.db.begin(async (tx) => {
    const application = await lockOwnApplication(tx, own);
    if (application.state === 'active') return;
    if (!(await move(tx, application, { from: 'disabled', to: 'active' })))
      throw refuseWhileSuspended('reactivated');
    await recordAudit(tx, deps, own, 'application.reactivated');
    for (const hook of hooks) await hook.retargeted?.(tx, { ...application, at });
  });
  for (const hook of hooks) await hook.afterReopening?.(own.appId);
}

/**
 * Irreversible. The hooks of dependent features remove what belongs to the application.
 *
 * @param from the states in which it may be deleted: deleting an account also deletes suspended applications
 */
export async function deleteApplication(
  deps: OperatorApplicationDeps & Pick<Platform, 'live'>,
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
    await tx`delete from redirect_uris where app_id = ${appId}`;
    await tx`delete from application_extensions where app_id = ${appId}`;
    await deleteOwned(tx, application.ownerId, appId);
    await endTeam(tx, appId);
    for (const hook of hooks) await hook.deleted?.(tx, { ...application, at });
  });
  announceRevocation(deps, own.appId);
  for (const hook of hooks) await hook.afterDeletion?.(own.appId);
}

/** For operators: from active or disabled, whoever owns it. */
export async function suspendApplication(deps: OperatorApplicationDeps, appId: string): Promise<void> {
  await deps.db.begin(async (tx) => {
    const application = await lockAnyApplication(tx, appId);
    if (!(await moveToSuspended(tx, application))) throw refuseToMove(application);
    await recordAudit(tx, deps, { appId }, 'application.suspended');
  });
}

/** Restores the state from before the suspension, and returns it. */
export async function unsuspendApplication(
  deps: OperatorApplicationDeps,
  appId: string,
  hooks: readonly ApplicationHook[],
): Promise<ApplicationState> {
  const at = deps.clock.now();
  const back = await deps.db.begin(async (tx) => {
    const application = await lockAnyApplication(tx, appId);
    const state = await moveOutOfSuspended(tx, application);
    if (!state) throw refuseToMove(application);
    await recordAudit(tx, deps, { appId }, 'application.unsuspended');
    for (const hook of hooks) await hook.retargeted?.(tx, { ...application, at });
    return state;
  });
  for (const hook of hooks) await hook.afterReopening?.(appId);
  return back;
}

function refuseToMove({ appId, state }: ApplicationRow): ApiError {
  return failedPrecondition('application.state', { appId, state });
}

/** Every transition of contract §3 is a guarded update: true when this call made it. */
async function move(
  tx: Tx,
  { appId }: LockedApplication,
  { from, to }: Record<'from' | 'to', 'active' | 'disabled'>,
): Promise<boolean> {
  const rows = await tx`
    update applications set state = ${to} where app_id = ${appId} and state = ${from} returning app_id`;
  return rows.length === 1;
}

async function moveToSuspended(tx: Tx, { appId }: LockedApplication): Promise<boolean> {
  const rows = await tx`
    update applications set state = 'suspended', state_before_suspension = state
    where app_id = ${appId} and state in ('active', 'disabled') returning app_id`;
  return rows.length === 1;
}

/** Restores the state from before the suspension; undefined if it was not suspended. */
async function moveOutOfSuspended(
  tx: Tx,
  { appId }: LockedApplication,
): Promise<ApplicationState | undefined> {
  const [row] = await tx<{ state: ApplicationState }[]>`
    update applications set state = state_before_suspension, state_before_suspension = null
    where app_id = ${appId} and state = 'suspended' returning state`;
  return row?.state;
}

/** Keeps the row, so that the ID stays resolvable; removes its secrets and its URL. */
async function moveToDeleted(
  tx: Tx,
  { appId }: LockedApplication,
  { deletedAt, from }: { deletedAt: number; from: readonly ApplicationState[] },
): Promise<boolean> {
  const rows = await tx`
    update applications
    set state = 'deleted', deleted_at = ${deletedAt}, client_secret_hash = null,
      sealed_webhook_url = null, sealed_webhook_url_key_id = null, webhook_secret = null, webhook_secret_key_id = null, previous_webhook_secret = null,
      previous_webhook_secret_key_id = null, previous_webhook_secret_until = null
    where app_id = ${appId} and state = any(${[...from]}) returning app_id`;
  return rows.length === 1;
}

/** Deletes a person's applications with the account, each in its own transaction. */
export function createApplicationAccountHook(
  deps: ApplicationDeps,
  hooks: readonly ApplicationHook[],
): AccountHook {
  const { db } = deps;
  return {
    sections: {
      async *applications(ownerId) {
        for (const { appId } of await listApplications(db, ownerId)) {
          yield showApplication(deps, { actorId: ownerId, appId });
        }
      },
      async *teams(accountId) {
        for (const { appId, name } of await listTeamApplications(db, accountId)) {
          const own = (await findTeammates(db, appId)).find((teammate) => teammate.accountId === accountId);
          if (own) yield { appId, name, role: own.role, joinedAt: own.joinedAt };
        }
      },
    },
    async beforeDeletion(ownerId) {
      for (const appId of await findOwnedIds(db, ownerId)) {
        const from = ['active', 'disabled', 'suspended'] as const;
        await deleteApplication(deps, { actorId: ownerId, appId }, hooks, from).catch(unlessGone);
      }
    },
    async deleted(tx, { accountId }) {
      await leaveTeams(tx, accountId);
      const left = await findOwnedIds(tx, accountId);
      if (left.length > 0) throw alreadyExists('application.created-meanwhile');
    },
  };
}

/** A concurrent deletion by the same person was faster. */
function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}
