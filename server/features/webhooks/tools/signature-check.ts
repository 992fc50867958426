import { LIMITS } from '#contract/limits.ts';
import { type PlainReason, type Said, say } from '#contract/reasons.ts';
import type { SignatureVerdict } from '#contract/webhooks.ts';
import { signatureOf } from '../delivery/attempt.ts';

type SignatureFault = SignatureVerdict['faults'][number];

/** The parts of a signature header, and its format faults. */
interface ReadHeader {
  /** Missing if the header is too malformed. */
  signed?: { seconds: string; signature: string };
  faults: SignatureFault[];
}

const FORM = /^t=\d{1,12},v1=[0-9a-f]{64}$/;

/**
 * Reads `t=<unix seconds>,v1=<64 hex digits>` (contract §6), as leniently as possible while the meaning is
 * clear.
 */
function readSignatureHeader(pasted: string): ReadHeader {
  const text = pasted.replace(/^\s*X-[A-Za-z0-9]+-Signature\s*:/i, '').trim();
  const inHeader = (said: Said): SignatureFault => ({ part: 'header', ...said });
  if (/^v1,/.test(text)) return { faults: [inHeader(say('signature.standard-webhooks'))] };
  const tidy = text.replace(/\s+/g, '').toLowerCase();
  if (!FORM.test(tidy)) return { faults: [inHeader(explainForm(tidy))] };
  const [seconds = '', signature = ''] = tidy.split(',').map((part) => part.split('=')[1] ?? '');
  const faults = FORM.test(text) ? [] : [inHeader(say('signature.header-untidy'))];
  return { signed: { seconds, signature }, faults };
}

function explainForm(text: string): Said {
  const parts = new Map(
    text.split(',').map((part) => [part.split('=', 1)[0] ?? '', part.split('=')[1] ?? '']),
  );
  const [t, v1] = [parts.get('t'), parts.get('v1')];
  if (t === undefined && v1 === undefined) return say('signature.header-form');
  if (t === undefined) return say('signature.no-t');
  if (/^\d{13,}$/.test(t)) return say('signature.t-too-fine');
  if (!/^\d+$/.test(t)) return say('signature.t-no-number');
  if (v1 === undefined) return say('signature.no-v1');
  if (/^[0-9a-f]*$/.test(v1) && v1.length !== 64) return say('signature.v1-length', { count: v1.length });
  if (!/^[0-9a-f]{64}$/.test(v1)) return say('signature.v1-no-hex');
  return say('signature.header-more');
}

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
  if (previous) yield key(previous, 'signature.previous-used');
  yield key(Buffer.from(trimmed.replace(/^whsec_/, ''), 'base64'), 'signature.secret-decoded');
}

function* bodiesToTry({ body, sentBody }: PastedRequest): Generator<Candidate<Buffer>> {
  const changed = (value: string | Buffer, reason: PlainReason) => ({
    value: Buffer.from(value),
    fault: { part: 'body' as const, ...say(reason) },
  });
  yield { value: Buffer.from(body) };
  yield changed(body.trim(), 'signature.body-spaces');
  const reserialised = reserialise(body);
  if (reserialised !== undefined) yield changed(reserialised, 'signature.body-serialised');
  if (sentBody) yield changed(sentBody, 'signature.body-changed');
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
  if (secret !== undefined && !ownSecrets.includes(secret.trim()))
    faults.push({ part: 'key', ...say('signature.other-secret') });
  if (sentBody && !sentBody.equals(Buffer.from(body)))
    faults.push({ part: 'body', ...say('signature.other-body') });
  const reason = sentBody ? 'signature.not-for-event' : 'signature.not-for-body';
  return [...faults, { part: 'signature', ...say(reason) }];
}
