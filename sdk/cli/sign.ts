import { createHmac } from 'node:crypto';

/** An event as its webhook would receive it. */
export interface SignedEvent {
  secret: string;
  type: string;
  /** The same for every attempt. */
  eventId: string;
  body: string;
  /** Epoch milliseconds. */
  at: number;
}

/** The headers of a webhook, those of Standard Webhooks included. */
export function signedHeaders({ secret, type, eventId, body, at }: SignedEvent): Record<string, string> {
  const seconds = String(Math.floor(at / 1000));
  const v1 = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const standard = createHmac('sha256', key).update(`${eventId}.${seconds}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'user-agent': 'Parley-Webhooks/1',
    'x-service-event': type,
    'x-service-signature': `t=${seconds},v1=${v1}`,
    'webhook-id': eventId,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${standard}`,
  };
}
