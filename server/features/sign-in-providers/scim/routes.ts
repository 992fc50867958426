import { SCIM } from '#contract/api/scim.ts';
import type { ActDetails } from '#contract/operate/acts.ts';
import type { ProvisioningAct } from '#features/accounts/index.ts';
import type { Tx } from '#platform/database.ts';
import { serve } from '#platform/http/serve.ts';
import type { ProviderDeps } from '../deps.ts';
import { addressesOf } from '../providers.ts';
import { lockProvider } from '../queries.ts';
import { describeResources, describeSchemas, describeService, listOf, MOST_LISTED } from './metadata.ts';
import { type Provisioned, readFilter, readNewUser, readPatch, readUser, viewUser } from './resource.ts';

/** The provider that manages its people, for handlers of SCIM. */
export interface ManagingProvider {
  providerId: string;
  issuer: string;
  findsByEmail: boolean;
}

declare module '#platform/http/serve.ts' {
  interface Callers {
    provider: { provider: ManagingProvider };
  }
}

/** The people of a provider (RFC 7644). */
export function scimRoutes(deps: ProviderDeps) {
  const { identities } = deps.accounts;
  // The address is the same for all providers: the token says which one it is.
  const base = addressesOf(deps.config, '').scimUrl;
  const by = ({ providerId, issuer, findsByEmail }: ManagingProvider) => ({
    issuer,
    findsByEmail,
    lock: (tx: Tx) => lockProvider(tx, providerId),
    record: (tx: Tx, subject: string, act: ProvisioningAct, details: ActDetails) =>
      deps.recordAct(tx, { providerId, act, subject, details }),
  });
  return serve(SCIM, {
    'GET /ServiceProviderConfig': () => describeService(base),
    'GET /ResourceTypes': () => describeResources(base),
    'GET /Schemas': () => describeSchemas(base),
    'GET /Users': async ({ provider, query }) => {
      const startIndex = Math.max(1, Number(query.startIndex ?? 1));
      const limit = Math.min(MOST_LISTED, Math.max(0, Number(query.count ?? MOST_LISTED)));
      const page = { offset: startIndex - 1, limit };
      const { people, total } = await identities.listProvisioned(
        provider.issuer,
        readFilter(query.filter),
        page,
      );
      const users = people.map((person) => viewUser(base, person));
      return listOf(users, { startIndex, totalResults: total });
    },
    'POST /Users': async ({ provider, body, reply }) => {
      const person = await identities.provision(by(provider), readNewUser(body));
      reply.code(201).header('location', `${base}/Users/${person.accountId}`);
      return viewUser(base, person);
    },
    'GET /Users/:accountId': async ({ provider, params }) =>
      viewUser(base, await identities.findProvisioned(provider.issuer, params.accountId)),
    'PUT /Users/:accountId': async ({ provider, params, body }) =>
      viewUser(
        base,
        await identities.changeProvisioned(by(provider), params.accountId, () => readUser(body)),
      ),
    'PATCH /Users/:accountId': async ({ provider, params, body }) => {
      const changeOf = (before: Provisioned) => readPatch(body, before);
      return viewUser(base, await identities.changeProvisioned(by(provider), params.accountId, changeOf));
    },
    'DELETE /Users/:accountId': async ({ provider, params, reply }) => {
      await identities.deprovision(by(provider), params.accountId);
      return reply.code(204).send();
    },
  });
}
