import { Success } from '#contract/envelope.ts';
import { IssueToken, RevokedToken, RevokeToken, TokenReply } from '#contract/oauth.ts';
import type { Applications } from '#features/applications/index.ts';
import type { App } from '#platform/http/app.ts';
import { success } from '#platform/http/envelope.ts';
import type { Platform } from '#platform/platform.ts';
import {
  type AuthenticateClient,
  createClientAuthenticator,
  readClientCredentials,
} from './client-authentication.ts';
import { exchangeCode } from './exchange-code.ts';
import { createGrantFinder, type FindGrant } from './find-grant.ts';
import { unauthorizedClient } from './oauth-error.ts';
import { createRefresher } from './refresh.ts';
import { revokeToken } from './revoke.ts';
import { readOAuthBody, readTokenRequest, required, type TokenRequest } from './token-request.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Which application asked, once it has proven itself: behind the door of OAuth only. */
    clientId: string | undefined;
  }
}

type Deps = Pick<Platform, 'db' | 'clock' | 'random'> & { findGrant: FindGrant };

const bodies = { consumes: ['application/x-www-form-urlencoded', 'application/json'] };

/** The schemas of the bodies are for the reference: OAuth has errors of its own, and its own order of checks. */
const described = { validatorCompiler: () => () => true };

/** What clients post from their servers (contract §4, OAuth 2.0); the bodies are read by hand, for their own errors. */
export function oauthRoutes(
  app: App,
  platform: Pick<Platform, 'db' | 'clock' | 'random'> & { applications: Applications },
): void {
  const deps = { ...platform, findGrant: createGrantFinder(platform) };
  const authenticate = createClientAuthenticator(deps);
  tokenRoute(app, deps, authenticate);
  revokeRoute(app, deps, authenticate);
}

/** The order of the decisions page: 400 missing field, 401 client, 400 application state, the grant. */
function tokenRoute(app: App, deps: Deps, authenticate: AuthenticateClient): void {
  const refresh = createRefresher(deps);
  const issue = (appId: string, asked: TokenRequest) => {
    switch (asked.grantType) {
      case 'authorization_code':
        return exchangeCode(deps, { ...asked, appId });
      case 'refresh_token':
        return refresh({ ...asked, appId });
      default:
        return asked satisfies never;
    }
  };
  app.post(
    '/oauth/token',
    {
      ...described,
      schema: {
        ...bodies,
        operationId: 'issueToken',
        summary: 'Get tokens',
        description:
          'Exchanges an authorization code, or a refresh token, for a new pair of tokens. Call it from a server: the ' +
          'client secret must never reach a browser or a mobile app. A code is valid for 5 minutes and works once. A ' +
          'refresh revokes the previous pair; presenting a refresh token again revokes all tokens of its grant.',
        tags: ['OAuth'],
        body: IssueToken,
        response: { 200: TokenReply },
      },
    },
    async (request) => {
      const fields = readOAuthBody(request.body);
      const asked = readTokenRequest(fields);
      const { appId, state } = await authenticate(readClientCredentials(request.raw.rawHeaders, fields));
      request.clientId = appId;
      if (state !== 'active') throw unauthorizedClient(state);
      return issue(appId, asked);
    },
  );
}

/** A disabled application may still revoke: its tokens are refused anyway, and ending them harms nobody. */
function revokeRoute(app: App, deps: Deps, authenticate: AuthenticateClient): void {
  app.post(
    '/oauth/revoke',
    {
      ...described,
      schema: {
        ...bodies,
        operationId: 'revokeToken',
        summary: 'Revoke a token',
        description:
          'Revokes an access or refresh token and every other token of the same grant (RFC 7009). Answers 200 even if ' +
          'the token is unknown.',
        tags: ['OAuth'],
        body: RevokeToken,
        response: { 200: Success(RevokedToken) },
      },
    },
    async (request) => {
      const fields = readOAuthBody(request.body);
      const token = required(fields, 'token');
      const { appId } = await authenticate(readClientCredentials(request.raw.rawHeaders, fields));
      request.clientId = appId;
      await revokeToken(deps, appId, token);
      return success(deps.clock.now(), 'the token is revoked', { revoked: true as const });
    },
  );
}
