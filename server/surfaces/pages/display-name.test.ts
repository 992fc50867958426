import assert from 'node:assert/strict';
import { test } from 'node:test';
import { displayName } from './display-name.ts';

test('bidi controls and other characters that hide or reorder text are removed from a name', () => {
  const controls = [
    0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069,
  ];
  const others = [0x00, 0x07, 0x7f, 0x85, 0xad, 0x180e, 0x200b, 0x2028, 0x2029, 0x2060, 0x206f, 0xfeff];
  for (const code of [...controls, ...others]) {
    const character = String.fromCodePoint(code);
    assert.equal(displayName(`Bank${character}App`, '-'), 'BankApp', code.toString(16));
  }
});

test('ordinary names are unchanged', () => {
  for (const name of ['Wetter-App', 'تطبيق الطقس', 'אפליקציה', '天気', 'Family 👨‍👩‍👧', 'नमस्ते क्‍ष', '!!!']) {
    assert.equal(displayName(name, '-'), name);
  }
});

test('white space is collapsed, and an invisible name is replaced', () => {
  assert.equal(displayName('  Weather \n\u00a0 App ', '-'), 'Weather App');
  for (const name of ['\u202e', ' \u2067\u2069 ', '\u200d', '\u0301', '\u00a0']) {
    assert.equal(displayName(name, 'an application without a name'), 'an application without a name');
  }
});
