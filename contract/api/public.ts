import { endpoints } from '../endpoints.ts';
import { AuthorizationServer } from '../oauth.ts';

/** Endpoints without a credential. */
export const PUBLIC = endpoints('everybody', '', {
  'GET /media/:mediaId/:fileName': {
    needsDatabase: true,
    isRaw: true,
  },
  'GET /initials/:codePoint': {
    isRaw: true,
  },
  'GET /.well-known/oauth-authorization-server': {
    operationId: 'getAuthorizationServerMetadata',
    isExtension: true,
    summary: 'Get the authorization server’s metadata',
    description: 'Tells OAuth clients where the endpoints are and what they support (RFC 8414).',
    tags: ['OAuth'],
    reply: AuthorizationServer,
    isRaw: true,
  },
});

/** Where clients of OpenID Connect find the endpoints and the keys, while an application uses it. */
export const OPENID = endpoints('everybody', '', {
  'GET /.well-known/openid-configuration': { needsDatabase: true, isRaw: true },
  'GET /oauth/jwks': { needsDatabase: true, isRaw: true },
});
