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
  const suspension = await lockSuspension(tx, accountId);
  if (!isInForce(suspension, now)) return;
  const { until, reason } = suspension;
  throw until === NO_END
    ? permissionDenied('account.suspended-for-good', { reason })
    : permissionDenied('account.suspended', { until: new Date(until).toISOString(), reason });
}

/** The same for callers that answer differently. */
export async function isSuspended(tx: Tx, accountId: string, now: number): Promise<boolean> {
  return isInForce(await lockSuspension(tx, accountId), now);
}

/** The suspension stored in the account, ended or not; none can begin before the transaction ends. */
export async function lockSuspension(tx: Tx, accountId: string): Promise<Suspension | undefined> {
  const [row] = await tx<{ until: number | null; reason: string | null }[]>`
    select suspended_until as until, suspension_reason as reason from accounts
    where account_id = ${accountId} for share`;
  return row?.until == null ? undefined : { until: row.until, reason: row.reason ?? '' };
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
