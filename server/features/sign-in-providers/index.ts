import type { Identities } from '#contract/accounts/providers.ts';
import { ACCOUNT, SIGN_IN } from '#contract/api/auth.ts';
import type { AccountHook, Person } from '#features/accounts/index.ts';
import { withoutAbsent } from '#platform/absent.ts';
import type { Db, Tx } from '#platform/database.ts';
import { serve } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import { openWindow } from '#platform/rate-limits.ts';
import { withDeps } from '#platform/with-deps.ts';
import { arrive, finishConnecting, leave } from './arrive.ts';
import { ProviderClients } from './clients.ts';
import type { ProviderDeps } from './deps.ts';
import { takeLogout } from './logout.ts';
import {
  addProvider,
  changeProvider,
  findByScimToken,
  listProviders,
  makeScimToken,
  removeProvider,
  removeScimToken,
  requireProvider,
  viewProvider,
} from './providers.ts';
import { selectProviders } from './queries.ts';
import { scimRoutes } from './scim/routes.ts';
import { tryProvider } from './try.ts';

export { CONNECTING_PATH } from './arrive.ts';
export type { FurtherChange } from './providers.ts';
/** Whether passwords begin sessions; asked before the providers exist. */
export { findTakesPasswords, hasProvider } from './queries.ts';
export { ScimError } from './scim/resource.ts';
export type { ManagingProvider } from './scim/routes.ts';

const QUARTER_HOUR_MS = 15 * 60_000;

/** OpenID providers through which people sign in. */
export type SignInProviders = ReturnType<typeof createSignInProviders>['api'];

/** Tries each provider; by name. */
export async function tryProviders(
  deps: Pick<Platform, 'clock' | 'keyring' | 'guard' | 'config'> & { db: Db },
) {
  const providers = await listProviders(deps);
  return Promise.all(
    providers.map(async (one) => ({ name: one.name, faults: await tryProvider(deps, one) })),
  );
}

/** The names of providers by their ids. */
export async function findProviderNames({ db }: { db: Db }): Promise<ReadonlyMap<string, string>> {
  return new Map((await selectProviders(db)).map(({ providerId, name }) => [providerId, name]));
}

export function createSignInProviders(
  given: Platform & Pick<ProviderDeps, 'accounts' | 'setOperator' | 'recordAct'>,
) {
  const deps: ProviderDeps = {
    ...given,
    clients: new ProviderClients(given),
    arrivals: openWindow(given, 'provider-arrivals', { windowMs: QUARTER_HOUR_MS }),
  };
  return {
    api: {
      ...withDeps(deps, { addProvider, changeProvider, removeProvider, makeScimToken, removeScimToken }),
      listProviders: async () => (await selectProviders(deps.db)).map((row) => viewProvider(deps, row)),
      tryProvider: async (providerId: string) => tryProvider(deps, await requireProvider(deps, providerId)),
      ...withDeps(deps, { arrive, finishConnecting, takeLogout, findByScimToken }),
    },
    routes: [signInRoutes(deps), ownRoutes(deps), scimRoutes(deps)],
    hooks: {
      account: {
        sections: {
          async *signInProviders(accountId) {
            yield* (await listOwn(deps, accountId)).identities;
          },
        },
      } satisfies AccountHook,
    },
  };
}

/** For people who are not signed in. */
function signInRoutes(deps: ProviderDeps) {
  return serve(SIGN_IN, {
    'GET /providers': async () => {
      const providers = await selectProviders(deps.db);
      return {
        providers: providers.map(({ providerId, name }) => ({ providerId, name })),
        takesPasswords: providers.every(({ passwordsOff }) => !passwordsOff),
      };
    },
    'POST /providers/:providerId': ({ browser, params, body }) =>
      leave(deps, browser, params.providerId, { purpose: 'sign-in', returnTo: body.returnTo }),
  });
}

/** A person's own identities. */
function ownRoutes(deps: ProviderDeps) {
  return serve(ACCOUNT, {
    'GET /identities': ({ person }) => listOwn(deps, person.accountId),
    'POST /identities/:providerId': ({ person, browser, params, body }) =>
      leave(deps, browser, params.providerId, { purpose: 'connect', returnTo: body.returnTo, person }),
    'DELETE /identities/:providerId': ({ person, params }) => disconnect(deps, person, params.providerId),
    'POST /confirm/providers/:providerId': ({ person, browser, params, body }) =>
      leave(deps, browser, params.providerId, { purpose: 'confirm', returnTo: body.returnTo, person }),
  });
}

async function listOwn({ db, accounts }: ProviderDeps, accountId: string): Promise<Identities> {
  const [providers, { identities, hasPassword }] = await Promise.all([
    selectProviders(db),
    accounts.identities.listIdentities(accountId),
  ]);
  const identityAt = new Map(identities.map((identity) => [identity.issuer, identity]));
  const named = providers.map(({ providerId, name, issuer }) => ({
    provider: { providerId, name },
    identity: identityAt.get(issuer),
  }));
  return {
    identities: named.flatMap(({ provider, identity }) =>
      identity
        ? withoutAbsent({
            ...provider,
            userName: identity.userName,
            isManaged: identity.isManaged,
            connectedAt: identity.connectedAt,
            lastUsedAt: identity.lastUsedAt,
          })
        : [],
    ),
    others: named.flatMap(({ provider, identity }) => (identity ? [] : provider)),
    hasPassword,
  };
}

async function disconnect(deps: ProviderDeps, person: Person, providerId: string): Promise<void> {
  const { issuer } = await requireProvider(deps, providerId);
  const { accountId } = person;
  const extraWrites = (tx: Tx) => deps.setOperator(tx, { accountId, providerId, isOperator: false });
  await deps.accounts.identities.disconnectIdentity(person, { providerId, issuer, extraWrites });
}
