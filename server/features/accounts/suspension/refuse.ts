import type { Tx } from '#platform/database.ts';
import { permissionDenied } from '#platform/errors.ts';
import { lockSuspension } from './queries.ts';
import { isInForce, NO_END } from './rules.ts';

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
