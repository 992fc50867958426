import { type Said, say } from '#contract/reasons.ts';
import type { SignatureVerdict } from '#contract/webhooks.ts';

export type SignatureFault = SignatureVerdict['faults'][number];

/** The parts of a signature header, and its format faults. */
export interface ReadHeader {
  /** Missing if the header is too malformed. */
  signed?: { seconds: string; signature: string };
  faults: SignatureFault[];
}

const FORM = /^t=\d{1,12},v1=[0-9a-f]{64}$/;

/**
 * Reads `t=<unix seconds>,v1=<64 hex digits>` (contract §6), as leniently as possible while the meaning is
 * clear.
 */
export function readSignatureHeader(pasted: string): ReadHeader {
  const text = pasted.replace(/^\s*X-[A-Za-z0-9]+-Signature\s*:/i, '').trim();
  if (FORM.test(text)) return { signed: split(text), faults: [] };
  if (/^v1,/.test(text)) {
    return refuse(say('signature.standard-webhooks'));
  }
  const tidy = text.replace(/\s+/g, '').toLowerCase();
  const signed = FORM.test(tidy) ? split(tidy) : undefined;
  if (signed) {
    return {
      signed,
      faults: [fault(say('signature.header-untidy'))],
    };
  }
  return refuse(explainForm(tidy));
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
  if (/^[0-9a-f]*$/.test(v1) && v1.length !== 64) {
    return say('signature.v1-length', { count: v1.length });
  }
  if (!/^[0-9a-f]{64}$/.test(v1)) return say('signature.v1-no-hex');
  return say('signature.header-more');
}

function split(text: string): { seconds: string; signature: string } {
  const [seconds = '', signature = ''] = text.split(',').map((part) => part.split('=')[1] ?? '');
  return { seconds, signature };
}

function refuse(said: Said): ReadHeader {
  return { faults: [fault(said)] };
}

function fault(said: Said): SignatureFault {
  return { part: 'header', ...said };
}
