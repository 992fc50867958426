import { requireRecentSignIn } from '#features/accounts/session.ts';
import { addressRoutes } from '#features/applications/address-routes.ts';
import { applicationRoutes } from '#features/applications/console-routes.ts';
import { credentialRoutes } from '#features/applications/credential-routes.ts';
import { botRoutes } from '#features/bots/console-routes.ts';
import { botFollower } from '#features/bots/service.ts';
import { createGroupFollower } from '#features/groups/follower.ts';
import { oauthConsoleRoutes } from '#features/oauth/console-routes.ts';
import { oauthFollower } from '#features/oauth/follower.ts';
import { alertRoutes } from '#features/webhooks/alerts/console-routes.ts';
import { alertFollower } from '#features/webhooks/alerts/follower.ts';
import { eventLogRoutes } from '#features/webhooks/console-routes.ts';
import { deliveryFollower } from '#features/webhooks/service.ts';
import { trialRoutes } from '#features/webhooks/trial-routes.ts';
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
  const followers = [
    botFollower,
    createGroupFollower(platform),
    deliveryFollower(platform),
    oauthFollower,
    alertFollower,
  ];
  requirePerson(app, platform);
  app.addHook('onRequest', async ({ routeOptions, person }) => {
    if (routeOptions.config.needsRecentSignIn) requireRecentSignIn(person, platform.clock.now());
  });
  applicationRoutes(app, platform, followers);
  credentialRoutes(app, platform);
  addressRoutes(app, platform, followers);
  botRoutes(app, platform);
  eventLogRoutes(app, platform);
  trialRoutes(app, platform);
  alertRoutes(app, platform);
  oauthConsoleRoutes(app, platform);
}
