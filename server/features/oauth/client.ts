import { OAUTH } from '#contract/api/oauth.ts';
import { serve } from '#platform/http/serve.ts';
import type { OAuthDeps } from './deps.ts';
import { unauthorizedClient } from './oauth-error.ts';
import { completeWithIdToken } from './openid/id-token.ts';
import { exchangeCode } from './tokens/exchange-code.ts';
import { createRefresher } from './tokens/refresh.ts';
import { revokeToken } from './tokens/revoke.ts';
import { readTokenRequest, required } from './tokens/token-request.ts';

/** Tokens. What a request lacks is refused before its client is authenticated (decisions: order of checks). */
export function clientRoutes(deps: OAuthDeps) {
  const refresh = createRefresher(deps);
  return [
    serve(OAUTH, {
      'POST /oauth/token': async ({ fields, authenticate, reply }) => {
        const asked = readTokenRequest(fields);
        const { appId, state } = await authenticate();
        if (state !== 'active') throw unauthorizedClient(state);
        const isFirst = asked.grantType === 'authorization_code';
        const issued = await (isFirst
          ? exchangeCode(deps, { ...asked, appId })
          : refresh({ ...asked, appId }));
        const tokens = await completeWithIdToken(deps, appId, issued, { isFirst });
        // An extension of the contract, whose schema would drop the field.
        if ('id_token' in tokens) reply.type('application/json; charset=utf-8').serializer(JSON.stringify);
        return tokens;
      },
      // A disabled application may still revoke: its tokens are refused anyway, so revoking them is harmless.
      'POST /oauth/revoke': async ({ fields, authenticate }) => {
        const token = required(fields, 'token');
        const { appId } = await authenticate();
        await revokeToken(deps, appId, token);
        return { revoked: true as const };
      },
    }),
  ];
}
