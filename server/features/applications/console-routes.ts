import { Type } from 'typebox';
import {
  AppId,
  Application,
  ApplicationSummary,
  NamedApplication,
  NewApplication,
} from '#contract/applications.ts';
import { Success } from '#contract/envelope.ts';
import { sessionIdOf } from '#features/accounts/index.ts';
import type { App } from '#platform/http/app.ts';
import { success } from '#platform/http/envelope.ts';
import type { Platform } from '#platform/platform.ts';
import { announceRevocation } from './announce-revocation.ts';
import { createApplication } from './create.ts';
import type { ApplicationFollower } from './follower.ts';
import { deleteApplication, disableApplication, reactivateApplication } from './life-cycle.ts';
import { listApplications, ownedBy, showApplication } from './service.ts';
import { renameApplication } from './settings.ts';

/** An owner's applications and their life; their secrets and addresses are in routes of their own. */
export function applicationRoutes(app: App, deps: Platform, followers: readonly ApplicationFollower[]): void {
  const { db, clock } = deps;
  const params = Type.Object({ appId: AppId });
  const one = { params, response: { 200: Success(Application) } };

  app.post(
    '/applications',
    {
      config: { needsRecentSignIn: true },
      schema: { body: NamedApplication, response: { 201: Success(NewApplication) } },
    },
    async ({ person, body }, reply) => {
      const created = await createApplication(deps, person.accountId, body.name, {
        sessionId: sessionIdOf(person),
      });
      reply.code(201);
      return success(clock.now(), 'application created; its secrets are shown this once', created);
    },
  );

  app.get(
    '/applications',
    { schema: { response: { 200: Success(Type.Array(ApplicationSummary)) } } },
    async ({ person }) =>
      success(clock.now(), 'your applications', await listApplications(db, person.accountId)),
  );

  app.get('/applications/:appId', { schema: one }, async ({ person, params: { appId } }) => {
    const shown = await showApplication(deps, ownedBy(person, appId));
    return success(clock.now(), 'application', shown);
  });

  app.patch(
    '/applications/:appId',
    { schema: { ...one, body: NamedApplication } },
    async ({ person, params: { appId }, body }) => {
      const own = ownedBy(person, appId);
      await renameApplication(deps, own, body.name, followers);
      return success(clock.now(), 'application renamed', await showApplication(deps, own));
    },
  );

  app.post('/applications/:appId/disable', { schema: one }, async ({ person, params: { appId } }) => {
    const own = ownedBy(person, appId);
    await disableApplication(deps, own);
    announceRevocation(deps, appId);
    return success(clock.now(), 'application disabled', await showApplication(deps, own));
  });

  app.post('/applications/:appId/reactivate', { schema: one }, async ({ person, params: { appId } }) => {
    const own = ownedBy(person, appId);
    await reactivateApplication(deps, own, followers);
    return success(clock.now(), 'application reactivated', await showApplication(deps, own));
  });

  app.delete(
    '/applications/:appId',
    {
      config: { needsRecentSignIn: true },
      schema: { params, response: { 200: Success(Type.Object({ deleted: Type.Literal(true) })) } },
    },
    async ({ person, params: { appId } }) => {
      await deleteApplication(deps, ownedBy(person, appId), followers);
      announceRevocation(deps, appId);
      return success(clock.now(), 'application deleted', { deleted: true as const });
    },
  );
}
