import { requireRecentSignIn } from '#features/accounts/session.ts';
import { addressRoutes } from '#features/applications/address-routes.ts';
import { applicationRoutes } from '#features/applications/console-routes.ts';
import { credentialRoutes } from '#features/applications/credential-routes.ts';
import { botRoutes } from '#features/bots/console-routes.ts';
import { botFollower } from '#features/bots/service.ts';
import { createGroupFollower } from '#features/groups/follower.ts';
import { deliveryFollower } from '#features/webhooks/service.ts';
import type { App } from '#platform/http/app.ts';
import type { Platform } from '#platform/platform.ts';
import type { Guard } from '#platform/safe-fetch/guard.ts';
import { requirePerson } from './person.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route shows or makes a secret, or deletes: it asks for a sign-in of the last 10 minutes. */
    needsRecentSignIn?: boolean;
  }
}

/** The door at `/api/console`: the applications and bots of whoever is signed in. */
export async function consoleDoor(app: App, platform: Platform & { guard: Guard }): Promise<void> {
  const followers = [botFollower, createGroupFollower(platform), deliveryFollower(platform)];
  requirePerson(app, platform);
  app.addHook('onRequest', async ({ routeOptions, person }) => {
    if (routeOptions.config.needsRecentSignIn) requireRecentSignIn(person, platform.clock.now());
  });
  applicationRoutes(app, platform, followers);
  credentialRoutes(app, platform);
  addressRoutes(app, platform, followers);
  botRoutes(app, platform);
}
