import type { Accounts } from '#features/accounts/index.ts';
import { type Applications, applicationRoutes } from '#features/applications/index.ts';
import type { RequestRecorder } from '#features/applications/monitoring/recorder.ts';
import { botRoutes } from '#features/bots/console.ts';
import type { Contacts } from '#features/contacts/index.ts';
import type { Messages } from '#features/messages/index.ts';
import { type OAuth, oauthConsoleRoutes } from '#features/oauth/index.ts';
import type { Polls } from '#features/polls/index.ts';
import { simulatorRoutes } from '#features/simulator/console.ts';
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
    applications: Applications;
    contacts: Contacts;
    messages: Messages;
    polls: Polls;
    webhooks: Webhooks;
    oauth: OAuth;
  },
): Promise<void> {
  const { webhooks } = platform;
  logRefusals(app);
  requirePerson(app, platform);
  const routes = personRoutes(app, platform, 'console');
  applicationRoutes(routes, platform.applications);
  botRoutes(app, platform);
  eventLogRoutes(routes, webhooks);
  trialRoutes(routes, webhooks);
  alertRoutes(routes, webhooks);
  oauthConsoleRoutes(routes, platform.oauth);
  consentPreviewRoute(routes, platform);
  simulatorRoutes(app, platform);
}
