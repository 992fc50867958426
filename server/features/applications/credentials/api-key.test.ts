import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { systemClock } from '#platform/clock.ts';
import { createIds, idFromHex, idToHex, isId } from '#platform/ids.ts';
import { systemRandom } from '#platform/random.ts';
import { makeApiKey, parseApiKey } from './secrets.ts';

const newId = createIds(systemClock, systemRandom);

test('a key is xk_live_ and 64 lower-case hex digits, and identifies its application', () => {
  for (let i = 0; i < 1000; i++) {
    const appId = newId('app');
    const key = makeApiKey(appId, systemRandom);
    assert.match(key, /^xk_live_[0-9a-f]{64}$/);
    assert.deepEqual(parseApiKey(key), {
      id: appId,
      hash: createHash('sha256').update(key).digest(),
      digits: key.slice(38),
    });
  }
});

test('two keys of one application differ in their 136 random bits', () => {
  const appId = newId('app');
  const [one, other] = [makeApiKey(appId, systemRandom), makeApiKey(appId, systemRandom)];
  assert.equal(one.slice(0, 38), other.slice(0, 38));
  assert.notEqual(one.slice(38), other.slice(38));
});

test('an id and its hex digits are two spellings of the same 120 bits', () => {
  assert.equal(idToHex('app_000000000000000000000000'), '0'.repeat(30));
  assert.equal(idToHex('app_zzzzzzzzzzzzzzzzzzzzzzzz'), 'f'.repeat(30));
  assert.equal(idToHex('app_00000000000000000000000g'), `${'0'.repeat(28)}10`);
  const digits = fc.string({
    minLength: 30,
    maxLength: 30,
    unit: fc.constantFrom(...'0123456789abcdef'),
  });
  fc.assert(
    fc.property(digits, (hex) => {
      const id = idFromHex('app', hex);
      return isId('app', id) && idToHex(id) === hex;
    }),
  );
});

test('anything but the exact format is not a key', () => {
  const key = makeApiKey(newId('app'), systemRandom);
  const others = [
    '',
    'xk_live_',
    key.slice(0, -1),
    `${key}0`,
    `${key}\n`,
    ` ${key}`,
    key.toUpperCase(),
    key.replace('xk_live_', 'xk_test_'),
    key.replace('xk_live_', 'xat_'),
    `${key.slice(0, -1)}g`,
    `${key.slice(0, -1)}A`,
    `${key.slice(0, -1)}٠`,
  ];
  for (const token of others) assert.equal(parseApiKey(token), undefined, JSON.stringify(token));
});
