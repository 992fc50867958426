import type { ErrorCode } from '#contract/errors.ts';
import type { OAuthErrorCode } from '#contract/oauth.ts';

/** An error that an operation can give, with an example response. */
export interface ErrorExample {
  status: number;
  cause: string;
  code: ErrorCode;
  message: string;
  /** Only on the OAuth endpoints, whose errors have both formats (decisions: OAuth). */
  error?: OAuthErrorCode;
}

export function error(status: number, code: ErrorCode, cause: string, message: string): ErrorExample {
  return { status, cause, code, message };
}

export function invalid(cause: string, message: string): ErrorExample {
  return error(400, 'invalid-argument', cause, message);
}

export function precondition(cause: string, message: string): ErrorExample {
  return error(400, 'failed-precondition', cause, message);
}

export function denied(cause: string, message: string): ErrorExample {
  return error(403, 'permission-denied', cause, message);
}

export function notFound(cause: string, message: string): ErrorExample {
  return error(404, 'not-found', cause, message);
}

export function tooFast(cause: string, message: string): ErrorExample {
  return error(429, 'RATE_LIMIT_EXCEEDED', cause, `${message}; try again in 12 s`);
}

export function exhausted(cause: string, message: string): ErrorExample {
  return error(429, 'resource-exhausted', cause, message);
}

export function ofOAuth(
  status: number,
  oauthCode: OAuthErrorCode,
  cause: string,
  message: string,
  code: ErrorCode = 'invalid-argument',
): ErrorExample {
  return { ...error(status, code, cause, message), error: oauthCode };
}
