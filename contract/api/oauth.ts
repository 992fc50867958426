import { endpoints } from '../endpoints.ts';
import { IssueToken, RevokedToken, RevokeToken, TokenReply } from '../oauth.ts';

const tags = ['OAuth'];

/** Tokens, for the servers of applications (contract §4, OAuth 2.0). */
export const OAUTH = endpoints('client', '', {
  'POST /oauth/token': {
    operationId: 'issueToken',
    summary: 'Get tokens',
    description:
      'Exchanges an authorization code, or a refresh token, for a new pair of tokens. Call it from a server: the ' +
      'client secret must never reach a browser or a mobile app. A code is valid for 5 minutes and works once. A ' +
      'refresh revokes the previous pair; presenting a refresh token again revokes all tokens of its grant.',
    tags,
    body: IssueToken,
    reply: TokenReply,
    isRaw: true,
  },
  'POST /oauth/revoke': {
    operationId: 'revokeToken',
    summary: 'Revoke a token',
    description:
      'Revokes an access or refresh token and every other token of the same grant (RFC 7009). Answers 200 even if ' +
      'the token is unknown.',
    tags,
    body: RevokeToken,
    reply: RevokedToken,
    message: 'the token is revoked',
  },
});
