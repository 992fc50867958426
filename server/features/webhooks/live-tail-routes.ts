import { Type } from 'typebox';
import { AppId } from '#contract/applications.ts';
import { hasSession, type Person } from '#features/accounts/session.ts';
import { applicationNotFound, findOwnApplication, ownedBy } from '#features/applications/service.ts';
import type { App } from '#platform/http/app.ts';
import type { Platform } from '#platform/platform.ts';
import type { LiveTails } from './live-tail.ts';

/** What happens to an application, as server-sent events. */
export function liveTailRoutes(app: App, deps: Pick<Platform, 'db' | 'clock'> & { tails: LiveTails }): void {
  app.get(
    '/applications/:appId/live',
    { schema: { params: Type.Object({ appId: AppId }) } },
    async ({ person, params: { appId } }, reply) => {
      const isAllowed = mayFollow(deps, person, appId);
      if (!(await isAllowed())) throw applicationNotFound();
      await deps.tails.stream(reply, { appId, isAllowed });
      return reply;
    },
  );
}

/** Whether the session holds, and the application is still the person's own. */
export function mayFollow(deps: Pick<Platform, 'db' | 'clock'>, person: Person, appId: string) {
  return async (): Promise<boolean> =>
    (await hasSession(deps, person)) &&
    (await findOwnApplication(deps.db, ownedBy(person, appId))) !== undefined;
}
