import { OPERATE } from '#contract/api/operate.ts';
import type { ChangeProvider } from '#contract/operate/providers.ts';
import type { FurtherChange } from '#features/sign-in-providers/index.ts';
import { serve } from '#platform/http/serve.ts';
import { type Acts, byActs, changesOf } from './acts.ts';
import type { OperatorDeps } from './deps.ts';
import { deleteOperatorsOfProvider } from './operators.ts';

/** Acts on sign-in providers. */
export const providerActs = {
  'provider.added': ({ providers }, _, given, record) =>
    providers.addProvider(given, record({ name: given.name, issuer: given.issuer })),
  /** Another claim ends the rights that the previous one gave. The trail has the changed settings, but not the secret. */
  'provider.changed': ({ providers }, { providerId }, change: ChangeProvider & FurtherChange, record) => {
    const { clientSecret, ...settings } = change;
    const names = Object.keys(settings) as (keyof typeof settings)[];
    return providers.changeProvider(providerId, change, async (tx, _, before) => {
      const changes = changesOf(names, before, settings);
      if (changes.operatorsClaim || changes.operatorsValue) await deleteOperatorsOfProvider(tx, providerId);
      await record({ ...changes, ...(clientSecret !== undefined && { clientSecret: '…' }) })(tx);
    });
  },
  /** Its operators are none any more, and the sessions that began there end. */
  'provider.removed': async ({ providers, accounts }, { providerId }, { reason }, record) => {
    await providers.removeProvider(providerId, async (tx) => {
      await deleteOperatorsOfProvider(tx, providerId);
      await record({ reason })(tx);
    });
    await accounts.operator.endProviderSessions({ providerId });
  },
  /** Shown only once; it replaces the token before. */
  'provider.scim-token-made': async ({ providers }, { providerId }, _, record) => ({
    token: await providers.makeScimToken(providerId, record()),
  }),
  'provider.scim-token-removed': ({ providers }, { providerId }, _, record) =>
    providers.removeScimToken(providerId, record()),
} satisfies Acts<OperatorDeps>;

/** Providers through which people sign in. */
export function providerRoutes(deps: OperatorDeps) {
  const { providers } = deps;
  return [
    serve(OPERATE, {
      'GET /providers': async () => ({ providers: await providers.listProviders() }),
      'POST /providers/:providerId/try': async ({ params }) => ({
        faults: await providers.tryProvider(params.providerId),
      }),
    }),
    serve(OPERATE, byActs(deps, providerActs)),
  ];
}
