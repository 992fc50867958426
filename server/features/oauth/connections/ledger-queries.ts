import type { ApplicationCall } from '#contract/oauth.ts';
import type { Db, Tx } from '#platform/database.ts';
import { firstIdAt } from '#platform/ids.ts';

export interface CallRow extends ApplicationCall {
  accountId: string;
}

export async function insertCalls(tx: Tx, rows: CallRow[]): Promise<void> {
  await tx`
    insert into application_calls
    ${tx(rows, 'accountId', 'requestId', 'appId', 'method', 'path', 'status', 'calledAt')}
    on conflict (account_id, request_id) do nothing`;
}

/** Records when an application last called; once per person and application. */
export async function updateLastCalls(
  tx: Tx,
  calls: { accountId: string; appId: string; calledAt: number }[],
): Promise<void> {
  await tx`
    update connected_applications as held
    set last_called_at = said.called_at
    from unnest(
      ${calls.map(({ accountId }) => accountId)}::text[],
      ${calls.map(({ appId }) => appId)}::text[],
      ${calls.map(({ calledAt }) => calledAt)}::bigint[]
    ) as said (account_id, app_id, called_at)
    where held.account_id = any(${calls.map(({ accountId }) => accountId)})
      and held.account_id = said.account_id and held.app_id = said.app_id
      and (held.last_called_at is null or held.last_called_at < said.called_at)`;
}

/** Newest first, of one application or of all. */
export async function selectCalls(
  db: Db,
  accountId: string,
  { appId, before, limit }: { appId: string | null; before: string; limit: number },
): Promise<ApplicationCall[]> {
  return db<ApplicationCall[]>`
    select request_id, app_id, method, path, status, called_at
    from application_calls
    where account_id = ${accountId} and request_id < ${before} and (${appId}::text is null or app_id = ${appId})
    order by request_id desc limit ${limit}`;
}

/** For rows outside the daily partitions, which are dropped as a whole. */
export async function deleteCallsBefore(tx: Tx, calledAt: number): Promise<number> {
  const rows = await tx`
    delete from application_calls_other
    where request_id < ${firstIdAt('req', calledAt + 1)} and called_at <= ${calledAt}`;
  return rows.count;
}

/** Oldest first. Returns how many were deleted. */
export async function deleteCallsOf(tx: Tx, accountId: string, limit: number): Promise<number> {
  const deleted = await tx`
    delete from application_calls
    where account_id = ${accountId} and request_id in (
      select request_id from application_calls where account_id = ${accountId} order by request_id limit ${tx.constant(limit)}
    )`;
  return deleted.count;
}
