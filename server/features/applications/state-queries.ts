import type { ApplicationState } from '#contract/applications.ts';
import type { Tx } from '#platform/database.ts';
import type { LockedApplication } from './queries.ts';

/** Every transition of contract §3 is a guarded update: true when this call made it. */
export async function moveToDisabled(tx: Tx, { appId }: LockedApplication): Promise<boolean> {
  const rows = await tx`
    update applications set state = 'disabled' where app_id = ${appId} and state = 'active' returning app_id`;
  return rows.length === 1;
}

export async function moveToActive(tx: Tx, { appId }: LockedApplication): Promise<boolean> {
  const rows = await tx`
    update applications set state = 'active' where app_id = ${appId} and state = 'disabled' returning app_id`;
  return rows.length === 1;
}

export async function moveToSuspended(tx: Tx, { appId }: LockedApplication): Promise<boolean> {
  const rows = await tx`
    update applications set state = 'suspended', state_before_suspension = state
    where app_id = ${appId} and state in ('active', 'disabled') returning app_id`;
  return rows.length === 1;
}

/** Restores the state from before the suspension; undefined if it was not suspended. */
export async function moveOutOfSuspended(
  tx: Tx,
  { appId }: LockedApplication,
): Promise<ApplicationState | undefined> {
  const [row] = await tx<{ state: ApplicationState }[]>`
    update applications set state = state_before_suspension, state_before_suspension = null
    where app_id = ${appId} and state = 'suspended' returning state`;
  return row?.state;
}

/** Keeps the row, so that the ID stays resolvable; removes its secrets and its URL. */
export async function moveToDeleted(
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
