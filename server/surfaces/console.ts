import type { Accounts } from '#features/accounts/index.ts';
import { addressRoutes } from '#features/applications/address-routes.ts';
import { applicationRoutes } from '#features/applications/console-routes.ts';
import { credentialRoutes } from '#features/applications/credential-routes.ts';
import type { ApplicationFollower } from '#features/applications/follower.ts';
import { monitoringRoutes } from '#features/applications/monitoring/console-routes.ts';
import type { RequestRecorder } from '#features/applications/monitoring/recorder.ts';
import { botRoutes } from '#features/bots/console-routes.ts';
import type { Contacts } from '#features/contacts/index.ts';
import type { Messages } from '#features/messages/index.ts';
import { oauthConsoleRoutes } from '#features/oauth/console-routes.ts';
import type { Polls } from '#features/polls/index.ts';
import { simulatorRoutes } from '#features/simulator/console-routes.ts';
import { alertRoutes, eventLogRoutes, trialRoutes, type Webhooks } from '#features/webhooks/index.ts';
import type { App } from '#platform/http/app.ts';
import type { Platform } from '#platform/platform.ts';
import { consentPreviewRoute } from './consent-preview.ts';
import { logRefusals, personRoutes, requirePerson } from './person.ts';

/** The door at `/api/console`: the applications and bots of whoever is signed in. */
export async function consoleDoor(
  app: App,
  platform: Platform & {
    recorder: RequestRecorder;
    accounts: Accounts;
    contacts: Contacts;
    messages: Messages;
    polls: Polls;
    webhooks: Webhooks;
    applicationHooks: readonly ApplicationFollower[];
  },
): Promise<void> {
  const { applicationHooks: followers, webhooks } = platform;
  const routes = personRoutes(app, platform, 'console');
  logRefusals(app);
  requirePerson(app, platform);
  applicationRoutes(app, platform, followers);
  credentialRoutes(app, platform);
  monitoringRoutes(app, platform);
  addressRoutes(app, platform, followers);
  botRoutes(app, platform);
  eventLogRoutes(routes, webhooks);
  trialRoutes(routes, webhooks);
  alertRoutes(routes, webhooks);
  oauthConsoleRoutes(app, platform);
  consentPreviewRoute(app, platform);
  simulatorRoutes(app, { ...platform, tails: webhooks.liveTails });
}
