import type { Tx } from '#platform/database.ts';
import { permissionDenied } from '#platform/errors.ts';

/** The end and the reason of a suspension. */
export interface Suspension {
  until: number;
  reason: string;
}

/** Represents a suspension without an end. */
export const NO_END = Number.MAX_SAFE_INTEGER;

/** Whether the suspension stored in an account is in force. */
export function isInForce(suspension: Suspension | undefined, now: number): suspension is Suspension {
  return suspension !== undefined && now < suspension.until;
}

/**
 * Refuses a suspended person, with the reason. It and a concurrent suspension wait for each other's
 * transaction.
 *
 * @throws ApiError 403
 */
export async function refuseSuspended(tx: Tx, accountId: string, now: number): Promise<void> {
  const { suspension, isDeactivated } = await lockStanding(tx, accountId);
  if (isDeactivated) throw permissionDenied('account.deactivated');
  if (!isInForce(suspension, now)) return;
  const { until, reason } = suspension;
  throw until === NO_END
    ? permissionDenied('account.suspended-for-good', { reason })
    : permissionDenied('account.suspended', { until: new Date(until).toISOString(), reason });
}

/** The same for callers that answer differently. */
export async function isSuspended(tx: Tx, accountId: string, now: number): Promise<boolean> {
  return (await findHold(tx, accountId, now)) !== null;
}

/** Until when tokens of the person wait, as stored by now; null if they do not. */
export async function findHold(tx: Tx, accountId: string, now: number): Promise<number | null> {
  const { suspension, isDeactivated } = await lockStanding(tx, accountId);
  if (isDeactivated) return NO_END;
  return isInForce(suspension, now) ? suspension.until : null;
}

/** Since when the person's provider says that they have left; null: they have not. */
export async function updateDeactivated(tx: Tx, accountId: string, at: number | null): Promise<void> {
  await tx`update accounts set deactivated_at = ${at} where account_id = ${accountId}`;
}

/**
 * The suspension stored in the account, ended or not, and whether the person's provider says that they have left; neither
 * changes before the transaction ends.
 */
async function lockStanding(
  tx: Tx,
  accountId: string,
): Promise<{ suspension: Suspension | undefined; isDeactivated: boolean }> {
  const [row] = await tx<{ until: number | null; reason: string | null; isDeactivated: boolean }[]>`
    select suspended_until as until, suspension_reason as reason, deactivated_at is not null as is_deactivated
    from accounts where account_id = ${accountId} for share`;
  return {
    suspension: row?.until == null ? undefined : { until: row.until, reason: row.reason ?? '' },
    isDeactivated: row?.isDeactivated ?? false,
  };
}

/** Undefined lifts the suspension. */
export async function updateSuspension(
  tx: Tx,
  accountId: string,
  suspension: Suspension | undefined,
): Promise<void> {
  await tx`
    update accounts
    set suspended_until = ${suspension?.until ?? null}, suspension_reason = ${suspension?.reason ?? null}
    where account_id = ${accountId}`;
}
