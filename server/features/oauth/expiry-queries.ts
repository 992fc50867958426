import type { Db, Tx } from '#platform/database.ts';

/** Families that have expired. A read over all shards, for the worker that sweeps. */
export async function selectExpired(
  db: Db,
  { before, limit }: { before: number; limit: number },
): Promise<string[]> {
  const rows = await db<{ familyId: string }[]>`
    select family_id from grants where ended_at is null and expires_on < ${before}
    order by expires_on limit ${limit}`;
  return rows.map(({ familyId }) => familyId);
}

/** Records the expiry, which is already in effect. */
export async function endExpired(tx: Tx, familyIds: string[], now: number): Promise<number> {
  const rows = await tx`
    update grants
    set ended_at = expires_at,
      end_reason = case when refreshed_at is null then 'code-expired' else 'refresh-token-expired' end
    where family_id = any(${familyIds}) and ended_at is null and expires_at <= ${now}
    returning family_id`;
  return rows.length;
}

export interface ForgottenRow {
  familyId: string;
  appId: string;
  accountId: string;
}

/** A read over all shards, for the worker that sweeps. */
export async function selectEndedBefore(
  db: Db,
  { endedAt, limit }: { endedAt: number; limit: number },
): Promise<ForgottenRow[]> {
  return db<ForgottenRow[]>`
    select family_id, app_id, account_id from grants where ended_at <= ${endedAt} order by ended_at limit ${limit}`;
}

export async function deleteGrants(tx: Tx, familyIds: string[]): Promise<void> {
  await tx`delete from grants where family_id = any(${familyIds})`;
}

export async function deleteAccountGrants(tx: Tx, rows: ForgottenRow[]): Promise<void> {
  await tx`
    delete from account_grants
    where account_id = any(${rows.map(({ accountId }) => accountId)})
      and app_id = any(${rows.map(({ appId }) => appId)})
      and family_id = any(${rows.map(({ familyId }) => familyId)})`;
}

export async function deleteApplicationGrants(tx: Tx, rows: ForgottenRow[]): Promise<void> {
  await tx`
    delete from application_grants
    where app_id = any(${rows.map(({ appId }) => appId)})
      and family_id = any(${rows.map(({ familyId }) => familyId)})`;
}

/** A deletion over all shards, for the worker that sweeps. */
export async function deleteDecisionsBefore(tx: Tx, decidedAt: number): Promise<number> {
  const rows = await tx`delete from decided_consents where decided_at <= ${decidedAt}`;
  return rows.count;
}
