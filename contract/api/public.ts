import { endpoints } from '../endpoints.ts';
import { AuthorizationServer } from '../oauth.ts';
import { OAUTH_SCOPES } from '../scopes.ts';

/** Endpoints without a credential. */
export const PUBLIC = endpoints('everybody', '', {
  'GET /media/:mediaId/:fileName': { needsDatabase: true, isRaw: true },
  'GET /initials/:codePoint': { isRaw: true },
  'GET /.well-known/oauth-authorization-server': {
    operationId: 'getAuthorizationServerMetadata',
    isExtension: true,
    summary: 'Get the authorization server’s metadata',
    description: 'Tells OAuth clients where the endpoints are and what they support (RFC 8414).',
    tags: ['OAuth'],
    reply: AuthorizationServer,
    isRaw: true,
    example: {
      response: {
        issuer: 'https://parley.example',
        authorization_endpoint: 'https://parley.example/oauth/authorize',
        token_endpoint: 'https://parley.example/oauth/token',
        userinfo_endpoint: 'https://parley.example/oauth/userinfo',
        revocation_endpoint: 'https://parley.example/oauth/revoke',
        scopes_supported: [...OAUTH_SCOPES],
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
        revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
      },
    },
  },
});

/** Where clients of OpenID Connect find the endpoints and the keys, while an application uses it. */
export const OPENID = endpoints('everybody', '', {
  'GET /.well-known/openid-configuration': { needsDatabase: true, isRaw: true },
  'GET /oauth/jwks': { needsDatabase: true, isRaw: true },
});
