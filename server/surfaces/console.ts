import { CONSOLE } from '#contract/api/console.ts';
import { SIMULATOR } from '#contract/api/simulator.ts';
import type { Accounts } from '#features/accounts/index.ts';
import { type Applications, ownedBy } from '#features/applications/index.ts';
import type { Simulator } from '#features/simulator/index.ts';
import type { App } from '#platform/http/app.ts';
import { mount, type Served, type Surface } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
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
  simulator: Simulator;
  routes: readonly Served[];
};

/** The surface at `/api/console`: the applications and bots of the signed-in person. */
export async function consoleSurface(app: App, deps: Deps): Promise<void> {
  logRefusals(app);
  requirePerson(app, deps);
  requireTerms(app, deps);
  requireRole(app, deps);
  mount(app, deps, forPeople('console'), CONSOLE, deps.routes);
  mount(app, deps, forTestPeople(deps), SIMULATOR, deps.routes);
}

/** The simulator; whatever is created there belongs to the test person. */
function forTestPeople({ simulator }: Deps): Surface<'tester'> {
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
