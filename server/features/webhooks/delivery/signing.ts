import { hmacSha256 } from '#platform/crypto/hmac.ts';

export interface SignedRequest {
  /** As displayed to the developer: `whsec_` and base64. The newest first; an older one signs for Standard Webhooks only. */
  secrets: readonly [newest: string, ...older: string[]];
  /** The same for every attempt, different for every event of a receiver. */
  eventId: string;
  type: string;
  body: Buffer;
  /** Time of the attempt in epoch milliseconds. */
  at: number;
  serviceName: string | undefined;
}

/**
 * Headers of one attempt (contract §6; decisions: Webhooks). The contract's signature is keyed with the secret
 * as it is displayed; that of Standard Webhooks with the decoded bytes of its base64 part. The contract's
 * header always has one `v1`: a receiver that parses it strictly would refuse two.
 */
export function signedHeaders(request: SignedRequest): Record<string, string> {
  const { secrets, eventId, type, body, at, serviceName } = request;
  const seconds = String(Math.floor(at / 1000));
  const signature = `t=${seconds},v1=${signatureOf(secrets[0], seconds, body)}`;
  const standardSignatures = secrets.map(
    (secret) => `v1,${standardSignatureOf(secret, `${eventId}.${seconds}.`, body)}`,
  );
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Parley-Webhooks/1',
    'X-Service-Event': type,
    'X-Service-Signature': signature,
    ...(serviceName && { [`X-${serviceName}-Event`]: type, [`X-${serviceName}-Signature`]: signature }),
    'webhook-id': eventId,
    'webhook-timestamp': seconds,
    'webhook-signature': standardSignatures.join(' '),
  };
}

/** The `v1` of the contract's header: hex, keyed with the secret as it is displayed. */
export function signatureOf(secret: string | Buffer, seconds: string, body: Buffer): string {
  const key = typeof secret === 'string' ? Buffer.from(secret) : secret;
  return hmacSha256(key, { prefix: `${seconds}.`, body }, 'hex');
}

function standardSignatureOf(secret: string, prefix: string, body: Buffer): string {
  return hmacSha256(Buffer.from(secret.replace(/^whsec_/, ''), 'base64'), { prefix, body }, 'base64');
}
