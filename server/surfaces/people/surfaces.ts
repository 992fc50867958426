import type { FastifyRequest } from 'fastify';
import { ACCOUNT, SIGN_IN } from '#contract/api/auth.ts';
import { CHAT } from '#contract/api/chat.ts';
import { APPLICATION, CONSOLE } from '#contract/api/console.ts';
import { OPERATE } from '#contract/api/operate.ts';
import { SIMULATOR } from '#contract/api/simulator.ts';
import type { Accounts } from '#features/accounts/index.ts';
import { type Applications, ownedBy } from '#features/applications/index.ts';
import type { Operator, Operators } from '#features/operators/index.ts';
import type { Simulator } from '#features/simulator/index.ts';
import { notFound, permissionDenied } from '#platform/errors.ts';
import type { App } from '#platform/http/app.ts';
import { RequestSlot } from '#platform/http/connections/request-slot.ts';
import { mount, type Served, type Surface } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import {
  browserOf,
  describeForPeople,
  guardPages,
  logRefusals,
  personOf,
  requirePerson,
  requireRole,
  requireTerms,
} from './person.ts';

type Deps = Platform & { accounts: Accounts; routes: readonly Served[] };

/**
 * Endpoints for people, behind {@link requirePerson}.
 *
 * @param clientId the namespace of their `Idempotency-Key`s
 */
export function forPeople(clientId: 'chat' | 'console'): Surface<'person'> {
  return {
    describe: describeForPeople,
    run: (request, _reply, handle) => handle({ person: personOf(request) }),
    clientOf: ({ person: { accountId } }) => ({ accountId, clientId }),
  };
}

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

/** The surface at `/api/chat`: conversations of people. */
export async function chat(app: App, deps: Deps): Promise<void> {
  requirePerson(app, deps);
  requireTerms(app, deps);
  mount(app, deps, forPeople('chat'), CHAT, deps.routes);
}

/** The surface at `/api/console`: the applications and bots of the signed-in person. */
export async function consoleSurface(
  app: App,
  deps: Deps & { applications: Applications; simulator: Simulator },
): Promise<void> {
  logRefusals(app);
  requirePerson(app, deps);
  requireTerms(app, deps);
  requireRole(app, deps);
  mount(app, deps, forPeople('console'), CONSOLE, deps.routes);
  mount(app, deps, FOR_DEVELOPERS, APPLICATION, deps.routes);
  mount(app, deps, forTestPeople(deps), SIMULATOR, deps.routes);
}

function onApplication(request: FastifyRequest) {
  const person = personOf(request);
  const { appId } = request.params as { appId: string };
  return { person, own: ownedBy(person, appId) };
}

const FOR_DEVELOPERS: Surface<'developer'> = {
  describe: describeForPeople,
  run: (request, _reply, handle) => handle(onApplication(request)),
};

/** The simulator; whatever is created there belongs to the test person. */
function forTestPeople({ simulator }: { simulator: Simulator }): Surface<'tester'> {
  return {
    describe: () => ({}),
    async run(request, _reply, handle) {
      const given = onApplication(request);
      return handle({ ...given, chat: await simulator.findChat(given.own) });
    },
    clientOf: ({ chat }) => ({ accountId: chat.testPersonId, clientId: 'simulator' }),
  };
}

/** The surface at `/api/operate`: for the operators, who are appointed on the command line. */
export async function operate(app: App, deps: Deps & { operators: Operators }): Promise<void> {
  const { accounts, operators } = deps;
  const operating = new RequestSlot<Operator>();
  logRefusals(app);
  requirePerson(app, deps);
  app.addHook('onRequest', async (request) => {
    const { accountId } = personOf(request);
    const standing = await operators.findStanding(accountId);
    // For everybody else the path does not exist.
    if (!standing) throw notFound('http.no-path');
    if (!standing.isTwoFactorOn) throw permissionDenied('operator.needs-second-factor');
    const { name } = await accounts.findOwn(accountId);
    operating.set(request, { accountId, name });
  });
  const surface: Surface<'operator'> = {
    // Operators can also act during maintenance, for example to end it.
    describe: ({ act, ...endpoint }) =>
      describeForPeople({ ...endpoint, ...(act && { needs: 'recent-sign-in' }), duringMaintenance: true }),
    run: (request, _reply, handle) => handle({ operator: operating.get(request) }),
  };
  mount(app, deps, surface, OPERATE, deps.routes);
}
