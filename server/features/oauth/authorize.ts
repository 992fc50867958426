import { type Said, say, sayOfField } from '#contract/reasons.ts';
import { OAUTH_SCOPES, type Scope } from '#contract/scopes.ts';
import type { Applications, Client } from '#features/applications/index.ts';

/** A request for a person's consent that has passed every check (contract §4, GET /oauth/authorize). */
export interface AuthorizationRequest {
  appId: string;
  redirectUri: string;
  /** In the order of the contract; each once. */
  scopes: Scope[];
  state?: string;
  /** S256 only (RFC 7636). */
  codeChallenge?: string;
}

/** Ends on an HTML page: nothing else than a decision ever redirects (decisions: OAuth). */
export interface AuthorizationFault {
  page: 400 | 404;
  fault: Said;
}

export interface Asking {
  request: AuthorizationRequest;
  application: Pick<Client, 'appId' | 'name'>;
}

/**
 * Reads the query of `GET /oauth/authorize`, in the order of the decisions page: 404 application, 400 redirect URI, 400
 * the rest. Repeated parameters are refused by the reader of the query.
 */
export async function readAuthorizationRequest(
  { applications }: { applications: Applications },
  query: Readonly<Record<string, string | undefined>>,
): Promise<Asking | AuthorizationFault> {
  const { client_id: clientId, redirect_uri: redirectUri, state } = query;
  if (!clientId) return bad(sayOfField('client_id', 'missing'));
  const application = await applications.findActiveClient(clientId);
  if (!application) return { page: 404, fault: say('oauth.application-unknown') };
  const { appId, name } = application;
  if (!redirectUri) return bad(sayOfField('redirect_uri', 'missing'));
  if (!(await applications.isRegisteredRedirectUri(appId, redirectUri))) {
    return bad(say('oauth.redirect-uri-unknown'));
  }
  const fault = judgeFlow(query);
  if (fault) return bad(fault);
  const scopes = readScopes(query['scope'] ?? '');
  if (!Array.isArray(scopes)) return bad(scopes);
  const codeChallenge = query['code_challenge'];
  return {
    application: { appId, name },
    request: {
      appId,
      redirectUri,
      scopes,
      ...(state !== undefined && { state }),
      ...(codeChallenge !== undefined && { codeChallenge }),
    },
  };
}

function bad(fault: Said): AuthorizationFault {
  return { page: 400, fault };
}

/** S256 is optional, binding when used; `plain`, which is what a challenge without a method means, is refused. */
function judgeFlow(query: Readonly<Record<string, string | undefined>>): Said | undefined {
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

/** The scopes that a person may be asked for, duplicates merged; else what is wrong with them. */
export function readScopes(text: string): Scope[] | Said {
  const asked = new Set(text.split(' ').filter(Boolean));
  if (asked.size === 0) return sayOfField('scope', 'missing');
  for (const scope of asked) {
    if (!(OAUTH_SCOPES as readonly string[]).includes(scope)) {
      return sayOfField('scope', 'some-of', { values: OAUTH_SCOPES.join(' ') });
    }
  }
  return OAUTH_SCOPES.filter((scope) => asked.has(scope));
}

/** The registered URI as it stands, with the parameters after what query it has (decisions: OAuth). */
export function redirectTo(uri: string, parameters: Record<string, string | undefined>): string {
  const added = Object.entries(parameters)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  if (!uri.includes('?')) return `${uri}?${added}`;
  return /[?&]$/.test(uri) ? uri + added : `${uri}&${added}`;
}
