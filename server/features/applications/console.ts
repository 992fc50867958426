import { CONSOLE } from '#contract/api/console.ts';
import { serve } from '#platform/http/serve.ts';
import { addressRoutes } from './addresses/console.ts';
import { credentialRoutes } from './credentials/console.ts';
import { extensionRoutes } from './extensions/console.ts';
import type { Applications } from './index.ts';
import { monitoringRoutes } from './monitoring/console.ts';
import { ownedBy } from './service.ts';
import { teamRoutes } from './team/console.ts';

/** An owner's applications: life cycle, secrets, addresses and monitoring. */
export function applicationRoutes(applications: Applications) {
  return [
    serve(CONSOLE, {
      'GET /applications': ({ person }) => applications.listOwn(person.accountId),
      'GET /applications/:appId': ({ person, params }) => applications.showOwn(ownedBy(person, params.appId)),
      'PATCH /applications/:appId': async ({ person, params, body }) => {
        const own = ownedBy(person, params.appId);
        await applications.rename(own, body.name);
        return applications.showOwn(own);
      },
      'POST /applications/:appId/disable': async ({ person, params }) => {
        const own = ownedBy(person, params.appId);
        await applications.disable(own);
        return applications.showOwn(own);
      },
      'POST /applications/:appId/reactivate': async ({ person, params }) => {
        const own = ownedBy(person, params.appId);
        await applications.reactivate(own);
        return applications.showOwn(own);
      },
      'DELETE /applications/:appId': async ({ person, params }) => {
        await applications.delete(ownedBy(person, params.appId));
        return { deleted: true as const };
      },
    }),
    ...credentialRoutes(applications),
    ...monitoringRoutes(applications),
    ...addressRoutes(applications),
    ...extensionRoutes(applications),
    ...teamRoutes(applications),
  ];
}
