import { LIMITS } from '#contract/limits.ts';
import type { SignatureVerdict } from '#contract/webhooks.ts';
import { signatureOf } from '../delivery/signing.ts';
import { readSignatureHeader, type SignatureFault } from './signature-header.ts';

/** A request as its receiver got it, and as we know it. */
export interface PastedRequest {
  header: string;
  body: string;
  /** Missing: the application's own. */
  secret: string | undefined;
  /** The application's, the newest first. */
  ownSecrets: readonly string[];
  /** The bytes of the event that the body speaks of, when it is in the event log. */
  sentBody: Buffer | undefined;
  now: number;
}

const OTHER_PASTED = "this is not the application's webhook secret, and the signature was made with that";
const PREVIOUS_PASTED =
  'this is the secret before the newest; v1 is made with the newest alone, also while the two overlap';

interface Candidate<T> {
  value: T;
  /** Nothing when it is what was pasted. */
  fault?: SignatureFault;
}

/** Says which part of a signed request is wrong, by trying what usually goes wrong with each. */
export function checkSignature(request: PastedRequest): SignatureVerdict {
  const { signed, faults } = readSignatureHeader(request.header);
  if (!signed) return { isValid: false, faults };
  const all = [...faults, ...judgeAge(signed.seconds, request.now), ...judgeSignature(request, signed)];
  return { isValid: all.length === 0, faults: all };
}

function judgeAge(seconds: string, now: number): SignatureFault[] {
  const age = Math.floor(now / 1000) - Number(seconds);
  if (Math.abs(age) <= LIMITS.signatureToleranceSeconds) return [];
  const where = age > 0 ? `${age} s in the past` : `${-age} s in the future`;
  const message = `t is ${where}; a receiver refuses more than ${LIMITS.signatureToleranceSeconds} s. Right for a request from earlier; else check the clock of the receiver`;
  return [{ part: 'timestamp', message }];
}

function judgeSignature(
  request: PastedRequest,
  { seconds, signature }: { seconds: string; signature: string },
): SignatureFault[] {
  // The pasted values come first in both lists, then the likelier mistakes.
  for (const body of bodiesToTry(request)) {
    for (const key of keysToTry(request)) {
      if (signature === signatureOf(key.value, seconds, body.value)) {
        return [key.fault, body.fault].filter((fault) => fault !== undefined);
      }
    }
  }
  return explainMismatch(request);
}

function* keysToTry({ secret, ownSecrets }: PastedRequest): Generator<Candidate<string | Buffer>> {
  const key = (value: string | Buffer, message: string) => ({
    value,
    fault: { part: 'key' as const, message },
  });
  if (secret === undefined) {
    for (const value of ownSecrets) yield { value };
    return;
  }
  yield { value: secret };
  const trimmed = secret.trim();
  yield key(trimmed, 'the secret has spaces or a line break around it; take it without');
  yield key(`whsec_${trimmed}`, 'the secret lacks its beginning, whsec_; use it whole, as it was displayed');
  const [current, previous] = ownSecrets;
  if (current) {
    const isPrevious = trimmed === previous;
    yield key(current, isPrevious ? PREVIOUS_PASTED : OTHER_PASTED);
  }
  if (previous) {
    yield key(
      previous,
      'the signature was made with the secret before; the pasted one is neither of the two',
    );
  }
  const decoded = Buffer.from(trimmed.replace(/^whsec_/, ''), 'base64');
  yield key(decoded, 'the secret was decoded from base64; v1 is keyed with its text as it was displayed');
}

function* bodiesToTry({ body, sentBody }: PastedRequest): Generator<Candidate<Buffer>> {
  const changed = (value: string | Buffer, message: string) => ({
    value: Buffer.from(value),
    fault: { part: 'body' as const, message },
  });
  yield { value: Buffer.from(body) };
  yield changed(body.trim(), 'spaces or line breaks were added around the body');
  const reserialised = reserialise(body);
  if (reserialised !== undefined) {
    yield changed(
      reserialised,
      'the body was parsed and serialised again; verify over the raw bytes, before any JSON parser',
    );
  }
  if (sentBody) {
    yield changed(
      sentBody,
      'the body is not what was sent: it was parsed and serialised again, or changed; verify over the raw bytes',
    );
  }
}

function reserialise(body: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return undefined;
  }
}

/** Nothing that we know of gives this signature. */
function explainMismatch({ body, secret, ownSecrets, sentBody }: PastedRequest): SignatureFault[] {
  const faults: SignatureFault[] = [];
  if (secret !== undefined && !ownSecrets.includes(secret.trim())) {
    faults.push({ part: 'key', message: "this is not the application's webhook secret" });
  }
  if (sentBody && !sentBody.equals(Buffer.from(body))) {
    faults.push({ part: 'body', message: 'the body is not what was sent' });
  }
  const message = sentBody
    ? 'v1 was not made by us for this event at t: the header was changed or forged, or the secret has been replaced since'
    : 'v1 does not belong to this body, t and secret: the body was changed, or the header was forged';
  return [...faults, { part: 'signature', message }];
}
