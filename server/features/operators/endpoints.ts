import type { ApplicationGrants } from '#contract/oauth.ts';
import type { FailingEndpoints, OperatedEndpoint } from '#contract/operate/applications.ts';
import type { Applications } from '#features/applications/index.ts';
import type { OAuth } from '#features/oauth/index.ts';
import type { Webhooks } from '#features/webhooks/index.ts';
import { notFound } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';

const DAY_HOURS = 24;
const SHOWN = 50;

interface Deps {
  applications: Pick<Applications, 'operator' | 'findForDelivery' | 'findActivity'>;
  webhooks: Pick<Webhooks, 'findOpenBreakers' | 'findBacklog'>;
  oauth: Pick<OAuth, 'listGrantsTo'>;
}

/** The queue of an application's endpoint, its health, and the traffic of a day. @throws ApiError 404 */
export async function showEndpoint(
  { applications, webhooks }: Deps,
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
export async function listFailingEndpoints({ applications, webhooks }: Deps): Promise<FailingEndpoints> {
  const breakers = await webhooks.findOpenBreakers(SHOWN);
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
  { applications, oauth }: Deps,
  appId: string,
  before?: string,
): Promise<ApplicationGrants> {
  const [application] = isId('app', appId) ? await applications.operator.findAll([appId]) : [];
  if (!application) throw notFound('application.not-there', { appId });
  return oauth.listGrantsTo(appId, before);
}
