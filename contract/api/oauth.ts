import { endpoints } from '../endpoints.ts';
import { APP } from '../examples.ts';
import { IssueToken, RevokedToken, RevokeToken, TokenReply } from '../oauth.ts';
import { say } from '../reasons.ts';
import type { Refusal } from '../refusals.ts';

const tags = ['OAuth'];
const BAD_CLIENT: Refusal = {
  error: 'invalid_client',
  code: 'unauthenticated',
  cause: 'wrong client credentials',
  said: say('token.client-wrong'),
};

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
    errors: [
      {
        error: 'invalid_grant',
        code: 'invalid-argument',
        cause: 'code unknown, expired or used before',
        said: say('token.code-expired'),
      },
      {
        error: 'invalid_scope',
        code: 'invalid-argument',
        cause: 'scope that was not granted',
        said: say('token.scope'),
      },
      {
        error: 'unauthorized_client',
        code: 'failed-precondition',
        cause: 'application disabled or suspended',
        said: say('application.not-active', { state: 'disabled' }),
      },
      BAD_CLIENT,
      {
        error: 'invalid_grant',
        code: 'unauthenticated',
        cause: 'refresh token unknown, expired, revoked or used before',
        said: say('token.consent-again', { reason: 'refresh-token-reused' }),
      },
    ],
    example: {
      request: {
        grant_type: 'refresh_token',
        refresh_token: 'xrt_01a2b3…',
        client_id: APP,
        client_secret: 'xcs_4c5d6e…',
      },
      response: {
        access_token: 'xat_01a2b3…',
        refresh_token: 'xrt_01a2b3…',
        token_type: 'Bearer',
        expires_in: 3600,
        scope: 'profile stories:read',
      },
    },
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
    errors: [BAD_CLIENT],
    example: {
      request: { token: 'xrt_01a2b3…', client_id: APP, client_secret: 'xcs_4c5d6e…' },
      response: { revoked: true },
    },
  },
});
