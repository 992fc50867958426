import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
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

test('the raw bytes are signed, whatever they contain', async () => {
  const body = Buffer.from('{"textMsg":"é 😀 \\u0000"}');
  const v1 = await expectedSignature(SECRET, `1614265330.${body.toString()}`);
  assert.equal(signedHeaders({ ...REQUEST, body })['X-Service-Signature'], `t=1614265330,v1=${v1}`);
});

test('the package standardwebhooks accepts our signatures, with either secret of an overlap, and nothing else', () => {
  const [current, old, foreign] = ['current', 'old', 'foreign'].map(
    (name) => `whsec_${Buffer.from(`${name} secret of 32 bytes`.padEnd(32)).toString('base64')}`,
  ) as [string, string, string];
  // The package uses the machine's clock.
  const body = Buffer.from('{"type":"ping","data":{"message":"é 😀"}}');
  const request = { ...REQUEST, body, at: Date.now() };
  const plain = signedHeaders({ ...request, secrets: [current] });
  const overlapping = signedHeaders({ ...request, secrets: [current, old] });
  assert.deepEqual(new Webhook(current).verify(body, plain), JSON.parse(body.toString()));
  assert.throws(() => new Webhook(old).verify(body, plain), /No matching signature/);
  assert.deepEqual(new Webhook(current).verify(body, overlapping), JSON.parse(body.toString()));
  assert.deepEqual(new Webhook(old).verify(body, overlapping), JSON.parse(body.toString()));
  assert.throws(() => new Webhook(foreign).verify(body, overlapping), /No matching signature/);
  assert.throws(() => new Webhook(current).verify('{}', plain), /No matching signature/);
});
