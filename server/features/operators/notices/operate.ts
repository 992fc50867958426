import { OPERATE } from '#contract/api/operate.ts';
import { serve } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import type { Operators } from '../index.ts';

/** Announcements and maintenance. */
export function noticeRoutes(operators: Operators, { notices }: Pick<Platform, 'notices'>) {
  const listed = async () => ({ announcements: await operators.listAnnouncements() });
  const state = () => ({ ...(notices.maintenance && { maintenance: notices.maintenance }) });
  return [
    serve(OPERATE, {
      'GET /announcements': listed,
      'POST /announcements': async ({ operator, body }) => ({
        announcementId: await operators.announce({ operatorId: operator.accountId }, body),
      }),
      'DELETE /announcements/:announcementId': async ({ operator, params }) => {
        await operators.endAnnouncement({ operatorId: operator.accountId }, params.announcementId);
        return {};
      },
      'PUT /maintenance': async ({ operator, body }) => {
        await operators.startMaintenance({ operatorId: operator.accountId }, body);
        return state();
      },
      'DELETE /maintenance': async ({ operator }) => {
        await operators.endMaintenance({ operatorId: operator.accountId });
        return state();
      },
    }),
  ];
}
