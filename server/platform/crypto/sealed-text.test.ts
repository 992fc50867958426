import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemRandom } from '../random.ts';
import { KEY_BYTES, Keyring } from './keyring.ts';
import { openText, sealText } from './sealed-text.ts';

const CONTEXT = { table: 'tickets', rowId: 'device:acc_1' };
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

test('a sealed text opens only unchanged', () => {
  const keyring = new Keyring(new Map([[1, systemRandom.bytes(KEY_BYTES)]]), systemRandom);
  // Three lengths, so that the last character uses 6, 4 and 2 bits.
  for (const value of [{ a: 1 }, { a: 12 }, { a: 123 }]) {
    const text = sealText(keyring, CONTEXT, value);
    assert.deepEqual(openText(keyring, CONTEXT, text), value);
    for (let i = 0; i < text.length; i++) {
      for (const character of ALPHABET) {
        const changed = text.slice(0, i) + character + text.slice(i + 1);
        if (changed !== text) assert.equal(openText(keyring, CONTEXT, changed), undefined, changed);
      }
    }
    for (const changed of [
      `0${text}`,
      ` ${text}`,
      `${text}=`,
      `${text}\n`,
      text.slice(0, -1),
      'NaN.AAAA',
      '1',
      '',
    ]) {
      assert.equal(openText(keyring, CONTEXT, changed), undefined, changed);
    }
  }
});
