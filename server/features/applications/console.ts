import { CONSOLE } from '#contract/api/console.ts';
import { serve } from '#platform/http/serve.ts';
import { addressRoutes } from './addresses/console.ts';
import { announceRevocation } from './credentials/announce-revocation.ts';
import { credentialRoutes } from './credentials/console.ts';
import type { ApplicationDeps } from './deps.ts';
import { extensionRoutes } from './extensions/console.ts';
import { deleteApplication, disableApplication, reactivateApplication } from './life-cycle.ts';
import { monitoringRoutes } from './monitoring/console.ts';
import { listApplications, ownedBy, showApplication } from './service.ts';
import { renameApplication } from './settings.ts';
import { teamRoutes } from './team/console.ts';

/** An owner's applications: life cycle, secrets, addresses and monitoring. */
export function applicationRoutes(deps: ApplicationDeps) {
  return [
    serve(CONSOLE, {
      'GET /applications': ({ person }) => listApplications(deps.db, person.accountId),
      'GET /applications/:appId': ({ person, params }) =>
        showApplication(deps, ownedBy(person, params.appId)),
      'PATCH /applications/:appId': async ({ person, params, body }) => {
        const own = ownedBy(person, params.appId);
        await renameApplication(deps, own, body.name, deps.hooks);
        return showApplication(deps, own);
      },
      'POST /applications/:appId/disable': async ({ person, params }) => {
        const own = ownedBy(person, params.appId);
        await disableApplication(deps, own);
        announceRevocation(deps, own.appId);
        return showApplication(deps, own);
      },
      'POST /applications/:appId/reactivate': async ({ person, params }) => {
        const own = ownedBy(person, params.appId);
        await reactivateApplication(deps, own, deps.hooks);
        return showApplication(deps, own);
      },
      'DELETE /applications/:appId': async ({ person, params }) => {
        await deleteApplication(deps, ownedBy(person, params.appId), deps.hooks);
        announceRevocation(deps, params.appId);
        return { deleted: true as const };
      },
    }),
    ...credentialRoutes(deps),
    ...monitoringRoutes(deps),
    ...addressRoutes(deps),
    ...extensionRoutes(deps),
    ...teamRoutes(deps),
  ];
}
