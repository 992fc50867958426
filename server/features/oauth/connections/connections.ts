import { CHAT } from '#contract/api/chat.ts';
import type {
  ApplicationGrants,
  ConnectedApplication,
  ConnectedApplications,
  Grant,
} from '#contract/oauth.ts';
import type { GrantedScope } from '#contract/scopes.ts';
import type { Applications } from '#features/applications/index.ts';
import { notFound } from '#platform/errors.ts';
import { AFTER_ALL, pageOf, readCursor } from '#platform/http/cursor.ts';
import { serve } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import {
  type ConnectionRow,
  selectAccountGrants,
  selectApplicationGrantsBefore,
  selectConnections,
  selectConnectionsTo,
} from '../connection-queries.ts';
import type { OAuthDeps } from '../deps.ts';
import { recordLogouts } from '../openid/logout.ts';
import { ALL_SCOPES } from '../openid/request.ts';
import { endGrants, findGrants, type GrantRow } from '../queries.ts';
import { findEnd } from '../rules.ts';
import { listCalls } from './ledger.ts';

type Deps = Platform & { applications: Applications };

const PAGE = 50;

/** The applications to which a person has granted access, page by page. */
export async function listConnections(
  deps: Deps,
  accountId: string,
  cursor = '',
): Promise<ConnectedApplications> {
  const rows = await selectConnections(deps.db, accountId, { after: cursor, limit: PAGE + 1 });
  const { page, last } = pageOf(rows, PAGE);
  return { applications: await show(deps, accountId, page), ...(last && { nextCursor: last.appId }) };
}

/** The same for given applications; those without any grant are left out. */
export async function findConnections(
  deps: Deps,
  accountId: string,
  appIds: string[],
): Promise<ConnectedApplication[]> {
  return show(deps, accountId, await selectConnectionsTo(deps.db, accountId, appIds));
}

/**
 * The person ends one grant to an application, or all. Ended grants do not change.
 *
 * @throws ApiError 404 when the person never granted it
 */
export async function revokeConnection(
  { db, clock, shards }: OAuthDeps,
  accountId: string,
  { appId, grantId }: { appId: string; grantId?: string | undefined },
): Promise<void> {
  const [connection] = await selectConnectionsTo(db, accountId, [appId]);
  if (!connection) throw notFound('oauth.not-connected');
  const families = (await selectAccountGrants(db, accountId, [appId])).map(({ familyId }) => familyId);
  const ended = grantId === undefined ? families : families.filter((familyId) => familyId === grantId);
  if (grantId !== undefined && ended.length === 0) throw notFound('oauth.grant-unknown');
  await db.begin(async (tx) => {
    await recordLogouts(tx, ended);
    await endGrants(tx, shards, ended, { at: clock.now(), reason: 'revoked-by-person' });
  });
}

/** The grants to an application: why they ended, but not whose they were. */
export async function listGrantsTo(
  { db, clock }: Platform,
  appId: string,
  before?: string,
): Promise<ApplicationGrants> {
  const start = readCursor('fam', 'before', before) ?? AFTER_ALL;
  const ids = await selectApplicationGrantsBefore(db, appId, { before: start, limit: PAGE + 1 });
  const { page, last } = pageOf(ids, PAGE);
  const grants = await findGrants(db, page);
  return { grants: showGrants(grants, clock.now()), ...(last && { nextBefore: last }) };
}

async function show(deps: Deps, accountId: string, rows: ConnectionRow[]): Promise<ConnectedApplication[]> {
  if (rows.length === 0) return [];
  const appIds = rows.map(({ appId }) => appId);
  const [names, families] = await Promise.all([
    deps.applications.findClientNames(appIds),
    selectAccountGrants(deps.db, accountId, appIds),
  ]);
  const grants = await findGrants(
    deps.db,
    families.map(({ familyId }) => familyId),
  );
  const now = deps.clock.now();
  return rows.map(({ appId, firstGrantedAt, lastCalledAt }) => {
    const name = names.find((one) => one.appId === appId);
    const granted = showGrants(
      grants.filter((grant) => grant.appId === appId),
      now,
    );
    const holding = granted.filter(({ endedAt }) => endedAt === undefined);
    return {
      appId,
      name: name?.name ?? '',
      isDeleted: name?.isDeleted ?? true,
      ...(name?.clientUrl != null && { clientUrl: name.clientUrl }),
      isConnected: holding.length > 0,
      scopes: ALL_SCOPES.filter((scope) => holding.some(({ scopes }) => scopes.includes(scope))),
      firstGrantedAt,
      ...(lastCalledAt !== null && { lastUsedAt: lastCalledAt }),
      grants: granted,
    };
  });
}

/** Newest first: ids are ordered by time. */
function showGrants(rows: GrantRow[], now: number): Grant[] {
  return rows
    .toSorted((one, other) => (one.familyId < other.familyId ? 1 : -1))
    .map((row) => ({
      grantId: row.familyId,
      scopes: row.scopes as GrantedScope[],
      grantedAt: row.createdAt,
      ...(row.refreshedAt !== null && { lastRefreshedAt: row.refreshedAt }),
      ...findEnd(row, now),
    }));
}

/** The person's connected applications, their calls, and how to disconnect them. */
export function oauthChatRoutes(deps: OAuthDeps) {
  return serve(CHAT, {
    'GET /connected-applications': ({ person, query }) =>
      listConnections(deps, person.accountId, readCursor('app', 'cursor', query.cursor)),
    'POST /connected-applications/revoke': ({ person, body }) =>
      revokeConnection(deps, person.accountId, body),
    'GET /application-calls': ({ person, query }) => listCalls(deps, person.accountId, query),
  });
}
