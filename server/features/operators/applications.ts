import { OPERATE } from '#contract/api/operate.ts';
import { LIMITS } from '#contract/limits.ts';
import type { ApplicationGrants } from '#contract/oauth.ts';
import type {
  FailingEndpoints,
  OperatedApplication,
  OperatedEndpoint,
} from '#contract/operate/applications.ts';
import { joined } from '#platform/database/joined.ts';
import { notFound } from '#platform/errors.ts';
import { serve } from '#platform/http/serve.ts';
import { isId } from '#platform/ids.ts';
import { type Acts, byActs } from './acts.ts';
import type { OperatorCommandDeps, OperatorDeps } from './deps.ts';

const DAY_HOURS = 24;
const SHOWN_ENDPOINTS = 50;

/** Applications by id, by the whole e-mail address of the owner, or by the beginning of the name. */
export async function findApplications(deps: OperatorDeps, query: string): Promise<OperatedApplication[]> {
  const { accounts, applications } = deps;
  const text = query.trim();
  if (isId('app', text)) return show(deps, [text]);
  if (!text.includes('@'))
    return show(deps, await applications.operator.findIdsByName(text, LIMITS.operatorSearchResults));
  const ownerId = await accounts.findIdByEmail(text);
  return ownerId === undefined ? [] : show(deps, await applications.operator.findOwnedIds(ownerId));
}

/** @throws ApiError 404 */
export async function showApplication(deps: OperatorDeps, appId: string): Promise<OperatedApplication> {
  const [application] = isId('app', appId) ? await show(deps, [appId]) : [];
  if (!application) throw notFound('application.not-there', { appId });
  return application;
}

async function show(
  { accounts, applications, webhooks }: OperatorDeps,
  appIds: string[],
): Promise<OperatedApplication[]> {
  const [rows, activity, failing] = await Promise.all([
    applications.operator.findAll(appIds),
    applications.findActivity(appIds, DAY_HOURS),
    webhooks.findFailingEndpoints(appIds),
  ]);
  const personOf = await accounts.findByIds(rows.map(({ ownerId }) => ownerId));
  return rows.map(({ appId, name, state, requestsPerMinute, createdAt, ownerId, clientUrl }) => ({
    appId,
    name,
    state: state as OperatedApplication['state'],
    requestsPerMinute,
    createdAt,
    ...(clientUrl === null
      ? { owner: { accountId: ownerId, name: personOf.get(ownerId)?.name ?? '' } }
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

/** Acts on applications. */
export const applicationActs = {
  /** Refuses its keys and tokens. */
  'application.suspended': async (deps, { appId }, { reason }: { reason?: string | undefined }, record) => {
    await deps.db.begin(async (tx) => {
      await deps.applications.operatingWithin(joined(tx)).suspend(appId);
      await record(reason === undefined ? {} : { reason })(tx);
    });
    deps.applications.announceRevocation(appId);
  },
  /** @returns the state from before the suspension */
  'application.unsuspended': async (deps, { appId }, { reason }: { reason?: string | undefined }, record) => {
    const state = await deps.db.begin(async (tx) => {
      const back = await deps.applications.operatingWithin(joined(tx)).unsuspend(appId);
      await record(reason === undefined ? {} : { reason })(tx);
      return back;
    });
    await deps.applications.announceReopening(appId);
    return state;
  },
  'application.quota-changed': async (deps, { appId }, { requestsPerMinute }, record) => {
    await deps.db.begin(async (tx) => {
      const from = await deps.applications.operatingWithin(joined(tx)).changeQuota(appId, requestsPerMinute);
      if (from !== requestsPerMinute)
        await record({ requestsPerMinute: { from, to: requestsPerMinute } })(tx);
    });
  },
} satisfies Acts<OperatorCommandDeps>;

/** The queue of an application's endpoint, its health, and the traffic of a day. @throws ApiError 404 */
export async function showEndpoint(
  { applications, webhooks }: OperatorDeps,
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
export async function listFailingEndpoints({
  applications,
  webhooks,
}: OperatorDeps): Promise<FailingEndpoints> {
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
  { applications, oauth }: OperatorDeps,
  appId: string,
  before?: string,
): Promise<ApplicationGrants> {
  const [application] = isId('app', appId) ? await applications.operator.findAll([appId]) : [];
  if (!application) throw notFound('application.not-there', { appId });
  return oauth.listGrantsTo(appId, before);
}

/** Finding, suspending and monitoring applications, and their quotas. */
export function applicationRoutes(deps: OperatorDeps) {
  const shown = ({ appId }: { appId: string }) => showApplication(deps, appId);
  return [
    serve(OPERATE, {
      'GET /applications': async ({ query }) => ({
        applications: await findApplications(deps, query.query),
      }),
      'GET /applications/:appId': ({ params }) => shown(params),
      'GET /applications/:appId/endpoint': ({ params: { appId } }) => showEndpoint(deps, appId),
      'GET /applications/:appId/grants': ({ params: { appId }, query }) =>
        listGrantsOf(deps, appId, query.before),
      'GET /failing-endpoints': () => listFailingEndpoints(deps),
    }),
    serve(
      OPERATE,
      byActs(deps, applicationActs, {
        'application.suspended': shown,
        'application.unsuspended': shown,
        'application.quota-changed': shown,
      }),
    ),
  ];
}
