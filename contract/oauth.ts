import { type Static, Type } from 'typebox';
import { AppId } from './applications.ts';
import { Failure } from './envelope.ts';
import { confirmation, each } from './fields.ts';
import { id, UserId } from './ids.ts';
import { LIMITS } from './limits.ts';
import { type GrantedScope, OAUTH_SCOPES, OPENID_SCOPES } from './scopes.ts';

/** Lifetime of each OAuth credential, in seconds from its issue (contract §2, Tokens). */
export const LIFETIME_SECONDS = {
  authorizationCode: 5 * 60,
  accessToken: 60 * 60,
  refreshToken: 30 * 24 * 60 * 60,
} as const;

/** Values of `error` in an OAuth error body (RFC 6749 §5.2). */
const OAUTH_ERROR_CODES = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'unauthorized_client',
  'unsupported_grant_type',
  'temporarily_unavailable',
  'server_error',
] as const;

export type OAuthErrorCode = (typeof OAUTH_ERROR_CODES)[number];

/** The one of an error that names none. */
export function oauthCodeOf(status: number): OAuthErrorCode {
  if (status < 500) return 'invalid_request';
  return status === 503 ? 'temporarily_unavailable' : 'server_error';
}

/** An error of `/oauth/token` and `/oauth/revoke`: the fields of RFC 6749 §5.2 and ours (decisions: OAuth). */
export const OAuthFailure = Type.Object(
  {
    ...Failure.properties,
    error: Type.Enum(OAUTH_ERROR_CODES, {
      title: 'OAuthErrorCode',
      description: 'The error code of RFC 6749, section 5.2.',
    }),
    error_description: Type.String({ description: 'The same as `message`, in ASCII.' }),
  },
  {
    title: 'OAuthError',
    description:
      'An error of the OAuth endpoints: that of RFC 6749, with the fields of other errors beside it.',
  },
);

/** Query of `GET /oauth/authorize` (contract §4). This schema only documents it; the route parses it itself. */
export const Authorize = Type.Object({
  response_type: Type.Literal('code', { description: 'Always `code`.' }),
  client_id: AppId,
  redirect_uri: Type.String({
    maxLength: LIMITS.urlLength,
    description: 'One of the application’s registered redirect URIs, exactly as registered.',
    examples: ['https://app.example.com/callback'],
  }),
  scope: Type.String({
    pattern: '^[a-z: ]+$',
    description: `Scopes to ask for, separated by spaces: \`${OAUTH_SCOPES.join('`, `')}\`.`,
    examples: ['profile stories:read'],
  }),
  state: Type.Optional(
    Type.String({
      // The HTTP parser's limit for all headers.
      maxLength: 16_384,
      description: 'Returned unchanged. Strongly recommended: a random value that protects against CSRF.',
      examples: ['5f1c9d0e7b2a'],
    }),
  ),
  code_challenge: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{43}$',
      description: 'PKCE: the SHA-256 of the code verifier, in base64url.',
      examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
    }),
  ),
  code_challenge_method: Type.Optional(
    Type.Literal('S256', { description: 'PKCE: `S256`, the only method; required with `code_challenge`.' }),
  ),
});

const clientCredentials = {
  client_id: Type.Optional(Type.String({ description: 'App ID. Omit it with HTTP Basic.' })),
  client_secret: Type.Optional(Type.String({ description: 'Omit it with HTTP Basic.' })),
};

/** Body of `POST /oauth/token` (contract §4), as a form or JSON. This schema only documents it; the route parses it itself. */
export const IssueToken = Type.Unsafe<unknown>({
  title: 'TokenRequest',
  description: 'A request for tokens, one variant for each `grant_type`.',
  type: 'object',
  required: ['grant_type'],
  discriminator: { propertyName: 'grant_type' },
  oneOf: [
    Type.Object(
      {
        grant_type: Type.Literal('authorization_code'),
        code: Type.String(),
        redirect_uri: Type.String({ description: 'The `redirect_uri` of the authorization request.' }),
        code_verifier: Type.Optional(
          Type.String({ description: 'PKCE: required if the authorization request had a `code_challenge`.' }),
        ),
        ...clientCredentials,
      },
      { title: 'AuthorizationCodeGrant', description: 'Exchanges an authorization code.' },
    ),
    Type.Object(
      {
        grant_type: Type.Literal('refresh_token'),
        refresh_token: Type.String(),
        scope: Type.Optional(
          Type.String({ description: 'A subset of the granted scopes, for the new access token.' }),
        ),
        ...clientCredentials,
      },
      { title: 'RefreshTokenGrant', description: 'Exchanges a refresh token for a new pair.' },
    ),
  ],
});

/** Body of `POST /oauth/revoke` (contract §4), as a form or JSON. This schema only documents it; the route parses it itself. */
export const RevokeToken = Type.Unsafe<unknown>(
  Type.Object(
    {
      token: Type.String({ description: 'An access or refresh token.' }),
      token_type_hint: Type.Optional(Type.String({ description: 'Accepted and ignored.' })),
      ...clientCredentials,
    },
    { title: 'RevokeToken', description: 'The token to revoke.' },
  ),
);

/** 200 of `POST /oauth/token`, without an envelope (contract §4). */
export const TokenReply = Type.Object(
  {
    access_token: Type.String({ description: 'Begins with `xat_`.' }),
    refresh_token: Type.String({ description: 'Begins with `xrt_`. Single use: store the latest.' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds until the access token expires.' }),
    scope: Type.String({ description: 'Granted scopes, separated by spaces.' }),
  },
  { title: 'TokenReply', description: 'A pair of tokens.' },
);

export type TokenReply = Static<typeof TokenReply>;

/** 200 of `GET /oauth/userinfo`, without an envelope (contract §4). */
export const UserInfo = Type.Object(
  {
    sub: Type.String({ ...UserId, description: 'The user’s id.' }),
    name: Type.String(),
    picture: Type.String({
      description: 'URL of the user’s picture; a user without a photo has one, too.',
    }),
  },
  { title: 'UserInfo', description: 'The user who consented.' },
);

/** `data` of `POST /oauth/revoke`: the same for every token, known or not (contract §7). */
export const RevokedToken = confirmation(
  'revoked',
  'RevokedToken',
  'The token is not valid any more, if it ever was.',
);

/** The authorization server's metadata (RFC 8414, RFC 9207), an extension of the contract. */
export const AuthorizationServer = Type.Object(
  {
    ...each(Type.String(), 'issuer', 'authorization_endpoint', 'token_endpoint', 'userinfo_endpoint'),
    revocation_endpoint: Type.String(),
    scopes_supported: Type.Array(
      Type.Enum(OAUTH_SCOPES, {
        title: 'OAuthScope',
        description: 'Scopes that a user can grant to an application.',
      }),
    ),
    response_types_supported: Type.Array(Type.String()),
    response_modes_supported: Type.Array(Type.String()),
    grant_types_supported: Type.Array(Type.String()),
    token_endpoint_auth_methods_supported: Type.Array(Type.String()),
    revocation_endpoint_auth_methods_supported: Type.Array(Type.String()),
    code_challenge_methods_supported: Type.Array(Type.String()),
    authorization_response_iss_parameter_supported: Type.Boolean(),
  },
  {
    title: 'AuthorizationServerMetadata',
    description: 'Authorization server metadata (RFC 8414).',
  },
);

export type AuthorizationServer = Static<typeof AuthorizationServer>;

/** Why a grant ended, for the person and the application's owner to read. */
export const END_REASONS = [
  'revoked-by-person',
  'revoked-by-client',
  'refresh-token-reused',
  'code-reused',
  'code-expired',
  'refresh-token-expired',
  'application-deleted',
  'account-deleted',
] as const;

export type EndReason = (typeof END_REASONS)[number];

const PersonScope = Type.Enum<GrantedScope[]>([...OPENID_SCOPES, ...OAUTH_SCOPES]);

/** One consent, with the tokens issued for it. Times are epoch milliseconds. */
export const Grant = Type.Object({
  grantId: Type.String(),
  scopes: Type.Array(PersonScope),
  grantedAt: Type.Integer(),
  lastRefreshedAt: Type.Optional(Type.Integer({ description: 'When a token pair was last issued.' })),
  endedAt: Type.Optional(Type.Integer()),
  endReason: Type.Optional(Type.Enum(END_REASONS)),
});

export type Grant = Static<typeof Grant>;

/** An application that a person has authorized, as the person sees it. */
export const ConnectedApplication = Type.Object({
  appId: AppId,
  name: Type.String(),
  isDeleted: Type.Boolean(),
  clientUrl: Type.Optional(
    Type.String({
      description: 'Where its metadata document is published; omitted if it is registered here.',
    }),
  ),
  isConnected: Type.Boolean({ description: 'Whether at least one of the grants is still in effect.' }),
  scopes: Type.Array(PersonScope, {
    description: 'What it may do now: the scopes of all grants in effect.',
  }),
  firstGrantedAt: Type.Integer(),
  lastUsedAt: Type.Optional(Type.Integer({ description: 'When it last made a call for the person.' })),
  grants: Type.Array(Grant, { description: 'Newest first; grants that ended are kept for 30 days.' }),
});

export type ConnectedApplication = Static<typeof ConnectedApplication>;

/** `data` of `GET /api/chat/connected-applications`, ordered by id. */
export const ConnectedApplications = Type.Object({
  applications: Type.Array(ConnectedApplication),
  nextCursor: Type.Optional(Type.String({ description: 'Missing on the last page.' })),
});

export type ConnectedApplications = Static<typeof ConnectedApplications>;

/** Body of `POST /api/chat/connected-applications/revoke`: without `grantId`, every grant of the application ends. */
export const RevokeConnection = Type.Object({
  appId: AppId,
  grantId: Type.Optional(id()),
});

/** A call that an application made for a person; the operator configures how long it is kept. */
export const ApplicationCall = Type.Object({
  requestId: Type.String({ description: 'The `X-Request-Id` of the answer.' }),
  appId: AppId,
  method: Type.String(),
  path: Type.String({ description: 'Without the query.' }),
  status: Type.Integer({ description: 'The HTTP status of the answer.' }),
  calledAt: Type.Integer(),
});

export type ApplicationCall = Static<typeof ApplicationCall>;

/** `data` of `GET /api/chat/application-calls`: newest first. */
export const ApplicationCalls = Type.Object({
  calls: Type.Array(ApplicationCall),
  nextBefore: Type.Optional(Type.String({ description: '`before` of the next page; omitted on the last.' })),
});

export type ApplicationCalls = Static<typeof ApplicationCalls>;

/** `data` of `GET /api/console/applications/:appId/grants`: newest first, without the people. */
export const ApplicationGrants = Type.Object({
  grants: Type.Array(Grant),
  nextBefore: Type.Optional(Type.String()),
});

export type ApplicationGrants = Static<typeof ApplicationGrants>;
