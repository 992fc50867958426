import {
  type ErrorGroup,
  type LoggedRequest,
  type RequestFilter,
  type RequestPage,
  USAGE_SPANS,
} from '#contract/applications/monitoring.ts';
import { withoutAbsent } from '#platform/absent.ts';
import type { Db } from '#platform/database.ts';
import { AFTER_ALL, pageOf, readCursor } from '#platform/http/cursor.ts';
import { firstIdAt } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import type { ApplicationDeps } from '../deps.ts';
import { type Owned, requireOwnApplication } from '../service.ts';
import {
  deleteRequestsBefore,
  deleteUsageBefore,
  type RequestRow,
  selectErrorGroups,
  selectRequests,
} from './queries.ts';

const DAY_MS = 24 * 3_600_000;
const PAGE = 50;
const SHOWN_GROUPS = 100;
const ANY_STATUS = [0, 999] as const;
const STATUSES = { '2xx': [200, 299], '4xx': [400, 499], '5xx': [500, 599], error: [400, 999] } as const;

/** The same for a person. @throws ApiError 404; 400 */
export async function listOwnRequests(
  deps: ApplicationDeps,
  own: Owned,
  filter: RequestFilter,
): Promise<RequestPage> {
  await requireOwnApplication(deps.db, own);
  return listRequestsOf(deps, own.appId, filter);
}

/**
 * Requests of an application, newest first, including what this process has not stored yet.
 *
 * @throws ApiError 400 if `before` is not a request ID
 */
export async function listRequestsOf(
  { db, recorder }: ApplicationDeps,
  appId: string,
  { before, status, route, code, requestId }: RequestFilter,
): Promise<RequestPage> {
  await recorder.flush();
  const [statusFrom, statusTo] = status ? STATUSES[status] : ANY_STATUS;
  const rows = await selectRequests(db, appId, {
    before: readCursor('req', 'before', before, 'not-a-request-id') ?? AFTER_ALL,
    statusFrom,
    statusTo,
    route: route ?? null,
    code: code ?? null,
    requestId: requestId ?? null,
    limit: PAGE + 1,
  });
  const { page, last } = pageOf(rows, PAGE);
  return { requests: page.map(viewRequest), ...(last && { nextBefore: last.requestId }) };
}

/** The newest requests of an application, whoever owns it, or those before a given request. */
export async function findLatestRequests(
  db: Db,
  appId: string,
  { before = AFTER_ALL, limit }: { before?: string; limit: number },
): Promise<LoggedRequest[]> {
  const [statusFrom, statusTo] = ANY_STATUS;
  const search = { before, statusFrom, statusTo, route: null, code: null, requestId: null, limit };
  return (await selectRequests(db, appId, search)).map(viewRequest);
}

/** @throws ApiError 404 */
export async function groupErrors(db: Db, own: Owned): Promise<ErrorGroup[]> {
  await requireOwnApplication(db, own);
  return selectErrorGroups(db, own.appId, { since: 0, limit: SHOWN_GROUPS });
}

/** One step of the expiry worker: deletes expired requests, counts and audit entries. */
export async function removeExpiredMonitoring({ db, clock, config }: Platform): Promise<void> {
  const now = clock.now();
  await db.begin((tx) => deleteRequestsBefore(tx, now - config.apiLogRetentionDays * DAY_MS));
  for (const span of ['minute', 'hour'] as const) {
    const { ms, count } = USAGE_SPANS[span];
    await db.begin((tx) => deleteUsageBefore(tx, { span, before: now - ms * (count + 1) }));
  }
  const { auditRetentionDays: days } = config;
  if (days === undefined) return;
  // Over all shards; the entries are few.
  const beforeId = firstIdAt('aud', Math.max(0, now - days * DAY_MS));
  await db.write((tx) => tx`delete from audit_entries where entry_id < ${beforeId}`);
}

function viewRequest({ appId: _, ...row }: RequestRow): LoggedRequest {
  return withoutAbsent(row);
}
