import type { ErrorCode } from './wire.ts';

/** The error code of a failed call; `unreachable` when there was no answer. */
export interface ErrorFacts {
  status: number;
  code: ErrorCode | 'unreachable';
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  oauthError?: string | undefined;
  cause?: unknown;
}

/**
 * Every call that fails throws this (contract §7).
 *
 * @example
 * try {
 *   await bot.sendMessage({ to: 'usr_nobody', type: 'text', content: 'Hello' });
 * } catch (error) {
 *   if (!(error instanceof ParleyError)) throw error;
 *   console.log(error.status, error.code, error.message, error.requestId);
 * }
 */
export class ParleyError extends Error {
  override readonly name = 'ParleyError';
  /** The HTTP status; 0 when no answer came. */
  readonly status: number;
  /** The contract's code; `unreachable` when no answer came. */
  readonly code: ErrorCode | 'unreachable';
  /** `X-Request-Id` of the answer: quote it when you report a fault. */
  readonly requestId: string | undefined;
  /** How long the service asks to wait before the next try, in seconds. */
  readonly retryAfterSeconds: number | undefined;
  /** The `error` of RFC 6749, from `/oauth/token` and `/oauth/revoke`. */
  readonly oauthError: string | undefined;

  constructor(message: string, facts: ErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.status = facts.status;
    this.code = facts.code;
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.oauthError = facts.oauthError;
  }
}
