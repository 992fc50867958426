import { Type } from 'typebox';
import { AppId } from '#contract/applications.ts';
import { applicationNotFound, findOwnApplication, ownedBy } from '#features/applications/service.ts';
import type { App } from '#platform/http/app.ts';
import type { Platform } from '#platform/platform.ts';
import type { LiveTails } from './live-tail.ts';

/** What happens to an application, as server-sent events. */
export function liveTailRoutes(app: App, { db, tails }: Pick<Platform, 'db'> & { tails: LiveTails }): void {
  app.get(
    '/applications/:appId/live',
    { schema: { params: Type.Object({ appId: AppId }) } },
    async ({ person, params: { appId } }, reply) => {
      if (!(await findOwnApplication(db, ownedBy(person, appId)))) throw applicationNotFound();
      await tails.begin(reply, { person, appId });
      return reply;
    },
  );
}
