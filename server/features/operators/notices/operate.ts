import { OPERATE } from '#contract/api/operate.ts';
import { serve } from '#platform/http/serve.ts';
import type { OperatorDeps } from '../deps.ts';
import { announce, endAnnouncement, listAnnouncements } from './announce.ts';
import { endMaintenance, startMaintenance } from './maintenance.ts';

/** Announcements and maintenance. */
export function noticeRoutes(deps: OperatorDeps) {
  const listed = async () => ({ announcements: await listAnnouncements(deps) });
  const state = () => ({ ...(deps.notices.maintenance && { maintenance: deps.notices.maintenance }) });
  return [
    serve(OPERATE, {
      'GET /announcements': listed,
      'POST /announcements': async ({ operator, body }) => ({
        announcementId: await announce(deps, { operatorId: operator.accountId }, body),
      }),
      'DELETE /announcements/:announcementId': async ({ operator, params }) => {
        await endAnnouncement(deps, { operatorId: operator.accountId }, params.announcementId);
        return {};
      },
      'PUT /maintenance': async ({ operator, body }) => {
        await startMaintenance(deps, { operatorId: operator.accountId }, body);
        return state();
      },
      'DELETE /maintenance': async ({ operator }) => {
        await endMaintenance(deps, { operatorId: operator.accountId });
        return state();
      },
    }),
  ];
}
