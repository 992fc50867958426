import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { type SignedBody, verifySignature, WebhookRefused } from './index.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const now = 1_795_236_845_210;
const seconds = Math.floor(now / 1000);
const body = '{"type":"message.received","data":{"textMsg":"é 😀","sentAt":1.0}}';

function sign(text: string | Buffer, { at = seconds, key = secret } = {}): string {
  return createHmac('sha256', key).update(`${at}.`).update(text).digest('hex');
}

function header(text: string | Buffer, given: { at?: number; key?: string } = {}): string {
  return `t=${given.at ?? seconds},v1=${sign(text, given)}`;
}

async function reason(given: Partial<SignedBody>) {
  try {
    await verifySignature({ secret, signature: header(body), body, now, ...given });
    return 'accepted';
  } catch (error) {
    assert.ok(error instanceof WebhookRefused);
    return error.reason;
  }
}

test('a body signed by the service is accepted, as bytes and as text', async () => {
  assert.equal(await reason({}), 'accepted');
  assert.equal(await reason({ body: Buffer.from(body) }), 'accepted');
  const bytes = Buffer.from([0xff, 0xfe, 0x00]);
  assert.equal(await reason({ body: bytes, signature: header(bytes) }), 'accepted');
});

test('JSON that was parsed and serialized again is refused', async () => {
  assert.equal(await reason({ body: JSON.stringify(JSON.parse(body)) }), 'forged');
  assert.equal(await reason({ body: JSON.stringify(JSON.parse(body), null, 2) }), 'forged');
  assert.equal(await reason({ body: `${body}\n` }), 'forged');
});

test('a forged signature is refused, whichever digit is wrong', async () => {
  const genuine = sign(body);
  for (let i = 0; i < 64; i++) {
    const digit = genuine[i] === '0' ? '1' : '0';
    const forged = `${genuine.slice(0, i)}${digit}${genuine.slice(i + 1)}`;
    assert.equal(await reason({ signature: `t=${seconds},v1=${forged}` }), 'forged');
  }
  assert.equal(await reason({ signature: header(body, { key: 'another secret' }) }), 'forged');
  assert.equal(await reason({ signature: `t=${seconds + 1},v1=${genuine}` }), 'forged', 'another time');
  assert.equal(await reason({ signature: header('{}') }), 'forged', 'another body');
});

test('a timestamp is valid for 300 s in either direction', async () => {
  for (const [at, expected] of [
    [seconds - 300, 'accepted'],
    [seconds + 300, 'accepted'],
    [seconds - 301, 'stale'],
    [seconds + 301, 'stale'],
    [0, 'stale'],
  ] as const) {
    assert.equal(
      await reason({ signature: header(body, { at }), now: seconds * 1000 }),
      expected,
      String(at),
    );
  }
});

test('a malformed header is refused', async () => {
  const v1 = sign(body);
  const headers = [
    undefined,
    null,
    '',
    'undefined',
    `v1=${v1}`,
    `t=${seconds}`,
    `t=${seconds},v1=`,
    `t=${seconds},v1=${v1.slice(1)}`,
    `t=${seconds},v1=${v1}0`,
    `t=${seconds},v1=${v1.toUpperCase()}`,
    `t=${seconds}, v1=${v1}`,
    `t=-${seconds},v1=${v1}`,
    `t=${seconds}.0,v1=${v1}`,
    `t=${seconds},v0=${v1}`,
    `t=${seconds},v1=${v1},`,
    `t=${seconds},v1=${v1}\n`,
    `t=${seconds},v1=${v1},v1=${v1}`,
    `xt=${seconds},v1=${v1}`,
    `t=${'1'.repeat(13)},v1=${v1}`,
  ];
  for (const signature of headers) {
    const given = { secret, signature, body, now };
    await assert.rejects(
      verifySignature(given),
      { name: 'WebhookRefused', reason: 'malformed' },
      String(signature),
    );
  }
});

const newest = `whsec_${Buffer.from('the newest secret').toString('base64')}`;
const id = 'msg_1';

/** A signature of Standard Webhooks. */
function standardOf(key: string, { text = body, of = id } = {}): string {
  return `v1,${createHmac('sha256', Buffer.from(key.replace('whsec_', ''), 'base64'))
    .update(`${of}.${seconds}.${text}`)
    .digest('base64')}`;
}

test('while two secrets overlap, the Standard Webhooks headers still accept the previous one', async () => {
  const signature = header(body, { key: newest });
  const overlap = `${standardOf(newest)} ${standardOf(secret)}`;
  assert.equal(await reason({ signature }), 'forged');
  assert.equal(await reason({ signature, standard: { id, signature: overlap } }), 'accepted');
  assert.equal(await reason({ signature, standard: { id, signature: standardOf(secret) } }), 'accepted');
  const late = { now: now + 301_000, standard: { id, signature: overlap } };
  assert.equal(await reason({ signature, ...late }), 'stale');
  const eight = `${'v1,AAAA '.repeat(7)}${standardOf(secret)}`;
  assert.equal(await reason({ signature, standard: { id, signature: eight } }), 'accepted');
});

test('what is no Standard Webhooks signature of this secret, body and id is refused', async () => {
  const signature = header(body, { key: newest });
  const genuine = standardOf(secret);
  const refused: NonNullable<SignedBody['standard']>[] = [
    { id, signature: standardOf(newest) },
    { id, signature: standardOf(secret, { text: '{}' }) },
    { id: 'msg_2', signature: genuine },
    { id: null, signature: standardOf(secret, { of: 'null' }) },
    { id, signature: undefined },
    { id, signature: 'v1,é v2,AAAA' },
    { id, signature: genuine.replace('v1', 'v2') },
    ...['v1,', 'v1,AAAAA', 'v1,A===', `v1,${'!'.repeat(4)}`].map((text) => ({ id, signature: text })),
    { id, signature: `${'v1,AAAA '.repeat(8)}${genuine}` },
  ];
  for (const standard of refused)
    assert.equal(await reason({ signature, standard }), 'forged', JSON.stringify(standard));
  const misplaced = secret.replace('whsec_MfKQ', 'MfKQwhsec_');
  for (const other of ['no base64 at all', 'whsec_', misplaced])
    assert.equal(await reason({ secret: other, signature, standard: { id, signature: genuine } }), 'forged');
});
