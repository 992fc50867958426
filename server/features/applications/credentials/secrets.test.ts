import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { systemClock } from '#platform/clock.ts';
import { Keyring } from '#platform/crypto/keyring.ts';
import { createIds } from '#platform/ids.ts';
import { systemRandom } from '#platform/random.ts';
import {
  makeApiKey,
  makeWebhookSecret,
  openWebhookSecret,
  parseApiKey,
  sealWebhookSecret,
} from './secrets.ts';

const newId = createIds(systemClock, systemRandom);

test('a key is xk_live_ and 64 lower-case hex digits, identifies its application, and has 136 random bits', () => {
  for (let i = 0; i < 100; i++) {
    const id = newId('app');
    const [key, other] = [makeApiKey(id, systemRandom), makeApiKey(id, systemRandom)];
    assert.match(key, /^xk_live_[0-9a-f]{64}$/);
    const hash = createHash('sha256').update(key).digest();
    assert.deepEqual(parseApiKey(key), { id, hash, digits: key.slice(38) });
    assert.equal(other.slice(0, 38), key.slice(0, 38));
    assert.notEqual(other.slice(38), key.slice(38));
  }
});

test('anything but the exact format is not a key', () => {
  const key = makeApiKey(newId('app'), systemRandom);
  const others = [
    ...['', 'xk_live_', key.slice(0, -1), `${key}0`, `${key}\n`, ` ${key}`, key.toUpperCase()],
    ...[key.replace('xk_live_', 'xk_test_'), key.replace('xk_live_', 'xat_')],
    ...['g', 'A', '٠'].map((digit) => key.slice(0, -1) + digit),
  ];
  for (const token of others) assert.equal(parseApiKey(token), undefined, JSON.stringify(token));
});

test('a sealed webhook secret can be opened for its own application only', () => {
  const keyring = new Keyring(new Map([[1, systemRandom.bytes(32)]]), systemRandom);
  const secret = makeWebhookSecret(systemRandom);
  const sealed = sealWebhookSecret(keyring, 'app_00000000000000000000000a', secret);
  assert.equal(sealed.webhookSecret.includes(secret), false);
  assert.equal(openWebhookSecret(keyring, 'app_00000000000000000000000a', sealed), secret);
  assert.equal(openWebhookSecret(keyring, 'app_00000000000000000000000b', sealed), undefined);
});
