import type { DeliveryState } from '#contract/webhooks.ts';
import type { Db, Tx } from '#platform/database.ts';

export interface BreakerRow {
  appId: string;
  owner: string;
  ownedUntil: number;
}

/** The open ones; a read over all shards, for the workers. */
export async function findOpenBreakers(db: Db): Promise<BreakerRow[]> {
  return db<BreakerRow[]>`select app_id, owner, owned_until from open_breakers`;
}

/** False when it is open already. */
export async function insertBreaker(tx: Tx, row: BreakerRow & { openedAt: number }): Promise<boolean> {
  const rows = await tx`
    insert into open_breakers (app_id, opened_at, owner, owned_until)
    values (${row.appId}, ${row.openedAt}, ${row.owner}, ${row.ownedUntil})
    on conflict (app_id) do nothing
    returning app_id`;
  return rows.length === 1;
}

/** Keeps those of an owner, and takes over those whose owner is gone. */
export async function updateBreakersOwned(
  tx: Tx,
  appIds: string[],
  { owner, ownedUntil, now }: Pick<BreakerRow, 'owner' | 'ownedUntil'> & { now: number },
): Promise<string[]> {
  const rows = await tx<{ appId: string }[]>`
    update open_breakers set owner = ${owner}, owned_until = ${ownedUntil}
    where app_id = any(${appIds}) and (owner = ${owner} or owned_until <= ${now})
    returning app_id`;
  return rows.map(({ appId }) => appId);
}

export async function deleteBreaker(tx: Tx, appId: string): Promise<void> {
  await tx`delete from open_breakers where app_id = ${appId}`;
}

/** Lets others probe at once. */
export async function releaseBreakers(tx: Tx, owner: string): Promise<void> {
  await tx`update open_breakers set owned_until = 0 where owner = ${owner}`;
}

/** Whether it is open and the owner's; it stays so until the transaction ends. */
export async function lockOwnedBreaker(
  tx: Tx,
  { appId, owner }: Pick<BreakerRow, 'appId' | 'owner'>,
): Promise<boolean> {
  const rows = await tx`
    select from open_breakers where app_id = ${appId} and owner = ${owner} for update`;
  return rows.length === 1;
}

export interface Overdue {
  appId: string;
  /** Those that were due then or earlier. */
  dueBy: number;
  at: number;
  /** After the first failed attempt, the second, and so on; an event without one more is abandoned. */
  waitsMs: readonly number[];
  entry: { errorClass: string; reason: string };
  keptAttempts: number;
  limit: number;
}

/** Counts due attempts of an application as failed, the oldest first. Returns where that left each. */
export async function failOverdue(tx: Tx, overdue: Overdue): Promise<DeliveryState[]> {
  const { appId, dueBy, at, waitsMs, entry, keptAttempts, limit } = overdue;
  const rows = await tx<{ state: DeliveryState }[]>`
    with overdue as materialized (
      select bucket, delivery_id from deliveries
      where app_id = ${appId} and state in ('pending', 'retrying') and next_attempt_at <= ${dueBy}
      order by next_attempt_at, delivery_id
      limit ${tx.constant(limit)}
      for update skip locked
    )
    update deliveries as failed
    set attempts = failed.attempts + 1, lease_owner = null,
      state = case when failed.attempts < ${waitsMs.length}::integer then 'retrying' else 'abandoned' end,
      next_attempt_at = ${at}::bigint + (${[...waitsMs]}::bigint[])[failed.attempts + 1],
      attempt_log = case
        when jsonb_array_length(failed.attempt_log) < ${keptAttempts}::integer then failed.attempt_log
        else failed.attempt_log - 0
      end || (jsonb_build_object('attempt', failed.attempts + 1, 'at', ${at}::bigint) || ${JSON.stringify(entry)}::text::jsonb)
    from overdue
    where failed.bucket = overdue.bucket and failed.delivery_id = overdue.delivery_id
    returning failed.state`;
  return rows.map(({ state }) => state);
}
