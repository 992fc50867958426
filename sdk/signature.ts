/** Why a webhook was refused. */
export type RefusalReason = 'malformed' | 'stale' | 'forged';

/**
 * A request that did not come from the service, or not now, or not as it left it.
 *
 * @example
 * try {
 *   await verifySignature({ secret: webhookSecret, signature: 't=1,v1=00', body: '{}' });
 * } catch (error) {
 *   if (error instanceof WebhookRefused) console.log(error.reason);
 * }
 */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** What arrived, as it arrived. */
export interface SignedBody {
  /** The application's webhook secret, as the console showed it. */
  secret: string;
  /** The header `X-Service-Signature`. */
  signature: string | null | undefined;
  /** The raw body: the bytes, or their text; JSON that was parsed and written again does not match. */
  body: Uint8Array | string;
  /** Epoch milliseconds; the present when left out. */
  now?: number;
}

const TOLERANCE_SECONDS = 300;

/**
 * Checks the signature of a webhook in constant time, and that it is at most 300 s old (contract §6).
 *
 * @throws WebhookRefused
 * @example
 * await verifySignature({ secret: webhookSecret, signature: headers['x-service-signature'], body: rawBody });
 */
export async function verifySignature({
  secret,
  signature,
  body,
  now = Date.now(),
}: SignedBody): Promise<void> {
  const match = /^t=(\d{1,12})((?:,v1=[0-9a-f]{64}){1,8})$/.exec(signature ?? '');
  if (!match) throw new WebhookRefused('malformed', 'the signature header is missing or malformed');
  const [, seconds, signatures] = match as unknown as [string, string, string];
  const bytes = new TextEncoder();
  const raw = typeof body === 'string' ? bytes.encode(body) : body;
  const prefix = bytes.encode(`${seconds}.`);
  const signed = new Uint8Array(prefix.length + raw.length);
  signed.set(prefix);
  signed.set(raw, prefix.length);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes.encode(secret), algorithm, false, ['verify']);
  // While an old secret signs along there are two signatures; one that fits is enough.
  const verdicts = await Promise.all(
    signatures
      .split(',v1=')
      .slice(1)
      .map((hex) => crypto.subtle.verify('HMAC', key, fromHex(hex), signed)),
  );
  if (!verdicts.includes(true)) {
    throw new WebhookRefused('forged', 'the signature does not fit the body and the secret');
  }
  if (Math.abs(now / 1000 - Number(seconds)) > TOLERANCE_SECONDS) {
    throw new WebhookRefused(
      'stale',
      `the signature is more than ${TOLERANCE_SECONDS} s away from the present`,
    );
  }
}

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
