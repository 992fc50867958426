import { ACCOUNT, SIGN_IN } from '#contract/api/auth.ts';
import { serve } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';

/** The current maintenance, public because the sign-in pages show it, too. */
export function maintenanceRoute({ notices }: Pick<Platform, 'notices'>) {
  return [
    serve(SIGN_IN, {
      'GET /maintenance': () => ({ ...(notices.maintenance && { maintenance: notices.maintenance }) }),
    }),
  ];
}

/** The operators' announcements to everybody who has an account. */
export function announcementRoute({ notices, clock }: Pick<Platform, 'notices' | 'clock'>) {
  return [
    serve(ACCOUNT, {
      'GET /announcements': () => ({
        announcements: notices.announcementsAt(clock.now()),
      }),
    }),
  ];
}
