import { errors } from 'undici';
import { Refusal } from './guard.ts';

/** Where a post was when it ended. */
export type Phase = 'url' | 'dns' | 'connect' | 'tls' | 'firstByte' | 'body';

/** Each failure with what the receiver's owner has to do. */
export const FAILURES = {
  url: 'The URL is no longer acceptable.',
  dns: 'The host name does not resolve; check its DNS records.',
  private_address:
    'The host name leads to a private, local or otherwise reserved address; only public ones are called.',
  connect:
    'No connection could be made; check that the receiver is running and that its firewall lets us in.',
  tls_expired:
    'The certificate has expired or is not valid yet; renew it and check the clock of the machine.',
  tls_name: 'The certificate was made for other host names; get one for the host in the URL.',
  tls_untrusted:
    'The certificate is self-signed or of an unknown authority; use a public one and send its intermediates along.',
  tls: 'No TLS connection could be made; check that the port speaks TLS 1.2 or later and asks no client certificate.',
  timeout: 'The whole answer did not arrive in time.',
  reset: 'The receiver closed the connection before its answer was complete.',
  protocol: 'The answer is not valid HTTP/1.1.',
  too_large: 'The headers of the answer are too large.',
} as const;

export type FailureReason = keyof typeof FAILURES;

const UNFINISHED: Record<Phase, string> = {
  url: '',
  dns: 'The name servers of the host gave no answer.',
  connect: 'The receiver did not accept the connection; a firewall may drop our packets.',
  tls: 'The TLS handshake did not finish.',
  firstByte: 'The receiver did not begin its answer; answer first, then do the work.',
  body: 'The receiver began its answer and did not finish it.',
};

export function timeoutMessage(phase: Phase): string {
  return `${FAILURES.timeout} ${UNFINISHED[phase]}`;
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

/** undici's codes for errors that Node names otherwise. */
const CODES: Readonly<Record<string, string>> = {
  UND_ERR_SOCKET: 'ECONNRESET',
  UND_ERR_HEADERS_OVERFLOW: 'HPE_HEADER_OVERFLOW',
};

/** Names what a socket, the TLS layer or the HTTP parser complained about. */
export function nameFailure(error: unknown, phase: Phase): FailureReason {
  if (error instanceof Refusal) return error.reason;
  const code = codeOf(error);
  if (phase === 'url' || phase === 'dns' || phase === 'connect') return phase;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'tls_name';
  if (EXPIRED.has(code)) return 'tls_expired';
  if (UNTRUSTED.has(code)) return 'tls_untrusted';
  if (CUT.has(code) || (phase === 'body' && isCutShort(error))) return 'reset';
  if (phase === 'tls' || code.startsWith('ERR_SSL_') || code === 'EPROTO') return 'tls';
  return code === 'HPE_HEADER_OVERFLOW' ? 'too_large' : 'protocol';
}

export function codeOf(error: unknown): string {
  if (!(error instanceof Error && 'code' in error) || isUnasked(error)) return '';
  const code = String(error.code ?? '');
  return CODES[code] ?? (code.startsWith('UND_ERR_') ? '' : code);
}

/** An answer of 100 or 101 that nobody asked for: undici hangs up, the receiver did not. */
function isUnasked({ message }: Error): boolean {
  return message === 'bad response' || message === 'bad upgrade';
}

/** undici's errors for a response whose connection ended in the middle. */
function isCutShort(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    error instanceof errors.ResponseContentLengthMismatchError || /Invalid EOF state/.test(error.message)
  );
}
