import type { TokenReply } from '#contract/oauth.ts';
import type { GrantedScope } from '#contract/scopes.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { Applications } from '#features/applications/index.ts';
import type { Platform } from '#platform/platform.ts';
import { withDeps } from '#platform/with-deps.ts';
import { findPersonClaims } from './claims.ts';
import { makeIdToken } from './id-token.ts';
import { endSignIn, isProvenLogout, readLogoutRequest } from './logout/end-session.ts';
import { sendLogouts } from './logout/send-logouts.ts';
import {
  addLogoutRedirectUri,
  removeLogoutRedirectUri,
  removeLogoutUrl,
  setLogoutUrl,
  showOpenIdSettings,
} from './settings.ts';
import { removeExpiredSigningKeys, SigningKeys } from './signing-keys.ts';

/** OpenID Connect for applications whose owner switched it on. */
export function createOpenId(
  platform: Platform,
  features: { accounts: Accounts; applications: Applications },
) {
  const signingKeys = new SigningKeys(platform);
  const deps = { ...platform, ...features, signingKeys };
  return {
    signingKeys,
    ...withDeps(deps, {
      showSettings: showOpenIdSettings,
      setLogoutUrl,
      removeLogoutUrl,
      addLogoutRedirectUri,
      removeLogoutRedirectUri,
    }),
    isEnabled: (appId: string) => features.applications.hasExtension(appId, 'openid'),
    ...withDeps(deps, {
      findPersonClaims,
      readLogoutRequest,
      isProvenLogout,
      endSignIn,
    }),
    /** A step of the worker that posts logout tokens. */
    sendLogouts: () => sendLogouts(deps),
    /** A step of the expiry worker. */
    removeExpiredSigningKeys: () => removeExpiredSigningKeys(platform),
    /** Adds the ID token to the tokens of a grant that has the scope. */
    async complete(appId: string, reply: TokenReply, { isFirst }: { isFirst: boolean }): Promise<TokenReply> {
      const scopes = reply.scope.split(' ') as GrantedScope[];
      const idToken = await makeIdToken(deps, { appId, accessToken: reply.access_token, scopes, isFirst });
      return idToken === undefined ? reply : Object.assign(reply, { id_token: idToken });
    },
  };
}
