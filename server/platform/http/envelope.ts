import type { ErrorCode } from '#contract/errors.ts';

export interface SuccessEnvelope<T> {
  status: 'success';
  message: string;
  data: T;
  timestamp: number;
}

/** The envelope of a successful response (contract §1). */
export function success<T>(now: number, message: string, data: T): SuccessEnvelope<T> {
  return { status: 'success', message, data, timestamp: now };
}

/** The envelope of an error (contract §1). */
export function failure(
  code: ErrorCode,
  message: string,
): { status: 'error'; code: ErrorCode; message: string } {
  return { status: 'error', code, message };
}
