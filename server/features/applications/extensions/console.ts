import { Type } from 'typebox';
import { AppId, Extension } from '#contract/applications.ts';
import type { ConsoleRoutes } from '#features/accounts/index.ts';
import type { Applications } from '../index.ts';
import { ownedBy } from '../service.ts';

/** The extensions of the contract that the owner has switched on for the application. */
export function extensionRoutes(routes: ConsoleRoutes, applications: Applications): void {
  const path = '/applications/:appId/extensions';
  const one = {
    role: 'owner' as const,
    params: Type.Object({ appId: AppId }),
    body: Type.Object({ extension: Extension }),
    reply: Type.Object({ extensions: Type.Array(Extension) }),
  };

  routes.post(
    path,
    { ...one, needsRecentSignIn: true, message: 'extension switched on' },
    async ({ person, params: { appId }, body: { extension } }) => ({
      extensions: await applications.switchExtension(ownedBy(person, appId), { extension, isOn: true }),
    }),
  );

  routes.delete(
    path,
    { ...one, message: 'extension switched off' },
    async ({ person, params: { appId }, body: { extension } }) => ({
      extensions: await applications.switchExtension(ownedBy(person, appId), { extension, isOn: false }),
    }),
  );
}
