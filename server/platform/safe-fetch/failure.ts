import { type Failure, type Said, say } from '#contract/reasons.ts';
import { AnswerFault } from './answer-reader.ts';
import { Refusal } from './guard.ts';

/** The phase in which a post ended. */
export type Phase = 'url' | 'dns' | 'connect' | 'tls' | 'firstByte' | 'body';

/** The cause that ended a post. */
export type FailureReason = 'url' | 'timeout' | Failure;

/**
 * The remedy, for the receiver's owner.
 *
 * @param code the error code of the socket or the TLS layer; may be empty
 */
export function sayFailure(reason: Failure, code: string): Said {
  return say(`failure.${reason}`, { code: code && ` (${code})` });
}

const EXPIRED = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);

const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
  'INVALID_CA',
  'PATH_LENGTH_EXCEEDED',
]);

const CUT = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ETIMEDOUT']);

/** Classifies an error of the socket, the TLS layer or the response parser. */
export function nameFailure(error: unknown, phase: Phase): Failure {
  if (error instanceof Refusal || error instanceof AnswerFault) return error.reason;
  const code = codeOf(error);
  if (phase === 'dns' || phase === 'connect') return phase;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'tls_name';
  if (EXPIRED.has(code)) return 'tls_expired';
  if (UNTRUSTED.has(code)) return 'tls_untrusted';
  if (CUT.has(code)) return 'reset';
  if (phase === 'tls' || code.startsWith('ERR_SSL_') || code === 'EPROTO') return 'tls';
  return 'protocol';
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code ?? '') : '';
}
