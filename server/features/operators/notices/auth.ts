import { MaintenanceState, ShownAnnouncements } from '#contract/notices.ts';
import type { OwnAccountRoutes, SignInRoutes } from '#features/accounts/index.ts';
import type { Platform } from '#platform/platform.ts';

/** The current maintenance, public because the sign-in pages show it, too. */
export function maintenanceRoute(routes: SignInRoutes, { notices }: Pick<Platform, 'notices'>): void {
  routes.get(
    '/maintenance',
    {
      reply: MaintenanceState,
      message: ({ maintenance }) => (maintenance ? 'there is maintenance' : 'all is as usual'),
    },
    () => ({ ...(notices.maintenance && { maintenance: notices.maintenance }) }),
  );
}

/** The operators' announcements to everybody who has an account. */
export function announcementRoute(
  routes: OwnAccountRoutes,
  { notices, clock }: Pick<Platform, 'notices' | 'clock'>,
): void {
  routes.get('/announcements', { reply: ShownAnnouncements, message: 'announcements' }, () => ({
    announcements: notices.announcementsAt(clock.now()),
  }));
}
