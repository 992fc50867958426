/** Why a webhook was refused. */
export type RefusalReason = 'malformed' | 'stale' | 'forged';

/**
 * A request that the service did not send, or not recently, or not with this body.
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

/** The request as received. */
export interface SignedBody {
  /** The application's webhook secret, as the console showed it. */
  secret: string;
  /** The header `X-Service-Signature`. */
  signature: string | null | undefined;
  /**
   * The headers `webhook-id` and `webhook-signature`: with them the previous secret is accepted, too, while the owner lets
   * it overlap with the newest.
   */
  standard?: { id: string | null | undefined; signature: string | null | undefined };
  /** The raw body, as bytes or text; JSON that was parsed and serialized again does not match. */
  body: Uint8Array | string;
  /** Epoch milliseconds; defaults to now. */
  now?: number;
}

const TOLERANCE_SECONDS = 300;
/** The service sends at most two. */
const MOST_SIGNATURES = 8;

/**
 * Checks the signature of a webhook in constant time, and that its time is at most 300 s from the clock.
 *
 * @throws WebhookRefused
 * @example
 * await verifySignature({ secret: webhookSecret, signature: headers['x-service-signature'], body: rawBody });
 */
export async function verifySignature({
  secret,
  signature,
  standard,
  body,
  now = Date.now(),
}: SignedBody): Promise<void> {
  const [isFormed, seconds = '', v1 = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature ?? '') ?? [];
  if (!isFormed) throw new WebhookRefused('malformed', 'the signature header is missing or malformed');
  const isGenuine =
    (await isSignedBy(encode(secret), { prefix: `${seconds}.`, body, signature: fromHex(v1) })) ||
    (standard !== undefined && (await isSignedForStandard(standard, { secret, seconds, body })));
  if (!isGenuine)
    throw new WebhookRefused(
      'forged',
      'the signature does not match the body and the secret: probably another secret, or the body was parsed before it was verified',
    );
  if (Math.abs(now / 1000 - Number(seconds)) > TOLERANCE_SECONDS) {
    throw new WebhookRefused(
      'stale',
      `the signature is more than ${TOLERANCE_SECONDS} s away from the current time`,
    );
  }
}

/** Standard Webhooks: base64 of each signature, keyed with the decoded bytes of the secret. */
async function isSignedForStandard(
  { id, signature: list }: NonNullable<SignedBody['standard']>,
  { secret, seconds, body }: Pick<SignedBody, 'secret' | 'body'> & { seconds: string },
): Promise<boolean> {
  const key = fromBase64(secret.replace(/^whsec_/, ''));
  if (!id || !list || !key) return false;
  const prefix = `${id}.${seconds}.`;
  const signatures = list.split(' ').flatMap((one) => {
    const signature = one.startsWith('v1,') ? fromBase64(one.slice(3)) : undefined;
    return signature ? [signature] : [];
  });
  const verdicts = await Promise.all(
    signatures.slice(0, MOST_SIGNATURES).map((signature) => isSignedBy(key, { prefix, body, signature })),
  );
  return verdicts.includes(true);
}

async function isSignedBy(
  key: Uint8Array<ArrayBuffer>,
  {
    prefix,
    body,
    signature,
  }: { prefix: string; signature: Uint8Array<ArrayBuffer> } & Pick<SignedBody, 'body'>,
): Promise<boolean> {
  // A shared buffer would do as well, whatever the types say.
  const signed = await new Blob([prefix, body as Uint8Array<ArrayBuffer> | string]).arrayBuffer();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['verify']);
  return crypto.subtle.verify('HMAC', imported, signature, signed);
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** Undefined if it is not base64, or empty. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
