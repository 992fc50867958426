import type { ErrorCode } from '#contract/errors.ts';
import type { OAuthErrorCode } from '#contract/oauth.ts';
import { ApiError } from '#platform/errors.ts';

/** An error of the OAuth endpoints: it knows both of its forms (decisions: OAuth). */
export class OAuthError extends ApiError {
  readonly error: OAuthErrorCode;

  constructor(
    error: OAuthErrorCode,
    status: number,
    code: ErrorCode,
    message: string,
    headers: Record<string, string> = {},
  ) {
    super(status, code, message, headers);
    this.error = error;
  }
}

export function invalidRequest(message: string): OAuthError {
  return new OAuthError('invalid_request', 400, 'invalid-argument', message);
}

export function unsupportedGrantType(): OAuthError {
  const message = 'grant_type must be authorization_code or refresh_token';
  return new OAuthError('unsupported_grant_type', 400, 'invalid-argument', message);
}

/** A client that tried HTTP Basic is told the scheme (RFC 6749 §5.2). */
export function invalidClient(message: string, usedBasic: boolean): OAuthError {
  const headers = usedBasic ? { 'www-authenticate': 'Basic realm="parley", charset="UTF-8"' } : {};
  return new OAuthError('invalid_client', 401, 'unauthenticated', message, headers);
}

export function unauthorizedClient(state: string): OAuthError {
  return new OAuthError('unauthorized_client', 400, 'failed-precondition', `the application is ${state}`);
}

export function badCode(message: string): OAuthError {
  return new OAuthError('invalid_grant', 400, 'invalid-argument', message);
}

export function badRefreshToken(message: string): OAuthError {
  return new OAuthError('invalid_grant', 401, 'unauthenticated', message);
}

export function scopeNotGranted(): OAuthError {
  const message = 'scope must be some of what was granted';
  return new OAuthError('invalid_scope', 400, 'invalid-argument', message);
}
