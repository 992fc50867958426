import { PUBLIC } from '#contract/api/public.ts';
import type { AuthorizationServer } from '#contract/oauth.ts';
import { OAUTH_SCOPES } from '#contract/scopes.ts';
import { serve } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import { publicUrlOf } from '#platform/public-url.ts';

const CLIENT_METHODS = ['client_secret_basic', 'client_secret_post'];

/** RFC 8414: where standard clients find the endpoints and their features. */
export function metadataRoute(config: Platform['config']) {
  return [
    serve(PUBLIC, {
      'GET /.well-known/oauth-authorization-server': ({ reply }) => {
        // Published clients are an extension of the document's schema.
        if (config.takesPublishedClients)
          reply.type('application/json; charset=utf-8').serializer(JSON.stringify);
        return describeServer(config);
      },
    }),
  ];
}

/** Metadata that OAuth and OpenID Connect share. */
export function describeServer(config: Platform['config']): AuthorizationServer {
  const issuer = publicUrlOf(config);
  const clientMethods = [...CLIENT_METHODS, ...(config.takesPublishedClients ? ['none'] : [])];
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    userinfo_endpoint: `${issuer}/oauth/userinfo`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    scopes_supported: [...OAUTH_SCOPES],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: clientMethods,
    revocation_endpoint_auth_methods_supported: clientMethods,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    ...(config.takesPublishedClients && { client_id_metadata_document_supported: true }),
  };
}
