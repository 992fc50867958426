import type { ErrorCode } from '#contract/errors.ts';
import type { OAuthErrorCode } from '#contract/oauth.ts';
import { type Said, say } from '#contract/reasons.ts';
import { ApiError } from '#platform/errors.ts';

/** An error of the OAuth endpoints, with both of its forms (decisions: OAuth). */
export class OAuthError extends ApiError {
  readonly error: OAuthErrorCode;

  constructor(
    error: OAuthErrorCode,
    status: number,
    code: ErrorCode,
    said: Said,
    headers: Record<string, string> = {},
  ) {
    super(status, code, said, headers);
    this.error = error;
  }
}

export const invalidRequest = (said: Said) =>
  new OAuthError('invalid_request', 400, 'invalid-argument', said);

export const unsupportedGrantType = () =>
  new OAuthError('unsupported_grant_type', 400, 'invalid-argument', say('token.grant-type'));

/** A client that tried HTTP Basic gets the scheme (RFC 6749 §5.2). */
export function invalidClient(said: Said, usedBasic: boolean): OAuthError {
  const headers = usedBasic ? { 'www-authenticate': 'Basic realm="parley", charset="UTF-8"' } : {};
  return new OAuthError('invalid_client', 401, 'unauthenticated', said, headers);
}

export function unauthorizedClient(state: string): OAuthError {
  const said = say('application.not-active', { state });
  return new OAuthError('unauthorized_client', 400, 'failed-precondition', said);
}

export const badCode = (said: Said) => new OAuthError('invalid_grant', 400, 'invalid-argument', said);

export const badRefreshToken = (said: Said) => new OAuthError('invalid_grant', 401, 'unauthenticated', said);

export const scopeNotGranted = () =>
  new OAuthError('invalid_scope', 400, 'invalid-argument', say('token.scope'));
