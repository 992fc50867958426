import { OPERATE } from '#contract/api/operate.ts';
import type { AddProvider, ChangeProvider, OperatedProvider } from '#contract/operate/providers.ts';
import type { FurtherChange } from '#features/sign-in-providers/index.ts';
import type { Tx } from '#platform/database.ts';
import { serve } from '#platform/http/serve.ts';
import { recordAct } from './acts.ts';
import type { OperatorDeps } from './deps.ts';
import { deleteOperatorsOfProvider } from './queries.ts';

interface By {
  operatorId?: string | undefined;
}

/** @throws ApiError 400, 409, 429 */
export function addProvider(
  deps: OperatorDeps,
  { operatorId }: By,
  given: AddProvider,
): Promise<OperatedProvider> {
  const { name, issuer } = given;
  return deps.providers.addProvider(given, (tx, subject) =>
    recordAct(tx, deps, { operatorId, act: 'provider.added', subject, details: { name, issuer } }),
  );
}

/** The trail has the names of the changed settings, and their values except the secret. @throws ApiError 404 */
export function changeProvider(
  deps: OperatorDeps,
  { operatorId }: By,
  providerId: string,
  change: ChangeProvider & FurtherChange,
): Promise<OperatedProvider> {
  const details = Object.fromEntries(
    Object.entries(change).map(([name, value]) => [name, name === 'clientSecret' ? '…' : String(value)]),
  );
  return deps.providers.changeProvider(providerId, change, (tx, subject) =>
    recordAct(tx, deps, { operatorId, act: 'provider.changed', subject, details }),
  );
}

/** Its operators are none any more, and the sessions that began there end. @throws ApiError 404 */
export async function removeProvider(
  deps: OperatorDeps,
  { operatorId }: By,
  providerId: string,
  reason: string,
): Promise<void> {
  await deps.providers.removeProvider(providerId, async (tx, subject) => {
    await deleteOperatorsOfProvider(tx, subject);
    await recordAct(tx, deps, { operatorId, act: 'provider.removed', subject, details: { reason } });
  });
  await deps.accounts.operator.endProviderSessions({ providerId });
}

/** Shown only once; it replaces the token before. @throws ApiError 404 */
export function makeScimToken(deps: OperatorDeps, { operatorId }: By, providerId: string): Promise<string> {
  return deps.providers.makeScimToken(providerId, recording(deps, operatorId, 'provider.scim-token-made'));
}

/** @throws ApiError 404 */
export function removeScimToken(deps: OperatorDeps, { operatorId }: By, providerId: string): Promise<void> {
  return deps.providers.removeScimToken(
    providerId,
    recording(deps, operatorId, 'provider.scim-token-removed'),
  );
}

function recording(
  deps: OperatorDeps,
  operatorId: string | undefined,
  act: 'provider.scim-token-made' | 'provider.scim-token-removed',
) {
  return (tx: Tx, subject: string) => recordAct(tx, deps, { operatorId, act, subject });
}

/** Providers through which people sign in. */
export function providerRoutes(deps: OperatorDeps) {
  const { providers } = deps;
  return serve(OPERATE, {
    'GET /providers': async () => ({ providers: await providers.listProviders() }),
    'POST /providers': ({ operator, body }) => addProvider(deps, { operatorId: operator.accountId }, body),
    'PATCH /providers/:providerId': ({ operator, params, body }) =>
      changeProvider(deps, { operatorId: operator.accountId }, params.providerId, body),
    'DELETE /providers/:providerId': async ({ operator, params, body }) => {
      await removeProvider(deps, { operatorId: operator.accountId }, params.providerId, body.reason);
      return {};
    },
    'POST /providers/:providerId/try': async ({ params }) => ({
      faults: await providers.tryProvider(params.providerId),
    }),
    'POST /providers/:providerId/scim-token': async ({ operator, params }) => ({
      token: await makeScimToken(deps, { operatorId: operator.accountId }, params.providerId),
    }),
    'DELETE /providers/:providerId/scim-token': async ({ operator, params }) => {
      await removeScimToken(deps, { operatorId: operator.accountId }, params.providerId);
      return {};
    },
  });
}
