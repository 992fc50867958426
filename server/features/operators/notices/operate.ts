import { Type } from 'typebox';
import { MaintenanceState } from '#contract/notices.ts';
import {
  AnnouncementParams,
  Announcements,
  MakeAnnouncement,
  StartMaintenance,
} from '#contract/operate/notices.ts';
import type { Platform } from '#platform/platform.ts';
import type { OperateRoutes, Operators } from '../index.ts';

const changes = { needsRecentSignIn: true } as const;

/** Announcements and maintenance. */
export function noticeRoutes(
  routes: OperateRoutes,
  operators: Operators,
  { notices }: Pick<Platform, 'notices'>,
): void {
  const listed = async () => ({ announcements: await operators.listAnnouncements() });
  const state = () => ({ ...(notices.maintenance && { maintenance: notices.maintenance }) });

  routes.get('/announcements', { reply: Announcements, message: 'announcements' }, listed);

  routes.post(
    '/announcements',
    {
      ...changes,
      body: MakeAnnouncement,
      reply: Type.Object({ announcementId: Type.String() }),
      message: 'announced',
      status: 201,
    },
    async ({ operator, body }) => ({
      announcementId: await operators.announce({ operatorId: operator.accountId }, body),
    }),
  );

  routes.delete(
    '/announcements/:announcementId',
    { ...changes, params: AnnouncementParams, reply: Type.Object({}), message: 'announcement ended' },
    async ({ operator, params }) => {
      await operators.endAnnouncement({ operatorId: operator.accountId }, params.announcementId);
      return {};
    },
  );

  routes.put(
    '/maintenance',
    { ...changes, body: StartMaintenance, reply: MaintenanceState, message: 'there is maintenance' },
    async ({ operator, body }) => {
      await operators.startMaintenance({ operatorId: operator.accountId }, body);
      return state();
    },
  );

  routes.delete(
    '/maintenance',
    { ...changes, reply: MaintenanceState, message: 'maintenance ended' },
    async ({ operator }) => {
      await operators.endMaintenance({ operatorId: operator.accountId });
      return state();
    },
  );
}
