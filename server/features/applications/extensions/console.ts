import { CONSOLE } from '#contract/api/console.ts';
import { serve } from '#platform/http/serve.ts';
import type { ApplicationDeps } from '../deps.ts';
import { ownedBy } from '../service.ts';
import { switchExtension } from './extensions.ts';

/** The extensions of the contract that the owner has switched on for the application. */
export function extensionRoutes(deps: ApplicationDeps) {
  return [
    serve(CONSOLE, {
      'POST /applications/:appId/extensions': async ({ person, params: { appId }, body: { extension } }) => ({
        extensions: await switchExtension(deps, ownedBy(person, appId), { extension, isOn: true }),
      }),
      'DELETE /applications/:appId/extensions': async ({
        person,
        params: { appId },
        body: { extension },
      }) => ({
        extensions: await switchExtension(deps, ownedBy(person, appId), { extension, isOn: false }),
      }),
    }),
  ];
}
