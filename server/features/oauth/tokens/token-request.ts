import { say, sayOfField } from '#contract/reasons.ts';
import { invalidRequest, unsupportedGrantType } from '../oauth-error.ts';

/** The body of a request to `/oauth/*`, as JSON or form. */
export type OAuthBody = Readonly<Record<string, string | undefined>>;

export type TokenRequest =
  | { grantType: 'authorization_code'; code: string; redirectUri: string; verifier: string | undefined }
  | { grantType: 'refresh_token'; refreshToken: string; scope: string | undefined };

const KNOWN = [
  'grant_type',
  'client_id',
  'client_secret',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'scope',
  'token',
  'token_type_hint',
];

/**
 * The known fields of a body, without coercion. A field without a value counts as absent (RFC 6749 §3.1), as
 * does `null` in JSON.
 *
 * @throws OAuthError 400
 */
export function readOAuthBody(body: unknown): OAuthBody {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidRequest(say('token.form'));
  }
  const fields: Record<string, string> = {};
  for (const name of KNOWN) {
    const value: unknown = Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined;
    if (value === undefined || value === null || value === '') continue;
    if (typeof value !== 'string') throw invalidRequest(sayOfField(name, 'type', { type: 'string' }));
    fields[name] = value;
  }
  return fields;
}

/** @throws OAuthError 400 naming the missing field */
export function readTokenRequest(body: OAuthBody): TokenRequest {
  const grantType = required(body, 'grant_type');
  switch (grantType) {
    case 'authorization_code': {
      const verifier = body['code_verifier'];
      if (verifier !== undefined && !/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) {
        throw invalidRequest(sayOfField('code_verifier', 'verifier'));
      }
      return {
        grantType,
        code: required(body, 'code'),
        redirectUri: required(body, 'redirect_uri'),
        verifier,
      };
    }
    case 'refresh_token':
      return { grantType, refreshToken: required(body, 'refresh_token'), scope: body['scope'] };
    default:
      throw unsupportedGrantType();
  }
}

/** @throws OAuthError 400 */
export function required(body: OAuthBody, name: string): string {
  const value = body[name];
  if (value === undefined) throw invalidRequest(sayOfField(name, 'required'));
  return value;
}
