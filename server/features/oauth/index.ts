import type { TokenReply } from '#contract/oauth.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { ApplicationHook, Applications, Client } from '#features/applications/index.ts';
import type { Platform } from '#platform/platform.ts';
import { withDeps } from '#platform/with-deps.ts';
import { createOAuthAccountHook } from './account-hook.ts';
import { endGrantsOfDeleted, endGrantsWithApplication } from './application-hook.ts';
import { readAuthorizationRequest } from './authorize/authorize.ts';
import { createConsent, decideConsent, findEarlierGrants, grantAgain } from './authorize/consent.ts';
import { proceedWithOpenId } from './authorize/proceed.ts';
import { createClientAuthenticator } from './client-authentication.ts';
import {
  listApplicationGrants,
  listConnections,
  listGrantsTo,
  revokeConnection,
} from './connections/connections.ts';
import { CallLedger, listCalls } from './connections/ledger.ts';
import { removeExpiredGrants } from './expiry.ts';
import { createOpenId } from './openid/openid.ts';
import { isClientUrl, isOnDevice } from './published/client-document.ts';
import { ClientDocuments } from './published/client-documents.ts';
import { createAccessTokenAuthenticator } from './tokens/access-token.ts';
import { exchangeCode } from './tokens/exchange-code.ts';
import { createGrantFinder } from './tokens/find-grant.ts';
import { createRefresher } from './tokens/refresh.ts';
import { revokeToken } from './tokens/revoke.ts';
import type { OAuthBody, TokenRequest } from './tokens/token-request.ts';

export { suspensionHook } from './account-hook.ts';
export { type AuthorizationFault, type Redirection, readScopes } from './authorize/authorize.ts';
export type { SignInFirst } from './authorize/proceed.ts';

import { oauthChatRoutes } from './chat.ts';
import { clientRoutes } from './client.ts';

export { readClientCredentials } from './client-authentication.ts';

import { oauthConsoleRoutes } from './console.ts';
import { initialRoute } from './initials.ts';
import { metadataRoute } from './metadata.ts';

export { OAuthError } from './oauth-error.ts';

import { openIdConsoleRoutes } from './openid/console.ts';
import { discoveryRoutes } from './openid/discovery.ts';

export type { LogoutRequest } from './openid/logout/end-session.ts';
export { ALL_SCOPES } from './openid/request.ts';
export { rotateSigningKeys } from './openid/signing-keys.ts';
export { readOAuthBody } from './tokens/token-request.ts';

import { userinfoRoutes } from './v1.ts';

export { isOnDevice };

declare module '#platform/http/serve.ts' {
  interface Callers {
    client: { fields: OAuthBody; authenticate(): Promise<Client> };
  }
}

/** Grants of people to applications: consent, codes, tokens, and the ledger of calls. */
export type OAuth = ReturnType<typeof openOAuth>['api'];

function openOAuth(platform: Platform, features: { accounts: Accounts; applications: Applications }) {
  const openId = createOpenId(platform, features);
  const { signingKeys } = openId;
  const deps = {
    ...platform,
    ...features,
    signingKeys,
    clientDocuments: new ClientDocuments(platform),
    findGrant: createGrantFinder(platform),
  };
  const refresh = createRefresher(deps);
  const applicationHook: ApplicationHook = { deleted: endGrantsWithApplication };
  const api = {
    ...withDeps(deps, {
      readAuthorizationRequest,
      createConsent,
      decideConsent,
      proceedWithOpenId,
      grantAgain,
      findEarlierGrants,
      listConnections,
      revokeConnection,
      listApplicationGrants,
      listGrantsTo,
      listCalls,
      revokeToken,
    }),
    /** Whether an authorization request comes from a published client that is not registered here. */
    isPublishedClient: (clientId: string | undefined) =>
      platform.config.takesPublishedClients && clientId !== undefined && isClientUrl(clientId),
    /** Authenticates a client by its secret. @throws OAuthError 401 */
    authenticateClient: createClientAuthenticator(deps),
    /** Undefined for an unknown or ended access token. */
    authenticateAccessToken: createAccessTokenAuthenticator(deps),
    async issueTokens(appId: string, asked: TokenRequest): Promise<TokenReply> {
      const isFirst = asked.grantType === 'authorization_code';
      const reply = await (isFirst ? exchangeCode(deps, { ...asked, appId }) : refresh({ ...asked, appId }));
      return openId.complete(appId, reply, { isFirst });
    },
    openId,
    /** Records the calls that applications make on behalf of people. */
    ledger: new CallLedger(platform),
    /** Steps of the expiry worker. */
    ...withDeps(platform, { endGrantsOfDeleted, removeExpiredGrants }),
  };
  return { api, hooks: { account: createOAuthAccountHook(deps), application: applicationHook } };
}

export function createOAuth(platform: Platform, features: Parameters<typeof openOAuth>[1]) {
  const { api, hooks } = openOAuth(platform, features);
  return {
    api,
    hooks,
    routes: [
      ...userinfoRoutes({ ...platform, ...features, oauth: api }),
      ...oauthChatRoutes(api),
      ...oauthConsoleRoutes(api),
      ...openIdConsoleRoutes(api),
      ...clientRoutes(api),
      ...metadataRoute(platform.config),
      ...initialRoute(),
      ...discoveryRoutes({ config: platform.config, oauth: api }),
    ],
  };
}
