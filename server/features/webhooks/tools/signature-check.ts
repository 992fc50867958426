import { LIMITS } from '#contract/limits.ts';
import { type PlainReason, say } from '#contract/reasons.ts';
import type { SignatureVerdict } from '#contract/webhooks.ts';
import { signatureOf } from '../delivery/signing.ts';
import { readSignatureHeader, type SignatureFault } from './signature-header.ts';

/** A request as its receiver got it and as we sent it. */
export interface PastedRequest {
  header: string;
  body: string;
  /** Missing for the application's own. */
  secret: string | undefined;
  /** The application's, the newest first. */
  ownSecrets: readonly string[];
  /** The bytes of the event to which the body refers, if it is in the event log. */
  sentBody: Buffer | undefined;
  now: number;
}

interface Candidate<T> {
  value: T;
  /** Undefined if it is the pasted one. */
  fault?: SignatureFault;
}

/** Finds the part of a signed request that is wrong, by trying common mistakes with each. */
export function checkSignature(request: PastedRequest): SignatureVerdict {
  const { signed, faults } = readSignatureHeader(request.header);
  if (!signed) return { isValid: false, faults };
  const all = [...faults, ...checkAge(signed.seconds, request.now), ...findMismatches(request, signed)];
  return { isValid: all.length === 0, faults: all };
}

function checkAge(seconds: string, now: number): SignatureFault[] {
  const age = Math.floor(now / 1000) - Number(seconds);
  if (Math.abs(age) <= LIMITS.signatureToleranceSeconds) return [];
  const said = { age: Math.abs(age), seconds: LIMITS.signatureToleranceSeconds };
  return [{ part: 'timestamp', ...say(age > 0 ? 'signature.past' : 'signature.future', said) }];
}

function findMismatches(
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
  const key = (value: string | Buffer, reason: PlainReason) => ({
    value,
    fault: { part: 'key' as const, ...say(reason) },
  });
  if (secret === undefined) {
    for (const value of ownSecrets) yield { value };
    return;
  }
  yield { value: secret };
  const trimmed = secret.trim();
  yield key(trimmed, 'signature.secret-spaces');
  yield key(`whsec_${trimmed}`, 'signature.secret-beginning');
  const [current, previous] = ownSecrets;
  if (current) {
    const isPrevious = trimmed === previous;
    yield key(current, isPrevious ? 'signature.previous-pasted' : 'signature.other-secret-pasted');
  }
  if (previous) {
    yield key(previous, 'signature.previous-used');
  }
  const decoded = Buffer.from(trimmed.replace(/^whsec_/, ''), 'base64');
  yield key(decoded, 'signature.secret-decoded');
}

function* bodiesToTry({ body, sentBody }: PastedRequest): Generator<Candidate<Buffer>> {
  const changed = (value: string | Buffer, reason: PlainReason) => ({
    value: Buffer.from(value),
    fault: { part: 'body' as const, ...say(reason) },
  });
  yield { value: Buffer.from(body) };
  yield changed(body.trim(), 'signature.body-spaces');
  const reserialised = reserialise(body);
  if (reserialised !== undefined) {
    yield changed(reserialised, 'signature.body-serialised');
  }
  if (sentBody) {
    yield changed(sentBody, 'signature.body-changed');
  }
}

function reserialise(body: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return undefined;
  }
}

/** No known mistake produces this signature. */
function explainMismatch({ body, secret, ownSecrets, sentBody }: PastedRequest): SignatureFault[] {
  const faults: SignatureFault[] = [];
  if (secret !== undefined && !ownSecrets.includes(secret.trim())) {
    faults.push({ part: 'key', ...say('signature.other-secret') });
  }
  if (sentBody && !sentBody.equals(Buffer.from(body))) {
    faults.push({ part: 'body', ...say('signature.other-body') });
  }
  const reason = sentBody ? 'signature.not-for-event' : 'signature.not-for-body';
  return [...faults, { part: 'signature', ...say(reason) }];
}
