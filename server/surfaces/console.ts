import { CONSOLE } from '#contract/api/console.ts';
import { SIMULATOR } from '#contract/api/simulator.ts';
import type { Accounts } from '#features/accounts/index.ts';
import { type Applications, applicationRoutes, ownedBy } from '#features/applications/index.ts';
import { type Bots, botRoutes } from '#features/bots/index.ts';
import { type IncomingWebhooks, incomingWebhookConsoleRoutes } from '#features/incoming-webhooks/index.ts';
import { type OAuth, oauthConsoleRoutes, openIdConsoleRoutes } from '#features/oauth/index.ts';
import { type Simulator, simulatorRoutes } from '#features/simulator/index.ts';
import { alertRoutes, eventLogRoutes, trialRoutes, type Webhooks } from '#features/webhooks/index.ts';
import type { App } from '#platform/http/app.ts';
import { mount, type Surface } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import { consentPreviewRoute } from './oauth/consent-preview.ts';
import {
  forPeople,
  logRefusals,
  personOf,
  requirePerson,
  requireRole,
  requireTerms,
} from './people/person.ts';

type Deps = Platform & {
  accounts: Accounts;
  applications: Applications;
  bots: Bots;
  webhooks: Webhooks;
  simulator: Simulator;
  oauth: OAuth;
  incomingWebhooks: IncomingWebhooks;
};

/** The surface at `/api/console`: the applications and bots of the signed-in person. */
export async function consoleSurface(app: App, deps: Deps): Promise<void> {
  const { applications, bots, webhooks, simulator, oauth } = deps;
  logRefusals(app);
  requirePerson(app, deps);
  requireTerms(app, deps);
  requireRole(app, deps);
  mount(app, deps, forPeople('console'), CONSOLE, [
    ...applicationRoutes(applications),
    ...botRoutes(bots),
    ...eventLogRoutes(webhooks),
    ...trialRoutes(webhooks),
    ...alertRoutes(webhooks),
    ...oauthConsoleRoutes(oauth),
    ...openIdConsoleRoutes(oauth),
    ...incomingWebhookConsoleRoutes(deps.incomingWebhooks),
    ...consentPreviewRoute(deps),
  ]);
  mount(app, deps, forTestPeople(deps), SIMULATOR, simulatorRoutes(simulator, webhooks));
}

/** The simulator; whatever is created there belongs to the test person. */
function forTestPeople({ simulator }: Pick<Deps, 'simulator'>): Surface<'tester'> {
  return {
    describe: () => ({}),
    async run(request, _reply, handle) {
      const person = personOf(request);
      const { appId } = request.params as { appId: string };
      return handle({ person, appId, chat: await simulator.findChat(ownedBy(person, appId)) });
    },
    clientOf: ({ chat }) => ({ accountId: chat.testPersonId, clientId: 'simulator' }),
  };
}
