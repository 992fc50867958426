import type { ErrorCode } from '#contract/errors.ts';

/** An error that the caller may read: it knows its status and code. Anything else that is thrown becomes a 500. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: ErrorCode, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** Names the faulty field first: `invalidArgument('to', 'is required')`. */
export function invalidArgument(field: string, fault: string): ApiError {
  return new ApiError(400, 'invalid-argument', `${shorten(field)} ${fault}`);
}

const SHOWN_LENGTH = 100;

/** The beginning of what a caller chose, to be quoted in an error. */
export function shorten(text: string): string {
  return text.length <= SHOWN_LENGTH ? text : `${text.slice(0, SHOWN_LENGTH).toWellFormed()}…`;
}

export function failedPrecondition(message: string): ApiError {
  return new ApiError(400, 'failed-precondition', message);
}

export function unauthenticated(message: string, challenge = 'Bearer realm="parley"'): ApiError {
  return new ApiError(401, 'unauthenticated', message, { 'www-authenticate': challenge });
}

export function permissionDenied(message: string): ApiError {
  return new ApiError(403, 'permission-denied', message);
}

export function notFound(message: string): ApiError {
  return new ApiError(404, 'not-found', message);
}

export function alreadyExists(message: string): ApiError {
  return new ApiError(409, 'already-exists', message);
}

export function resourceExhausted(message: string): ApiError {
  return new ApiError(429, 'resource-exhausted', message);
}

/** Too much in too short a time: 429, with when to come back. */
export function rateLimitExceeded(message: string, secondsLeft: number): ApiError {
  const seconds = String(Math.max(1, Math.ceil(secondsLeft)));
  return new ApiError(429, 'RATE_LIMIT_EXCEEDED', `${message}; try again in ${seconds} s`, {
    'retry-after': seconds,
  });
}

export function applicationHasNoBot(): ApiError {
  return new ApiError(422, 'failed-precondition', 'the application of this API key has no bot');
}

/**
 * The service cannot answer now and changed nothing that it knows of; trying again is right.
 *
 * @param cause for the log alone
 */
export function unavailable(
  message = 'the service is busy or its database is away; try again',
  cause?: unknown,
): ApiError {
  const error = new ApiError(503, 'INTERNAL_ERROR', message, { 'retry-after': '1' });
  return cause === undefined ? error : Object.assign(error, { cause });
}
