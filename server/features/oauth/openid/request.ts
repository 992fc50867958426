import { OAUTH_SCOPES, OPENID_SCOPES } from '#contract/scopes.ts';
import type { OAuthDeps } from '../deps.ts';
import { readIdTokenHint } from './id-token.ts';

const PROMPTS = ['none', 'login', 'consent', 'select_account'] as const;
type Prompt = (typeof PROMPTS)[number];

/** The parameters that OpenID Connect adds to an authorization request (Core §3.1.2.1). */
export interface OpenIdRequest {
  prompts: Prompt[];
  maxAgeSeconds?: number;
  /** The person that an `id_token_hint` names. */
  hintedAccountId?: string;
  loginHint?: string;
}

/** An error that is returned to the application (RFC 6749 §4.1.2.1, Core §3.1.2.6). */
export interface OpenIdRefusal {
  error:
    | 'invalid_request'
    | 'login_required'
    | 'consent_required'
    | 'interaction_required'
    | 'request_not_supported'
    | 'request_uri_not_supported'
    | 'registration_not_supported';
  /** In ASCII, without quotation marks. */
  description: string;
}

export type Query = Readonly<Record<string, string | undefined>>;

const NONCE_LENGTH = 1024;
const UNSUPPORTED = ['request', 'request_uri', 'registration'] as const;

/** Whether a scope parameter requests a scope of OpenID Connect. */
export function asksForOpenId(scope: string): boolean {
  return scope.split(' ').some((one) => (OPENID_SCOPES as readonly string[]).includes(one));
}

/** All scopes that a person may grant to an application with OpenID Connect, in the order of the consent page. */
export const ALL_SCOPES = [...OPENID_SCOPES, ...OAUTH_SCOPES];

export async function readOpenIdRequest(
  deps: OAuthDeps,
  query: Query,
): Promise<OpenIdRequest | OpenIdRefusal> {
  const unsupported = UNSUPPORTED.find((name) => query[name] !== undefined);
  if (unsupported)
    return { error: `${unsupported}_not_supported`, description: `${unsupported} is not supported` };
  const { prompt, max_age: maxAge, nonce, response_mode: mode, login_hint: loginHint } = query;
  if (mode !== undefined && mode !== 'query') return invalid('response_mode must be query');
  if (nonce !== undefined && nonce.length > NONCE_LENGTH)
    return invalid(`nonce is longer than ${NONCE_LENGTH}`);
  if (maxAge !== undefined && !/^\d{1,9}$/.test(maxAge))
    return invalid('max_age must be a number of seconds');
  const prompts = readPrompts(prompt);
  if (!prompts) return invalid(`prompt must be some of ${PROMPTS.join(' ')}; none stands alone`);
  const hint = query['id_token_hint'];
  const hinted = hint === undefined ? undefined : await readIdTokenHint(deps, hint);
  if (hint !== undefined && hinted?.appId !== query['client_id']) {
    return invalid('id_token_hint is no ID token that this application got here');
  }
  return {
    prompts,
    ...(maxAge !== undefined && { maxAgeSeconds: Number(maxAge) }),
    ...(hinted && { hintedAccountId: hinted.accountId }),
    ...(loginHint !== undefined && { loginHint }),
  };
}

function readPrompts(text = ''): Prompt[] | undefined {
  const prompts = text.split(' ').filter(Boolean);
  if (!prompts.every((one): one is Prompt => (PROMPTS as readonly string[]).includes(one))) return undefined;
  return prompts.includes('none') && prompts.length > 1 ? undefined : prompts;
}

function invalid(description: string): OpenIdRefusal {
  return { error: 'invalid_request', description };
}
