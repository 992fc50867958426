import { OAUTH_SCOPES, type Scope } from '#contract/scopes.ts';
import type { Applications, Client } from '#features/applications/index.ts';

/** What an application asks a person for, all of it proven (contract §4, GET /oauth/authorize). */
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
  fault: string;
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
  if (!clientId) return bad('client_id is missing');
  const application = await applications.findActiveClient(clientId);
  if (!application) return { page: 404, fault: 'there is no such application, or it is not active' };
  const { appId, name } = application;
  if (!redirectUri) return bad('redirect_uri is missing');
  if (!(await applications.isRegisteredRedirectUri(appId, redirectUri))) {
    return bad('redirect_uri is not registered for this application');
  }
  const fault = judgeFlow(query);
  if (fault) return bad(fault);
  const scopes = readScopes(query['scope'] ?? '');
  if (typeof scopes === 'string') return bad(scopes);
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

function bad(fault: string): AuthorizationFault {
  return { page: 400, fault };
}

/** S256 is optional, binding when used; `plain`, which is what a challenge without a method means, is refused. */
function judgeFlow(query: Readonly<Record<string, string | undefined>>): string | undefined {
  const { response_type: responseType, code_challenge: challenge, code_challenge_method: method } = query;
  if (!responseType) return 'response_type is missing';
  if (responseType !== 'code') return 'response_type must be code';
  if (challenge === undefined) {
    return method === undefined ? undefined : 'code_challenge is missing, but code_challenge_method is there';
  }
  if (method !== 'S256') return 'code_challenge_method must be S256';
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) return 'code_challenge must be a SHA-256 in base64url';
  return undefined;
}

/** The scopes that a person may be asked for, duplicates merged; else what is wrong with them. */
export function readScopes(text: string): Scope[] | string {
  const asked = new Set(text.split(' ').filter(Boolean));
  if (asked.size === 0) return 'scope is missing';
  for (const scope of asked) {
    if (!(OAUTH_SCOPES as readonly string[]).includes(scope)) {
      return `scope must be some of: ${OAUTH_SCOPES.join(' ')}`;
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
