import { IssueToken, RevokedToken, RevokeToken, TokenReply } from '#contract/oauth.ts';
import type { ClientRoutes, OAuth } from './index.ts';
import { unauthorizedClient } from './oauth-error.ts';
import { readTokenRequest, required } from './tokens/token-request.ts';

/** Tokens, for the servers of clients (contract §4, OAuth 2.0). */
export function clientRoutes(routes: ClientRoutes, oauth: OAuth): void {
  routes.post(
    '/oauth/token',
    {
      operationId: 'issueToken',
      summary: 'Get tokens',
      description:
        'Exchanges an authorization code, or a refresh token, for a new pair of tokens. Call it from a server: the ' +
        'client secret must never reach a browser or a mobile app. A code is valid for 5 minutes and works once. A ' +
        'refresh revokes the previous pair; presenting a refresh token again revokes all tokens of its grant.',
      body: IssueToken,
      reply: TokenReply,
      read: readTokenRequest,
    },
    ({ client: { appId, state }, asked }) => {
      if (state !== 'active') throw unauthorizedClient(state);
      return oauth.issueTokens(appId, asked);
    },
  );

  // A disabled application may still revoke: its tokens are refused anyway, so revoking them is harmless.
  routes.post(
    '/oauth/revoke',
    {
      operationId: 'revokeToken',
      summary: 'Revoke a token',
      description:
        'Revokes an access or refresh token and every other token of the same grant (RFC 7009). Answers 200 even if ' +
        'the token is unknown.',
      body: RevokeToken,
      reply: RevokedToken,
      message: 'the token is revoked',
      read: (fields) => required(fields, 'token'),
    },
    async ({ client, asked: token }) => {
      await oauth.revokeToken(client.appId, token);
      return { revoked: true as const };
    },
  );
}
