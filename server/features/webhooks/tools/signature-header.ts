import type { SignatureVerdict } from '#contract/webhooks.ts';

export type SignatureFault = SignatureVerdict['faults'][number];

/** The parts of a signature header, and the faults of its form. */
export interface ReadHeader {
  /** Missing when the header is too far from the form to go on. */
  signed?: { seconds: string; signature: string };
  faults: SignatureFault[];
}

const FORM = /^t=\d{1,12},v1=[0-9a-f]{64}$/;

/** Reads `t=<unix seconds>,v1=<64 hex digits>` (contract §6), as forgivingly as it can tell what was meant. */
export function readSignatureHeader(pasted: string): ReadHeader {
  const text = pasted.replace(/^\s*X-[A-Za-z0-9]+-Signature\s*:/i, '').trim();
  if (FORM.test(text)) return { signed: split(text), faults: [] };
  if (/^v1,/.test(text)) {
    return refuse('is the webhook-signature of Standard Webhooks; paste the value of X-Service-Signature');
  }
  const tidy = text.replace(/\s+/g, '').toLowerCase();
  const signed = FORM.test(tidy) ? split(tidy) : undefined;
  if (signed) {
    return {
      signed,
      faults: [fault('must have neither spaces nor capitals: t=…,v1=… was changed on its way')],
    };
  }
  return refuse(explainForm(tidy));
}

function explainForm(text: string): string {
  const parts = new Map(
    text.split(',').map((part) => [part.split('=', 1)[0] ?? '', part.split('=')[1] ?? '']),
  );
  const [t, v1] = [parts.get('t'), parts.get('v1')];
  if (t === undefined && v1 === undefined) return 'must have the form t=<unix seconds>,v1=<64 hex digits>';
  if (t === undefined) return 'has no t=<unix seconds>';
  if (/^\d{13,}$/.test(t)) return 'has t in milliseconds or finer; ours is in seconds';
  if (!/^\d+$/.test(t)) return 'has a t that is no whole number of seconds';
  if (v1 === undefined) return 'has no v1=<64 hex digits>';
  if (/^[0-9a-f]*$/.test(v1) && v1.length !== 64) {
    return `has a v1 of ${v1.length} instead of 64 hex digits; part of it is missing or too much`;
  }
  if (!/^[0-9a-f]{64}$/.test(v1)) return 'has a v1 that is not hex';
  return 'must have the form t=<unix seconds>,v1=<64 hex digits> and nothing else';
}

function split(text: string): { seconds: string; signature: string } {
  const [seconds = '', signature = ''] = text.split(',').map((part) => part.split('=')[1] ?? '');
  return { seconds, signature };
}

function refuse(message: string): ReadHeader {
  return { faults: [fault(message)] };
}

function fault(message: string): SignatureFault {
  return { part: 'header', message: `the header ${message}` };
}
