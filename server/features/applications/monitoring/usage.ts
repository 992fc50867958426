import {
  type CallerKind,
  type ConsoleHome,
  type QuotaUse,
  USAGE_SPANS,
  type Usage,
  type UsageQuery,
} from '#contract/applications/monitoring.ts';
import type { Db } from '#platform/database.ts';
import { invalidArgument } from '#platform/errors.ts';
import type { ApplicationDeps } from '../deps.ts';
import { type Owned, requireOwnApplication } from '../service.ts';
import { selectKeysUsed, selectTotals, selectUsage, type UsageRow, type UsageSum } from './queries.ts';
import { addSums, emptySums, percentileMs } from './tallies.ts';

/** A number of consecutive time spans. */
interface Spans {
  since: number;
  ms: number;
  count: number;
}

type ActiveHour = ConsoleHome['applications'][number]['hours'][number];

/** @throws ApiError 400, 404 */
export async function showUsage(
  { db, clock }: ApplicationDeps,
  own: Owned,
  { span = 'minute', method, route, from = '0', to = String(Number.MAX_SAFE_INTEGER) }: UsageQuery,
): Promise<Usage> {
  const application = await requireOwnApplication(db, own);
  const now = clock.now();
  if (Number(from) >= Number(to)) throw invalidArgument('to', 'not-after', { than: 'from' });
  const { ms, count: kept } = USAGE_SPANS[span];
  const latest = now - (now % ms);
  const since = Math.max(Number(from) - (Number(from) % ms), latest - (kept - 1) * ms);
  const until = Math.min(Number(to), latest + ms);
  const count = Math.max(0, Math.ceil((until - since) / ms));
  const all = await selectUsage(db, [own.appId], { span, since });
  const rows = all.filter((row) => row.caller !== 'webhook' && row.startedAt < until);
  const isShown = (row: UsageRow) =>
    (route === undefined || row.route === route) && (method === undefined || row.method === method);
  const series = sumByStart(rows.filter(isShown), { since, ms, count });
  const byRoute = Map.groupBy(rows, (row) => `${row.caller} ${row.method} ${row.route}`);
  const routes = [...byRoute.values()].map((parts) => {
    const { caller, method, route } = parts[0] as UsageRow;
    // Clients have none: they are limited by their tokens.
    const quota =
      caller === 'client' ? undefined : quotaOf(parts, { now, limit: application.requestsPerMinute });
    return {
      caller: caller as CallerKind,
      method,
      route,
      ...(quota && { quota }),
      ...viewSum(sumUp(parts)),
    };
  });
  return {
    span,
    requestsPerMinute: application.requestsPerMinute,
    routes: routes.sort((one, other) => other.requests - one.requests),
    series: series.map(({ startedAt, ...sum }) => ({ startedAt, ...viewSum(sum) })),
  };
}

/** Calls and deliveries of each application in the last hours, oldest first, without gaps. */
export async function findActivity(
  { db, clock }: ApplicationDeps,
  appIds: string[],
  hours: number,
): Promise<Map<string, ActiveHour[]>> {
  const spans = lastHours(clock.now(), hours);
  const rows = appIds.length === 0 ? [] : await selectUsage(db, appIds, { span: 'hour', since: spans.since });
  const rowsOf = Map.groupBy(rows, ({ appId }) => appId);
  return new Map(appIds.map((appId) => [appId, toActiveHours(rowsOf.get(appId) ?? [], spans)]));
}

/** The number of all applications, and what they did in the last 24 hours. */
export function countAll({ db, clock }: ApplicationDeps) {
  return selectTotals(db, clock.now() - USAGE_SPANS.hour.ms * 24);
}

export function lastHours(now: number, count: number): Spans {
  const { ms } = USAGE_SPANS.hour;
  return { since: now - (now % ms) - (count - 1) * ms, ms, count };
}

/** Calls and deliveries by hour, oldest first, without gaps. */
export function toActiveHours(rows: readonly UsageRow[], spans: Spans): ActiveHour[] {
  const { webhook = [], api = [] } = Object.groupBy(rows, ({ caller }) =>
    caller === 'webhook' ? 'webhook' : 'api',
  );
  const deliveries = sumByStart(webhook, spans);
  return sumByStart(api, spans).map(({ startedAt, requests, clientErrors, serverErrors }, i) => ({
    startedAt,
    requests,
    errors: clientErrors + serverErrors,
    deliveries: deliveries[i]?.requests ?? 0,
    failedDeliveries: deliveries[i]?.serverErrors ?? 0,
  }));
}

/** When a live key of each application was last used. */
export async function findKeysUsed(db: Db, appIds: string[]): Promise<Map<string, number>> {
  if (appIds.length === 0) return new Map();
  return new Map((await selectKeysUsed(db, appIds)).map(({ appId, at }) => [appId, at]));
}

/** One sum for each time span, oldest first, without gaps. */
export function sumByStart(
  rows: readonly UsageRow[],
  { since, ms, count }: Spans,
): (UsageSum & { startedAt: number })[] {
  const byStart = Map.groupBy(rows, ({ startedAt }) => startedAt);
  return Array.from({ length: count }, (_, i) => {
    const startedAt = since + i * ms;
    return { startedAt, ...sumUp(byStart.get(startedAt) ?? []) };
  });
}

export function sumUp(rows: readonly UsageRow[]): UsageSum {
  const sum = emptySums();
  for (const row of rows) addSums(sum, row);
  return sum;
}

function viewSum({ latencies, ...counts }: UsageSum) {
  return { ...counts, ...timesOf({ p50Ms: 0.5, p95Ms: 0.95 }, latencies) };
}

/** Percentiles by their names; none without durations. */
export function timesOf<Name extends string>(
  shares: Record<Name, number>,
  latencies: readonly number[],
): Partial<Record<Name, number>> {
  const times = Object.entries<number>(shares).flatMap(([name, share]) => {
    const time = percentileMs(latencies, share);
    return time === undefined ? [] : [[name, time]];
  });
  return Object.fromEntries(times);
}

/** Of several processes that share the counters, the highest count in the latest window is the most recent. */
export function quotaOf(rows: readonly UsageRow[], { now, limit }: { now: number; limit: number }): QuotaUse {
  let use: QuotaUse = { limit, used: 0 };
  for (const { quotaLimit, quotaRemaining, quotaResetAt } of rows) {
    if (quotaLimit === null || quotaRemaining === null || quotaResetAt === null || quotaResetAt <= now)
      continue;
    const used = quotaLimit - quotaRemaining;
    if (used > use.used) use = { limit: quotaLimit, used, resetAt: quotaResetAt };
  }
  return use;
}
