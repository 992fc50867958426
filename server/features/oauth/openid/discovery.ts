import { OPENID, PUBLIC } from '#contract/api/public.ts';
import type { AuthorizationServer } from '#contract/oauth.ts';
import { ACR_VALUES } from '#contract/openid.ts';
import { OAUTH_SCOPES } from '#contract/scopes.ts';
import { serve } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import { publicUrlOf } from '#platform/public-url.ts';
import type { OAuthDeps } from '../deps.ts';
import { ALL_SCOPES } from './request.ts';
import { SIGNING_ALGORITHM } from './signing-keys.ts';

const CLIENT_METHODS = ['client_secret_basic', 'client_secret_post'];

/** RFC 8414: where standard clients find the endpoints and their features. */
export function metadataRoute(config: Platform['config']) {
  return serve(PUBLIC, {
    'GET /.well-known/oauth-authorization-server': ({ reply }) => {
      // Published clients are an extension of the document's schema.
      if (config.takesPublishedClients)
        reply.type('application/json; charset=utf-8').serializer(JSON.stringify);
      return describeServer(config);
    },
  });
}

/** Metadata that OAuth and OpenID Connect share. */
function describeServer(config: Platform['config']): AuthorizationServer {
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

/** How long clients may cache the keys; a new one is published for longer before it signs. */
const KEYS_MAX_AGE_SECONDS = 300;

/** Where OpenID Connect clients find the endpoints and the keys (Discovery §3 and §4). */
export function discoveryRoutes({ config, signingKeys }: OAuthDeps) {
  return serve(OPENID, {
    'GET /.well-known/openid-configuration': () => describe(config),
    'GET /oauth/jwks': async ({ reply }) => {
      const keys = await signingKeys.listPublic();
      reply.headers({
        'content-type': 'application/jwk-set+json',
        'cache-control': `public, max-age=${KEYS_MAX_AGE_SECONDS}`,
      });
      return JSON.stringify({ keys });
    },
  });
}

function describe(config: Platform['config']) {
  const issuer = publicUrlOf(config);
  return {
    ...describeServer(config),
    scopes_supported: ALL_SCOPES,
    jwks_uri: `${issuer}/oauth/jwks`,
    end_session_endpoint: `${issuer}/oauth/logout`,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [SIGNING_ALGORITHM],
    acr_values_supported: ACR_VALUES,
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    claims_supported: [
      ...['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'acr', 'amr', 'at_hash', 'sid'],
      ...['name', 'picture', 'email', 'email_verified'],
    ],
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
  };
}
