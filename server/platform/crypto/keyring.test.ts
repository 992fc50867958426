import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { systemRandom } from '../random.ts';
import { formatKey, KEY_BYTES, Keyring, parseKeys } from './keyring.ts';

const CONTEXT = { table: 'messages', rowId: 'msg_1' };
const key = () => systemRandom.bytes(KEY_BYTES);
const keyringOf = (...keys: [id: number, key: Buffer][]) => new Keyring(new Map(keys), systemRandom);

test('a sealed value opens in its row, whatever its length', () => {
  const keyring = keyringOf([1, key()]);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 5000 }), (bytes) => {
      const plaintext = Buffer.from(bytes);
      assert.deepEqual(keyring.open(CONTEXT, keyring.seal(CONTEXT, plaintext)), plaintext);
    }),
  );
});

test('a ciphertext reveals nothing of the text, and is different each time', () => {
  const keyring = keyringOf([1, key()]);
  const text = Buffer.from('the quick brown fox');
  const sealed = Array.from({ length: 1000 }, () => keyring.seal(CONTEXT, text).ciphertext);
  assert.equal(new Set(sealed.map((ciphertext) => ciphertext.toString('hex'))).size, 1000);
  assert.equal(new Set(sealed.map((ciphertext) => ciphertext.subarray(0, 24).toString('hex'))).size, 1000);
  for (const ciphertext of sealed) assert.equal(ciphertext.includes('quick'), false);
});

test('it cannot be opened in another row or table', () => {
  const keyring = keyringOf([1, key()]);
  const sealed = keyring.seal(CONTEXT, Buffer.from('text'));
  for (const context of [
    { ...CONTEXT, rowId: 'msg_2' },
    { ...CONTEXT, table: 'stories' },
    { table: 'messages:msg_1', rowId: '' },
  ]) {
    assert.throws(() => keyring.open(context, sealed));
  }
});

test('a ciphertext that was changed or truncated does not open', () => {
  const keyring = keyringOf([1, key()]);
  const { keyId, ciphertext } = keyring.seal(CONTEXT, Buffer.from('text'));
  for (let at = 0; at < ciphertext.length; at++) {
    const changed = Buffer.from(ciphertext);
    changed[at] = (changed[at] as number) ^ 1;
    assert.throws(() => keyring.open(CONTEXT, { keyId, ciphertext: changed }), `${at}`);
  }
  for (let length = 0; length < ciphertext.length; length++) {
    assert.throws(
      () => keyring.open(CONTEXT, { keyId, ciphertext: ciphertext.subarray(0, length) }),
      `${length}`,
    );
  }
});

test('the key with the highest id seals, and older ones still open', () => {
  const [first, second] = [key(), key()];
  const old = keyringOf([1, first]);
  const sealed = old.seal(CONTEXT, Buffer.from('old'));
  const both = keyringOf([2, second], [1, first]);
  assert.equal(both.activeKeyId, 2);
  assert.equal(both.seal(CONTEXT, Buffer.from('new')).keyId, 2);
  assert.equal(String(both.open(CONTEXT, sealed)), 'old');
  assert.throws(() => both.open(CONTEXT, { ...sealed, keyId: 2 }));
  const without = keyringOf([2, second]);
  assert.throws(() => without.open(CONTEXT, sealed), { cause: 'encryption key 1 is not in the keyring' });
});

test('keys are separated by lines or commas, and written in the same format', () => {
  const [first, second] = [key(), key()];
  const text = formatKey(1, first) + formatKey(2, second);
  const keys = new Map([
    [1, first],
    [2, second],
  ]);
  assert.deepEqual(parseKeys(text), keys);
  assert.deepEqual(parseKeys(` ${text.trim().replace('\n', ' , ').toUpperCase()} `), keys);
});

test('malformed keys are refused, and the error contains no part of a key', () => {
  const hex = 'a'.repeat(64);
  const form = 'each key must have the form <id>:<64 hexadecimal digits>';
  for (const text of [
    hex,
    `1:${hex}0`,
    `1:${hex.slice(1)}`,
    `x:${hex}`,
    `-1:${hex}`,
    `10000:${hex}`,
    `1:${'g'.repeat(64)}`,
  ]) {
    assert.throws(() => parseKeys(text), new Error(form), text);
  }
  assert.throws(() => parseKeys(`1:${hex},1:${hex}`), new Error('key id 1 comes twice'));
  assert.throws(() => parseKeys(' ,\n'), new Error('there is no key in it'));
  assert.throws(() => keyringOf(), new Error('a keyring needs at least one key'));
});
