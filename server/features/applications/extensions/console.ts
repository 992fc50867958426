import { CONSOLE } from '#contract/api/console.ts';
import { serve } from '#platform/http/serve.ts';
import type { Applications } from '../index.ts';
import { ownedBy } from '../service.ts';

/** The extensions of the contract that the owner has switched on for the application. */
export function extensionRoutes(applications: Applications) {
  return [
    serve(CONSOLE, {
      'POST /applications/:appId/extensions': async ({ person, params: { appId }, body: { extension } }) => ({
        extensions: await applications.switchExtension(ownedBy(person, appId), { extension, isOn: true }),
      }),
      'DELETE /applications/:appId/extensions': async ({
        person,
        params: { appId },
        body: { extension },
      }) => ({
        extensions: await applications.switchExtension(ownedBy(person, appId), { extension, isOn: false }),
      }),
    }),
  ];
}
