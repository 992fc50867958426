import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signedHeaders } from './attempt.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const REQUEST = {
  secrets: [SECRET] as const,
  eventId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  type: 'message.received',
  body: Buffer.from('{"test": 2432232314}'),
  at: 1_614_265_330_999,
  serviceName: undefined,
};

/** The contract's signature, computed by Web Crypto instead of the server's implementation. */
async function expectedSignature(secret: string, signed: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', Buffer.from(secret), algorithm, false, ['sign']);
  return Buffer.from(await crypto.subtle.sign('HMAC', key, Buffer.from(signed))).toString('hex');
}

test('an attempt carries both signatures, that of Standard Webhooks as in its own documentation', async () => {
  const v1 = await expectedSignature(SECRET, '1614265330.{"test": 2432232314}');
  assert.deepEqual(signedHeaders(REQUEST), {
    'Content-Type': 'application/json',
    'User-Agent': 'Parley-Webhooks/1',
    'X-Service-Event': 'message.received',
    'X-Service-Signature': `t=1614265330,v1=${v1}`,
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
  assert.match(v1, /^[0-9a-f]{64}$/);
});

test('a named service also sends the same event and signature in headers with its own name', () => {
  const plain = signedHeaders(REQUEST);
  assert.deepEqual(signedHeaders({ ...REQUEST, serviceName: 'Acme' }), {
    ...plain,
    'X-Acme-Event': plain['X-Service-Event'],
    'X-Acme-Signature': plain['X-Service-Signature'],
  });
});
