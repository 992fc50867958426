import type { Tx } from '#platform/database.ts';
import { permissionDenied } from '#platform/errors.ts';
import { holdSuspension } from './queries.ts';
import { isInForce, NO_END } from './rules.ts';

/**
 * Lets nobody in who is suspended, and tells why. A suspension that comes at the same time waits for the end of the
 * transaction, or this waits for it.
 *
 * @throws ApiError 403
 */
export async function refuseSuspended(tx: Tx, accountId: string, now: number): Promise<void> {
  const suspension = await holdSuspension(tx, accountId);
  if (!isInForce(suspension, now)) return;
  const { until, reason } = suspension;
  throw until === NO_END
    ? permissionDenied('account.suspended-for-good', { reason })
    : permissionDenied('account.suspended', { until: new Date(until).toISOString(), reason });
}

/** The same for what answers otherwise. */
export async function isSuspended(tx: Tx, accountId: string, now: number): Promise<boolean> {
  return isInForce(await holdSuspension(tx, accountId), now);
}
