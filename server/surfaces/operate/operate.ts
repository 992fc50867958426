import { OPERATE } from '#contract/api/operate.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { Operator, Operators } from '#features/operators/index.ts';
import { notFound, permissionDenied } from '#platform/errors.ts';
import type { App } from '#platform/http/app.ts';
import { RequestSlot } from '#platform/http/connections/request-slot.ts';
import { mount, type Served, type Surface } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import { describeForPeople, logRefusals, personOf, requirePerson } from '../people/person.ts';

type Deps = Platform & { accounts: Accounts; operators: Operators; routes: readonly Served[] };

/** The surface at `/api/operate`: for the operators, who are appointed on the command line. */
export async function operate(app: App, deps: Deps): Promise<void> {
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
