import { APPLICATION } from '#contract/api/console.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { ApplicationHook, Applications, Client } from '#features/applications/index.ts';
import { serve } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import { withDeps } from '#platform/with-deps.ts';
import { createOAuthAccountHook, endGrantsOfDeleted, endGrantsWithApplication } from './account-hook.ts';
import { readAuthorizationRequest } from './authorize/authorize.ts';
import { createConsent, decideConsent, findEarlierGrants } from './authorize/consent.ts';
import { proceedWithOpenId } from './authorize/proceed.ts';
import { createClientAuthenticator } from './client-authentication.ts';
import {
  listConnections,
  listGrantsTo,
  oauthChatRoutes,
  revokeConnection,
} from './connections/connections.ts';
import { CallLedger, listCalls, userinfoRoutes } from './connections/ledger.ts';
import { createGrantFinder, type OAuthDeps } from './deps.ts';
import { removeExpiredGrants } from './expiry.ts';
import { initialRoute } from './initials.ts';
import { discoveryRoutes, metadataRoute } from './openid/discovery.ts';
import { endSignIn, isProvenLogout, readLogoutRequest, sendLogouts } from './openid/logout.ts';
import { openIdConsoleRoutes } from './openid/settings.ts';
import { removeExpiredSigningKeys, SigningKeys } from './openid/signing-keys.ts';
import { ClientDocuments, isClientUrl, isOnDevice } from './published.ts';
import { clientRoutes } from './routes.ts';
import { createAccessTokenAuthenticator, type OAuthBody } from './tokens.ts';

export { createSuspensionHook } from './account-hook.ts';
export { type AuthorizationFault, type Redirection, readScopes } from './authorize/authorize.ts';
export type { SignInFirst } from './authorize/proceed.ts';
export { readClientCredentials } from './client-authentication.ts';
export { OAuthError } from './oauth-error.ts';
export type { LogoutRequest } from './openid/logout.ts';
export { ALL_SCOPES } from './openid/request.ts';
export { rotateSigningKeys } from './openid/signing-keys.ts';
export { readOAuthBody } from './tokens.ts';
export { isOnDevice };

declare module '#platform/http/serve.ts' {
  interface Callers {
    client: { fields: OAuthBody; authenticate(): Promise<Client> };
  }
}

/** Grants of people to applications: consent, codes, tokens, and the ledger of calls. */
export type OAuth = ReturnType<typeof createOAuth>['api'];

export function createOAuth(given: Platform & { accounts: Accounts; applications: Applications }) {
  const { applications } = given;
  const deps: OAuthDeps = {
    ...given,
    signingKeys: new SigningKeys(given),
    clientDocuments: new ClientDocuments(given),
    findGrant: createGrantFinder(given),
  };
  return {
    api: {
      ...withDeps(deps, {
        readAuthorizationRequest,
        createConsent,
        decideConsent,
        proceedWithOpenId,
        findEarlierGrants,
        revokeConnection,
        listConnections,
        listGrantsTo,
        listCalls,
      }),
      /** Whether an authorization request comes from a published client that is not registered here. */
      isPublishedClient: (clientId: string | undefined) =>
        deps.config.takesPublishedClients && clientId !== undefined && isClientUrl(clientId),
      /** Authenticates a client by its secret. @throws OAuthError 401 */
      authenticateClient: createClientAuthenticator(deps),
      /** Undefined for an unknown or ended access token. */
      authenticateAccessToken: createAccessTokenAuthenticator(deps),
      /** OpenID Connect for applications whose owner switched it on. */
      openId: {
        signingKeys: deps.signingKeys,
        isEnabled: (appId: string) => applications.hasExtension(appId, 'openid'),
        ...withDeps(deps, { readLogoutRequest, isProvenLogout, endSignIn }),
        /** Steps of the workers. */
        ...withDeps(deps, { sendLogouts, removeExpiredSigningKeys }),
      },
      /** Records the calls that applications make on behalf of people. */
      ledger: new CallLedger(deps),
      /** Steps of the expiry worker. */
      ...withDeps(deps, { endGrantsOfDeleted, removeExpiredGrants }),
    },
    routes: [
      userinfoRoutes(deps),
      oauthChatRoutes(deps),
      serve(APPLICATION, {
        'GET /applications/:appId/grants': async ({ own, query }) => {
          await applications.requireOwn(own);
          return listGrantsTo(deps, own.appId, query.before);
        },
      }),
      openIdConsoleRoutes(deps),
      clientRoutes(deps),
      metadataRoute(deps.config),
      initialRoute(),
      discoveryRoutes(deps),
    ],
    hooks: {
      account: createOAuthAccountHook(deps),
      application: withDeps(deps, { deleted: endGrantsWithApplication }) satisfies ApplicationHook,
    },
  };
}
