import type { Accounts } from '#features/accounts/index.ts';
import { type Applications, applicationRoutes, ownedBy } from '#features/applications/index.ts';
import { type Bots, botRoutes } from '#features/bots/index.ts';
import { type IncomingWebhooks, incomingWebhookConsoleRoutes } from '#features/incoming-webhooks/index.ts';
import { type OAuth, oauthConsoleRoutes, openIdConsoleRoutes } from '#features/oauth/index.ts';
import { type Simulator, type SimulatorGiven, simulatorRoutes } from '#features/simulator/index.ts';
import { alertRoutes, eventLogRoutes, trialRoutes, type Webhooks } from '#features/webhooks/index.ts';
import type { App } from '#platform/http/app.ts';
import { createRoutes } from '#platform/http/routes.ts';
import type { Platform } from '#platform/platform.ts';
import { consentPreviewRoute } from './oauth/consent-preview.ts';
import {
  logRefusals,
  personOf,
  personRoutes,
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
  const routes = personRoutes(app, deps, 'console');
  applicationRoutes(routes, applications);
  botRoutes(routes, bots);
  eventLogRoutes(routes, webhooks);
  trialRoutes(routes, webhooks);
  alertRoutes(routes, webhooks);
  oauthConsoleRoutes(routes, oauth);
  openIdConsoleRoutes(routes, oauth);
  incomingWebhookConsoleRoutes(routes, deps.incomingWebhooks);
  consentPreviewRoute(routes, deps);
  simulatorRoutes(routesOfSimulator(app, deps), simulator, webhooks);
}

/** The builder of the simulator's routes; whatever they create belongs to the test person. */
function routesOfSimulator(app: App, deps: Deps) {
  return createRoutes<SimulatorGiven, object>(app, deps, {
    describe: () => ({}),
    async run(request, _reply, handle) {
      const person = personOf(request);
      const { appId } = request.params as { appId: string };
      return handle({ person, appId, chat: await deps.simulator.findChat(ownedBy(person, appId)) });
    },
    clientOf: ({ chat }) => ({ accountId: chat.testPersonId, clientId: 'simulator' }),
  });
}
