import {
  type AccountHook,
  type Accounts,
  confirmRoutes,
  departureRoutes,
  emailRoutes,
  type OwnAccountRoutes,
  ownAccountRoutes,
  passkeyRoutes,
  profileRoutes,
  type SignInRoutes,
  signInRoutes,
  twoFactorRoutes,
} from '#features/accounts/index.ts';
import { announcementRoute, maintenanceRoute } from '#features/operators/index.ts';
import type { App } from '#platform/http/app.ts';
import { createRoutes } from '#platform/http/routes.ts';
import type { Platform } from '#platform/platform.ts';
import { browserOf } from './browser.ts';
import { guardPages, personRoutesWith, requirePerson } from './person.ts';

type Deps = Platform & { accounts: Accounts; accountHooks: readonly AccountHook[] };

/** The surface at `/api/auth`: sign-up, sign-in, and the administration of people's own accounts. */
export async function auth(app: App, deps: Deps): Promise<void> {
  const { accounts, accountHooks } = deps;
  await app.register(async (scope) => {
    guardPages(scope, deps);
    const routes = strangerRoutes(scope, deps);
    signInRoutes(routes, accounts);
    maintenanceRoute(routes, deps);
  });
  await app.register(async (scope) => {
    requirePerson(scope, deps);
    const routes: OwnAccountRoutes = personRoutesWith(scope, deps, 'auth', (request, reply) => ({
      browser: browserOf(request, reply, { ...accounts, isSignedIn: true }),
    }));
    ownAccountRoutes(routes, accounts);
    emailRoutes(routes, accounts);
    confirmRoutes(routes, accounts);
    passkeyRoutes(routes, accounts);
    twoFactorRoutes(routes, accounts);
    profileRoutes(routes, accounts, accountHooks);
    departureRoutes(routes, accounts, accountHooks);
    announcementRoute(routes, deps);
  });
}

/** The builder of routes for people who are not signed in. */
function strangerRoutes(app: App, deps: Deps): SignInRoutes {
  return createRoutes(app, deps, {
    describe: ({ duringMaintenance }) => ({ ...(duringMaintenance && { config: { duringMaintenance } }) }),
    run: (request, reply, handle) => handle({ browser: browserOf(request, reply, deps.accounts) }),
  });
}
