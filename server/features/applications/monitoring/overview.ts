import { type Overview, USAGE_SPANS } from '#contract/applications/monitoring.ts';
import type { ApplicationDeps } from '../deps.ts';
import { type Owned, requireOwnApplication } from '../service.ts';
import { selectErrorGroups, selectUsage, type UsageRow } from './queries.ts';
import { lastHours, quotaOf, sumByStart, sumUp, timesOf, toActiveHours } from './usage.ts';

const HOURS = 24;
const SHOWN_FAILURES = 5;
const SENDS = new Set(['/v1/messages', '/v1/messages/group', '/v1/groups/broadcast', '/v1/polls']);

/** How an application did in the last day, and what needs attention. @throws ApiError 404 */
export async function showOverview({ db, clock }: ApplicationDeps, own: Owned): Promise<Overview> {
  const { requestsPerMinute } = await requireOwnApplication(db, own);
  const now = clock.now();
  const spans = lastHours(now, HOURS);
  const [rows, minutes, failing] = await Promise.all([
    selectUsage(db, [own.appId], { span: 'hour', since: spans.since }),
    selectUsage(db, [own.appId], { span: 'minute', since: now - 2 * USAGE_SPANS.minute.ms }),
    selectErrorGroups(db, own.appId, { since: now - spans.ms, limit: SHOWN_FAILURES }),
  ]);
  const requests = rows.filter(({ caller }) => caller !== 'webhook');
  const sends = sumByStart(
    requests.filter(({ method, route }) => method === 'POST' && SENDS.has(route)),
    spans,
  );
  const sums = sumByStart(requests, spans);
  const busiest = findBusiest(minutes, { now, limit: requestsPerMinute });
  return {
    hours: toActiveHours(rows, spans).map((hour, i) => ({
      ...hour,
      sends: successesOf(sends[i]),
      ...timesOf({ p95Ms: 0.95 }, sums[i]?.latencies ?? []),
    })),
    ...timesOf({ p50Ms: 0.5, p95Ms: 0.95 }, sumUp(requests).latencies),
    failing,
    ...(busiest && { busiest }),
  };
}

function successesOf(sum: ReturnType<typeof sumUp> | undefined): number {
  return sum ? sum.requests - sum.clientErrors - sum.serverErrors : 0;
}

function findBusiest(
  rows: readonly UsageRow[],
  at: { now: number; limit: number },
): Overview['busiest'] | undefined {
  const byRoute = Map.groupBy(rows, ({ caller, method, route }) => `${caller} ${method} ${route}`);
  return [...byRoute.values()]
    .map((parts) => {
      const { method, route } = parts[0] as UsageRow;
      return { method, route, quota: quotaOf(parts, at) };
    })
    .filter(({ quota }) => quota.resetAt !== undefined)
    .sort((one, other) => other.quota.used / other.quota.limit - one.quota.used / one.quota.limit)[0];
}
