import { ACCOUNT, SIGN_IN } from '#contract/api/auth.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { App } from '#platform/http/app.ts';
import { mount, type Served, type Surface } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import { browserOf } from './browser.ts';
import { describeForPeople, guardPages, personOf, requirePerson } from './person.ts';

type Deps = Platform & { accounts: Accounts; routes: readonly Served[] };

/** The surface at `/api/auth`: sign-up, sign-in, and the administration of people's own accounts. */
export async function auth(app: App, deps: Deps): Promise<void> {
  const { accounts } = deps;
  await app.register(async (scope) => {
    guardPages(scope, deps);
    mount(scope, deps, forVisitors(accounts), SIGN_IN, deps.routes);
  });
  await app.register(async (scope) => {
    requirePerson(scope, deps);
    mount(scope, deps, forOwnAccounts(accounts), ACCOUNT, deps.routes);
  });
}

/** People who are not signed in. */
function forVisitors(accounts: Accounts): Surface<'visitor'> {
  return {
    describe: describeForPeople,
    run: (request, reply, handle) => handle({ browser: browserOf(request, reply, accounts) }),
  };
}

function forOwnAccounts(accounts: Accounts): Surface<'account'> {
  return {
    describe: describeForPeople,
    run: (request, reply, handle) =>
      handle({
        person: personOf(request),
        browser: browserOf(request, reply, { ...accounts, isSignedIn: true }),
      }),
  };
}
