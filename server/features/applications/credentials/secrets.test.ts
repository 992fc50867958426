import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { Keyring } from '#platform/crypto/keyring.ts';
import { hashSecret } from '#platform/crypto/random-secrets.ts';
import { systemRandom } from '#platform/random.ts';
import { makeClientSecret, makeWebhookSecret, openWebhookSecret, sealWebhookSecret } from './secrets.ts';

test('a client secret is 256 random bits in hex, and stored as its SHA-256', () => {
  const secret = makeClientSecret(systemRandom);
  assert.match(secret, /^xcs_[0-9a-f]{64}$/);
  assert.notEqual(secret, makeClientSecret(systemRandom));
  assert.deepEqual(hashSecret(secret), createHash('sha256').update(secret).digest());
});

test('a webhook secret is whsec_ and the base64 of 32 bytes', () => {
  const secret = makeWebhookSecret(systemRandom);
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.equal(Buffer.from(secret.slice(6), 'base64').length, 32);
  assert.notEqual(secret, makeWebhookSecret(systemRandom));
});

test('a sealed webhook secret can be opened for its own application only', () => {
  const keyring = new Keyring(new Map([[1, systemRandom.bytes(32)]]), systemRandom);
  const secret = makeWebhookSecret(systemRandom);
  const sealed = sealWebhookSecret(keyring, 'app_00000000000000000000000a', secret);
  assert.equal(sealed.webhookSecret.includes(secret), false);
  assert.equal(openWebhookSecret(keyring, 'app_00000000000000000000000a', sealed), secret);
  assert.equal(openWebhookSecret(keyring, 'app_00000000000000000000000b', sealed), undefined);
});
