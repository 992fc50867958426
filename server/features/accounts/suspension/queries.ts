import type { Tx } from '#platform/database.ts';
import type { Suspension } from './rules.ts';

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
