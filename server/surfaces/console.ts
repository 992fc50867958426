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
import { alertRoutes } from '#features/webhooks/alerts/console-routes.ts';
import type { Webhooks } from '#features/webhooks/index.ts';
import { eventLogRoutes } from '#features/webhooks/log/console-routes.ts';
import { liveTailRoutes } from '#features/webhooks/log/live-tail-routes.ts';
import { trialRoutes } from '#features/webhooks/tools/trial-routes.ts';
import type { App } from '#platform/http/app.ts';
import type { Platform } from '#platform/platform.ts';
import { consentPreviewRoute } from './consent-preview.ts';
import { logRefusals, requirePerson } from './person.ts';

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
  const { applicationHooks: followers } = platform;
  logRefusals(app);
  requirePerson(app, platform);
  applicationRoutes(app, platform, followers);
  credentialRoutes(app, platform);
  monitoringRoutes(app, platform);
  addressRoutes(app, platform, followers);
  botRoutes(app, platform);
  eventLogRoutes(app, platform);
  trialRoutes(app, platform);
  alertRoutes(app, platform);
  oauthConsoleRoutes(app, platform);
  consentPreviewRoute(app, platform);
  const tails = platform.webhooks.liveTails;
  liveTailRoutes(app, { ...platform, tails });
  simulatorRoutes(app, { ...platform, tails });
}
