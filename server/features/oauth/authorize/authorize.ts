import { type Said, say, sayOfField } from '#contract/reasons.ts';
import { type GrantedScope, OAUTH_SCOPES } from '#contract/scopes.ts';
import type { Client } from '#features/applications/index.ts';
import { idOf } from '#platform/ids.ts';
import { publicUrlOf } from '#platform/public-url.ts';
import type { OAuthDeps } from '../deps.ts';
import {
  ALL_SCOPES,
  asksForOpenId,
  type OpenIdRefusal,
  type OpenIdRequest,
  type Query,
  readOpenIdRequest,
} from '../openid/request.ts';
import { type ClientDocument, isClientUrl, isRedirectUriOf } from '../published.ts';
import { redirectTo } from '../rules.ts';

/** A request for a person's consent that has passed every check (contract §4, GET /oauth/authorize). */
export interface AuthorizationRequest {
  appId: string;
  redirectUri: string;
  /** In the order of the contract; each once. */
  scopes: GrantedScope[];
  state?: string;
  /** S256 only (RFC 7636). */
  codeChallenge?: string;
  /** Of OpenID Connect: returned in the ID token. */
  nonce?: string;
  /** Of an unregistered client: the content of its document. */
  published?: Pick<ClientDocument, 'url' | 'name'>;
}

/** Shown on an HTML page: without OpenID Connect, only a decision redirects (decisions: OAuth). */
export interface AuthorizationFault {
  page: 400 | 404;
  fault: Said;
}

export interface Asking {
  request: AuthorizationRequest;
  application: Pick<Client, 'appId' | 'name'>;
  /** Present with the scope `openid`. */
  openId?: OpenIdRequest;
}

/** Where to send the browser. */
export interface Redirection {
  redirectTo: string;
}

/**
 * Reads the query of `GET /oauth/authorize`, in the order of the decisions page: 404 application, 400 redirect
 * URI, 400 the rest. The query parser refuses repeated parameters.
 *
 * @param readerId the signed-in person; without one no document of a client is fetched @throws ApiError 429 if
 * too many documents have been fetched for the person
 */
export async function readAuthorizationRequest(
  deps: OAuthDeps,
  query: Query,
  readerId?: string,
): Promise<Asking | AuthorizationFault | Redirection> {
  const { applications } = deps;
  const { client_id: clientId, redirect_uri: redirectUri, state } = query;
  if (!clientId) return bad(sayOfField('client_id', 'missing'));
  const client = await findClient(deps, clientId, readerId);
  if ('fault' in client) return client;
  const { appId, name, published } = client;
  if (!redirectUri) return bad(sayOfField('redirect_uri', 'missing'));
  const mayGoThere = published
    ? isRedirectUriOf(published, redirectUri)
    : await applications.isRegisteredRedirectUri(appId, redirectUri);
  if (!mayGoThere) return bad(say('oauth.redirect-uri-unknown'));
  const fault = checkFlow(query) ?? (published && checkPublicClient(deps, query));
  if (fault) return bad(fault);
  const { scope = '', code_challenge: codeChallenge, nonce } = query;
  const mayUseOpenId = asksForOpenId(scope) && (await applications.hasExtension(appId, 'openid'));
  const scopes = readScopes(scope, mayUseOpenId ? ALL_SCOPES : OAUTH_SCOPES);
  if (!Array.isArray(scopes)) return bad(scopes);
  const openId = scopes.includes('openid') ? await readOpenIdRequest(deps, query) : undefined;
  if (openId && 'error' in openId) return refuse(deps, { redirectUri, state }, openId);
  return {
    application: { appId, name },
    ...(openId && { openId }),
    request: {
      appId,
      redirectUri,
      scopes,
      ...(state !== undefined && { state }),
      ...(codeChallenge !== undefined && { codeChallenge }),
      ...(openId && nonce !== undefined && { nonce }),
      ...(published && { published: { url: published.url, name } }),
    },
  };
}

/** The application that asks: registered, or published at the address that is its `client_id`. */
async function findClient(
  { config, applications, clientDocuments }: OAuthDeps,
  clientId: string,
  readerId: string | undefined,
): Promise<(Pick<Client, 'appId' | 'name'> & { published?: ClientDocument }) | AuthorizationFault> {
  const unknown = { page: 404, fault: say('oauth.application-unknown') } as const;
  if (!config.takesPublishedClients || !isClientUrl(clientId) || readerId === undefined)
    return (await applications.findActiveClient(clientId)) ?? unknown;
  const appId = idOf('app', clientId);
  const [known] = await applications.findClients([appId]);
  if (known && known.state !== 'active') return unknown;
  const published = await clientDocuments.find(clientId, readerId);
  return 'fault' in published ? bad(published.fault) : { appId, name: published.name, published };
}

/** Without a secret only PKCE binds a code to its client; and tokens are valid for one resource. */
function checkPublicClient({ config }: OAuthDeps, query: Query): Said | undefined {
  const { code_challenge: challenge, resource } = query;
  if (challenge === undefined) return sayOfField('code_challenge', 'missing');
  const baseUrl = publicUrlOf(config);
  if (resource === undefined || [baseUrl, `${baseUrl}/`, `${baseUrl}/mcp`].includes(resource))
    return undefined;
  return say('oauth.resource-unknown', { resource });
}

/** Back to the application with an error of OpenID Connect. */
export function refuse(
  { config }: OAuthDeps,
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri'> & { state?: string | undefined },
  { error, description }: OpenIdRefusal,
): Redirection {
  const parameters = { error, error_description: description, state, iss: publicUrlOf(config) };
  return { redirectTo: redirectTo(redirectUri, parameters) };
}

function bad(fault: Said): AuthorizationFault {
  return { page: 400, fault };
}

/**
 * S256 is optional, but binding when used; `plain`, the meaning of a challenge without a method, is refused.
 */
function checkFlow(query: Query): Said | undefined {
  const { response_type: responseType, code_challenge: challenge, code_challenge_method: method } = query;
  if (!responseType) return sayOfField('response_type', 'missing');
  if (responseType !== 'code') return sayOfField('response_type', 'only-code');
  if (challenge === undefined) {
    return method === undefined ? undefined : say('oauth.challenge-missing');
  }
  if (method !== 'S256') return sayOfField('code_challenge_method', 'only-s256');
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) return sayOfField('code_challenge', 'not-sha-256');
  return undefined;
}

/**
 * The requested scopes that a person may grant, without duplicates; or the fault.
 *
 * @param known all scopes that may be requested, in the order of the result
 */
export function readScopes(
  text: string,
  known: readonly GrantedScope[] = OAUTH_SCOPES,
): GrantedScope[] | Said {
  const asked = new Set(text.split(' ').filter(Boolean));
  if (asked.size === 0) return sayOfField('scope', 'missing');
  for (const scope of asked) {
    if (!(known as readonly string[]).includes(scope)) {
      return sayOfField('scope', 'some-of', { values: known.join(' ') });
    }
  }
  return known.filter((scope) => asked.has(scope));
}
