import { OPERATE } from '#contract/api/operate.ts';
import type { ApplicationState } from '#contract/applications.ts';
import { LIMITS } from '#contract/limits.ts';
import type { ApplicationGrants } from '#contract/oauth.ts';
import type {
  FailingEndpoints,
  OperatedApplication,
  OperatedEndpoint,
} from '#contract/operate/applications.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { Applications } from '#features/applications/index.ts';
import type { OAuth } from '#features/oauth/index.ts';
import type { Webhooks } from '#features/webhooks/index.ts';
import { joined } from '#platform/database/joined.ts';
import { notFound } from '#platform/errors.ts';
import { serve } from '#platform/http/serve.ts';
import { isId } from '#platform/ids.ts';
import { recordAct } from './acts.ts';
import type { OperatorCommandDeps, OperatorDeps } from './deps.ts';

interface OnApplication {
  operatorId?: string | undefined;
  appId: string;
}

const DAY_HOURS = 24;
const SHOWN_ENDPOINTS = 50;

interface Shown {
  accounts: Pick<Accounts, 'findAll' | 'findIdByEmail'>;
  applications: Pick<Applications, 'operator' | 'findActivity'>;
  webhooks: Pick<Webhooks, 'findFailingEndpoints'>;
}

interface Monitored {
  applications: Pick<Applications, 'operator' | 'findForDelivery' | 'findActivity'>;
  webhooks: Pick<Webhooks, 'findOpenBreakers' | 'findBacklog'>;
  oauth: Pick<OAuth, 'listGrantsTo'>;
}

/** Applications by id, by the whole e-mail address of the owner, or by the beginning of the name. */
export async function findApplications(deps: Shown, query: string): Promise<OperatedApplication[]> {
  const { accounts, applications } = deps;
  const text = query.trim();
  if (isId('app', text)) return show(deps, [text]);
  if (!text.includes('@'))
    return show(deps, await applications.operator.findIdsByName(text, LIMITS.operatorSearchResults));
  const ownerId = await accounts.findIdByEmail(text);
  return ownerId === undefined ? [] : show(deps, await applications.operator.findOwnedIds(ownerId));
}

/** @throws ApiError 404 */
export async function showApplication(deps: Shown, appId: string): Promise<OperatedApplication> {
  const [application] = isId('app', appId) ? await show(deps, [appId]) : [];
  if (!application) throw notFound('application.not-there', { appId });
  return application;
}

async function show(
  { accounts, applications, webhooks }: Shown,
  appIds: string[],
): Promise<OperatedApplication[]> {
  const [rows, activity, failing] = await Promise.all([
    applications.operator.findAll(appIds),
    applications.findActivity(appIds, DAY_HOURS),
    webhooks.findFailingEndpoints(appIds),
  ]);
  const owners = await accounts.findAll([...new Set(rows.map(({ ownerId }) => ownerId))]);
  const nameOf = new Map(owners.map(({ accountId, name }) => [accountId, name]));
  return rows.map(({ appId, name, state, requestsPerMinute, createdAt, ownerId, clientUrl }) => ({
    appId,
    name,
    state: state as OperatedApplication['state'],
    requestsPerMinute,
    createdAt,
    ...(clientUrl === null
      ? { owner: { accountId: ownerId, name: nameOf.get(ownerId) ?? '' } }
      : { clientUrl }),
    isEndpointFailing: failing.has(appId),
    lastDay: sum(activity.get(appId) ?? []),
  }));
}

function sum(hours: readonly OperatedApplication['lastDay'][]): OperatedApplication['lastDay'] {
  const total = { requests: 0, errors: 0, deliveries: 0, failedDeliveries: 0 };
  for (const hour of hours) {
    total.requests += hour.requests;
    total.errors += hour.errors;
    total.deliveries += hour.deliveries;
    total.failedDeliveries += hour.failedDeliveries;
  }
  return total;
}

/** Refuses the keys and tokens of an application. @throws ApiError 400, 404 */
export async function suspendApplication(
  deps: OperatorCommandDeps,
  { operatorId, appId }: OnApplication,
  reason?: string,
): Promise<void> {
  await deps.db.begin(async (tx) => {
    await deps.applications.operatingWithin(joined(tx)).suspend(appId);
    const details = reason === undefined ? {} : { reason };
    await recordAct(tx, deps, { operatorId, act: 'application.suspended', subject: appId, details });
  });
  deps.applications.announceRevocation(appId);
}

/** @returns the state from before the suspension @throws ApiError 400, 404 */
export async function unsuspendApplication(
  deps: OperatorCommandDeps,
  { operatorId, appId }: OnApplication,
  reason?: string,
): Promise<ApplicationState> {
  const state = await deps.db.begin(async (tx) => {
    const back = await deps.applications.operatingWithin(joined(tx)).unsuspend(appId);
    const details = reason === undefined ? {} : { reason };
    await recordAct(tx, deps, { operatorId, act: 'application.unsuspended', subject: appId, details });
    return back;
  });
  await deps.applications.announceReopening(appId);
  return state;
}

/** @param requestsPerMinute for each credential and endpoint @throws ApiError 404 */
export async function changeQuota(
  deps: OperatorCommandDeps,
  { operatorId, appId }: OnApplication,
  requestsPerMinute: number,
): Promise<void> {
  await deps.db.begin(async (tx) => {
    await deps.applications.operatingWithin(joined(tx)).changeQuota(appId, requestsPerMinute);
    const details = { requestsPerMinute };
    await recordAct(tx, deps, { operatorId, act: 'application.quota-changed', subject: appId, details });
  });
}

/** The queue of an application's endpoint, its health, and the traffic of a day. @throws ApiError 404 */
export async function showEndpoint(
  { applications, webhooks }: Monitored,
  appId: string,
): Promise<OperatedEndpoint> {
  const [application] = isId('app', appId) ? await applications.findForDelivery([appId]) : [];
  if (!application) throw notFound('application.not-there', { appId });
  const [backlog, activity] = await Promise.all([
    webhooks.findBacklog(appId),
    applications.findActivity([appId], DAY_HOURS),
  ]);
  const host = application.webhookUrl === undefined ? undefined : URL.parse(application.webhookUrl)?.host;
  return { ...(host !== undefined && { host }), ...backlog, hours: [...(activity.get(appId) ?? [])] };
}

/** Endpoints that do not answer, the longest first. */
export async function listFailingEndpoints({ applications, webhooks }: Monitored): Promise<FailingEndpoints> {
  const breakers = await webhooks.findOpenBreakers(SHOWN_ENDPOINTS);
  const rows = await applications.operator.findAll(breakers.map(({ appId }) => appId));
  const nameOf = new Map(rows.map(({ appId, name }) => [appId, name]));
  return {
    endpoints: breakers.flatMap(({ appId, openedAt }) => {
      const name = nameOf.get(appId);
      return name === undefined ? [] : [{ appId, name, breakerOpenedAt: openedAt }];
    }),
  };
}

/** The grants to an application, without the people who gave them. @throws ApiError 404 */
export async function listGrantsOf(
  { applications, oauth }: Monitored,
  appId: string,
  before?: string,
): Promise<ApplicationGrants> {
  const [application] = isId('app', appId) ? await applications.operator.findAll([appId]) : [];
  if (!application) throw notFound('application.not-there', { appId });
  return oauth.listGrantsTo(appId, before);
}

/** Finding, suspending and monitoring applications, and their quotas. */
export function applicationRoutes(deps: OperatorDeps) {
  return serve(OPERATE, {
    'GET /applications': async ({ query }) => ({
      applications: await findApplications(deps, query.query),
    }),
    'GET /applications/:appId': ({ params: { appId } }) => showApplication(deps, appId),
    'POST /applications/:appId/suspension': async ({ operator, params: { appId }, body }) => {
      await suspendApplication(deps, { operatorId: operator.accountId, appId }, body.reason);
      return showApplication(deps, appId);
    },
    'DELETE /applications/:appId/suspension': async ({ operator, params: { appId }, body }) => {
      await unsuspendApplication(deps, { operatorId: operator.accountId, appId }, body.reason);
      return showApplication(deps, appId);
    },
    'PUT /applications/:appId/quota': async ({ operator, params: { appId }, body }) => {
      await changeQuota(deps, { operatorId: operator.accountId, appId }, body.requestsPerMinute);
      return showApplication(deps, appId);
    },
    'GET /applications/:appId/endpoint': ({ params: { appId } }) => showEndpoint(deps, appId),
    'GET /applications/:appId/grants': ({ params: { appId }, query }) =>
      listGrantsOf(deps, appId, query.before),
    'GET /failing-endpoints': () => listFailingEndpoints(deps),
  });
}
