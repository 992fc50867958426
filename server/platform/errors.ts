import type { ErrorCode } from '#contract/errors.ts';
import {
  type FaultValuesOf,
  type FieldFault,
  type PlainReason,
  type Said,
  say,
  sayOfField,
  type ValuesOf,
} from '#contract/reasons.ts';
import type { ReasonOf } from '#contract/refusals.ts';

/** An error to be shown to the caller, with status, code and reason. Any other error becomes a 500. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly said: Said;
  readonly headers: Readonly<Record<string, string>>;

  /** @param advice what `message` says beyond the reason */
  constructor(
    status: number,
    code: ErrorCode,
    said: Said,
    headers: Readonly<Record<string, string>> = {},
    advice = '',
  ) {
    const { stackTraceLimit } = Error;
    // It is an answer, whose stack nobody reads: it took a third of the time of a refusal.
    Error.stackTraceLimit = 0;
    super(said.message + advice);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.said = said;
    this.headers = headers;
  }
}

/** Nothing was done, and the work begins again. */
export class NotDone extends Error {}

/** Names the faulty field first: `invalidArgument('name', 'too-long', { limit: 64 })`. */
export function invalidArgument<F extends FieldFault>(
  field: string,
  fault: F,
  ...values: FaultValuesOf<F>
): ApiError {
  return new ApiError(400, 'invalid-argument', sayOfField(shorten(field), fault, ...values));
}

const SHOWN_LENGTH = 100;

/** The beginning of a value from the caller, for quoting in an error. */
export function shorten(text: string): string {
  return text.length <= SHOWN_LENGTH ? text : `${text.slice(0, SHOWN_LENGTH).toWellFormed()}…`;
}

/** Makes the errors with a code, each by its reason. */
function refusals<C extends ErrorCode>(status: number, code: C) {
  return <R extends ReasonOf<C>>(reason: R, ...values: ValuesOf<R>): ApiError =>
    new ApiError(status, code, say(reason, ...values));
}

export const failedPrecondition = refusals(400, 'failed-precondition');
export const permissionDenied = refusals(403, 'permission-denied');
export const notFound = refusals(404, 'not-found');
export const resourceExhausted = refusals(429, 'resource-exhausted');

export function unauthenticated(reason: PlainReason, challenge = 'Bearer realm="parley"'): ApiError {
  return new ApiError(401, 'unauthenticated', say(reason), { 'www-authenticate': challenge });
}

/** For people and their pages, which get no challenge. */
export function notSignedIn(reason: PlainReason): ApiError {
  return new ApiError(401, 'unauthenticated', say(reason));
}

export function alreadyExists(reason: PlainReason): ApiError {
  return new ApiError(409, 'already-exists', say(reason));
}

/** Too many requests: 429, with the time to wait. */
export function rateLimitExceeded(said: Said, secondsLeft: number): ApiError {
  const seconds = String(Math.max(1, Math.ceil(secondsLeft)));
  return new ApiError(
    429,
    'RATE_LIMIT_EXCEEDED',
    said,
    { 'retry-after': seconds },
    `; try again in ${seconds} s`,
  );
}

export function applicationHasNoBot(): ApiError {
  return new ApiError(422, 'failed-precondition', say('application.key-without-bot'));
}

/**
 * The service cannot answer now, and has changed nothing as far as it knows; clients should retry.
 *
 * @param cause for the log alone
 */
export function unavailable(
  reason: PlainReason = 'service.unavailable',
  cause?: unknown,
  retrySeconds = 1,
): ApiError {
  const error = new ApiError(503, 'INTERNAL_ERROR', say(reason), { 'retry-after': String(retrySeconds) });
  return cause === undefined ? error : Object.assign(error, { cause });
}

/** The retry interval if maintenance takes longer than expected. */
const OVERDUE_SECONDS = 60;

/** Nothing is written during maintenance: 503, with the time to wait. */
export function inMaintenance({ until }: { until: number }, now: number): ApiError {
  const seconds = until > now ? Math.ceil((until - now) / 1000) : OVERDUE_SECONDS;
  const said = say('service.maintenance', { until: new Date(until).toISOString() });
  return new ApiError(503, 'INTERNAL_ERROR', said, { 'retry-after': String(seconds) });
}
