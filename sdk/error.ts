import type { ErrorCode } from './wire.ts';

/** The error code of a failed call; `unreachable` if there was no response. */
export interface ErrorFacts {
  status: number;
  code: ErrorCode | 'unreachable';
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  oauthError?: string | undefined;
  cause?: unknown;
}

/**
 * Thrown by a handler that gives up an event: it is not tried again. While polling it becomes a dead letter; a webhook is
 * answered with 204.
 *
 * @example
 * bot.on('message', (message) => {
 *   if (message.type === 'poll') throw new GiveUp('there is nothing to say about polls');
 * });
 */
export class GiveUp extends Error {
  override readonly name = 'GiveUp';
}

/**
 * Thrown by every failed call.
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
  /** The HTTP status; 0 if there was no response. */
  readonly status!: number;
  /** The `code` of the answer; `unreachable` if there was no response. */
  readonly code!: ErrorCode | 'unreachable';
  /** `X-Request-Id` of the response: quote it when reporting a fault. */
  readonly requestId: string | undefined;
  /** How long the service asks to wait before the next attempt, in seconds. */
  readonly retryAfterSeconds: number | undefined;
  /** The `error` of RFC 6749, from `/oauth/token`, `/oauth/revoke`, or the address with which a person returned. */
  readonly oauthError: string | undefined;

  constructor(message: string, { cause, ...facts }: ErrorFacts) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, facts);
  }
}
