import type { CallerKind, ErrorGroup, LoggedRequest, UsageSpan } from '#contract/applications/monitoring.ts';
import type { RowOf } from '#platform/absent.ts';
import type { Db, Tx } from '#platform/database.ts';

export type RequestRow = RowOf<LoggedRequest> & { appId: string };

export async function insertRequests(tx: Tx, rows: RequestRow[]): Promise<void> {
  await tx`
    insert into api_requests
    ${tx(rows, 'appId', 'requestId', 'at', 'caller', 'method', 'route', 'status', 'durationMs', 'code', 'message', 'unknownFields')}
    on conflict (app_id, request_id) do nothing`;
}

export interface RequestSearch {
  before: string;
  statusFrom: number;
  statusTo: number;
  route: string | null;
  code: string | null;
  requestId: string | null;
  limit: number;
}

/** Newest first. */
export async function selectRequests(db: Db, appId: string, search: RequestSearch): Promise<RequestRow[]> {
  return db<RequestRow[]>`
    select app_id, request_id, at, caller, method, route, status, duration_ms, code, message, unknown_fields
    from api_requests
    where app_id = ${appId} and request_id < ${search.before}
      and status between ${search.statusFrom} and ${search.statusTo}
      and (${search.route}::text is null or route = ${search.route})
      and (${search.code}::text is null or code = ${search.code})
      and (${search.requestId}::text is null or request_id = ${search.requestId})
    order by request_id desc limit ${search.limit}`;
}

export async function selectErrorGroups(
  db: Db,
  appId: string,
  { since, limit }: { since: number; limit: number },
): Promise<ErrorGroup[]> {
  return db<ErrorGroup[]>`
    select method, route, status, coalesce(code, '') as code, coalesce(message, '') as message,
      count(*)::integer as count, min(at) as first_at, max(at) as last_at, max(request_id) as last_request_id
    from api_requests where app_id = ${appId} and status >= 400 and at >= ${since}
    group by method, route, status, code, message
    order by count(*) desc, max(at) desc limit ${limit}`;
}

/** Deletes all but the newest requests of an application. */
export async function deleteRequestsBeyond(tx: Tx, appId: string, kept: number): Promise<void> {
  await tx`
    delete from api_requests where app_id = ${appId} and request_id <= (
      select request_id from api_requests where app_id = ${appId} order by request_id desc offset ${kept} limit 1
    )`;
}

/** A deletion over all shards, for the worker that sweeps. */
export async function deleteRequestsBefore(tx: Tx, at: number): Promise<void> {
  await tx`delete from api_requests where at <= ${at}`;
}

export interface UsageRow {
  appId: string;
  span: UsageSpan;
  startedAt: number;
  caller: CallerKind | 'webhook';
  method: string;
  route: string;
  /** The process that counted. */
  writer: string;
  requests: number;
  clientErrors: number;
  serverErrors: number;
  latencies: number[];
  quotaLimit: number | null;
  quotaRemaining: number | null;
  quotaResetAt: number | null;
}

/** Sums over processes, routes or time. */
export type UsageSum = Pick<UsageRow, 'requests' | 'clientErrors' | 'serverErrors' | 'latencies'>;

export async function upsertUsage(tx: Tx, rows: UsageRow[]): Promise<void> {
  await tx`
    insert into usage_counts
    ${tx(rows, 'appId', 'span', 'startedAt', 'caller', 'method', 'route', 'writer', 'requests', 'clientErrors', 'serverErrors', 'latencies', 'quotaLimit', 'quotaRemaining', 'quotaResetAt')}
    on conflict (app_id, span, started_at, caller, method, route, writer) do update
    set requests = excluded.requests, client_errors = excluded.client_errors, server_errors = excluded.server_errors,
      latencies = excluded.latencies, quota_limit = excluded.quota_limit, quota_remaining = excluded.quota_remaining,
      quota_reset_at = excluded.quota_reset_at`;
}

/** The rows of several applications since a time, separately for each process. */
export async function selectUsage(
  db: Db,
  appIds: string[],
  { span, since }: { span: UsageSpan; since: number },
): Promise<UsageRow[]> {
  return db<UsageRow[]>`
    select app_id, span, started_at, caller, method, route, writer, requests, client_errors, server_errors, latencies,
      quota_limit, quota_remaining, quota_reset_at
    from usage_counts where app_id = any(${appIds}) and span = ${span} and started_at >= ${since}`;
}

/** How many applications there are, and what they did since a time. Reads over all shards. */
export async function selectTotals(
  db: Db,
  since: number,
): Promise<{ applications: number; requests: number; deliveries: number; failedDeliveries: number }> {
  const [[counted], [used]] = await Promise.all([
    db<{ applications: number }[]>`
      select count(*)::integer as applications from applications where state <> 'deleted'`,
    db<{ requests: number; deliveries: number; failedDeliveries: number }[]>`
      select coalesce(sum(requests) filter (where caller <> 'webhook'), 0)::double precision as requests,
        coalesce(sum(requests) filter (where caller = 'webhook'), 0)::double precision as deliveries,
        coalesce(sum(server_errors) filter (where caller = 'webhook'), 0)::double precision as failed_deliveries
      from usage_counts where span = 'hour' and started_at >= ${since}`,
  ]);
  return { applications: 0, requests: 0, deliveries: 0, failedDeliveries: 0, ...counted, ...used };
}

/** A deletion over all shards, for the worker that sweeps. */
export async function deleteUsageBefore(
  tx: Tx,
  { span, before }: { span: UsageSpan; before: number },
): Promise<void> {
  await tx`delete from usage_counts where span = ${span} and started_at < ${before}`;
}

export interface KeyUse {
  appId: string;
  /** SHA-256 in hex. */
  fingerprint: string;
  at: number;
}

export async function updateKeysUsed(tx: Tx, uses: KeyUse[]): Promise<void> {
  await tx`
    update api_keys as used set last_used_at = said.at
    from unnest(${uses.map(({ appId }) => appId)}::text[], ${uses.map(({ fingerprint }) => fingerprint)}::text[],
      ${uses.map(({ at }) => at)}::bigint[]) as said (app_id, fingerprint, at)
    where used.app_id = any(${uses.map(({ appId }) => appId)})
      and used.app_id = said.app_id and used.key_hash = decode(said.fingerprint, 'hex')
      and (used.last_used_at is null or used.last_used_at < said.at)`;
}

/** When any live key of each application was last used. */
export async function selectKeysUsed(db: Db, appIds: string[]): Promise<Pick<KeyUse, 'appId' | 'at'>[]> {
  return db<Pick<KeyUse, 'appId' | 'at'>[]>`
    select app_id, max(last_used_at) as at from api_keys
    where app_id = any(${appIds}) and revoked_at is null and last_used_at is not null
    group by app_id`;
}
