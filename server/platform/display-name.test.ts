import assert from 'node:assert/strict';
import { test } from 'node:test';
import { displayName } from './display-name.ts';

test('bidi controls and other characters that hide or reorder text are removed from a name', () => {
  const controls = [
    0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069,
  ];
  const others = [0x00, 0x07, 0x7f, 0x85, 0xad, 0x180e, 0x200b, 0x2060, 0x206f, 0xfeff];
  for (const code of [...controls, ...others]) {
    const character = String.fromCodePoint(code);
    assert.equal(displayName(`Bank${character}App`), 'BankApp', code.toString(16));
  }
});

test('ordinary names are unchanged', () => {
  for (const name of ['Wetter-App', 'تطبيق الطقس', 'אפליקציה', '天気', 'Family 👨‍👩‍👧', 'नमस्ते क्‍ष', '!!!']) {
    assert.equal(displayName(name), name);
  }
});

test('a name is one line, and none if nothing of it can be seen', () => {
  assert.equal(displayName('  Weather \n\u00a0\u2028 App '), 'Weather App');
  assert.equal(displayName('Ada\u3164\u3164\u3164\u2800'), 'Ada');
  const blank = ['\u115f', '\u1160', '\u2800', '\u3164', '\uffa0', '\ue000', '\u{e0061}', '\ufe0f'];
  for (const name of [...blank, '\u202e', ' \u2067\u2069 ', '\u200d', '\u0301', '\u00a0', ''])
    assert.equal(displayName(name), undefined, JSON.stringify(name));
});

test('a long name is cut between characters', () => {
  assert.equal(displayName('🦊'.repeat(65), 64), '🦊'.repeat(64));
  assert.equal(displayName(`${'x'.repeat(63)} y`, 64), 'x'.repeat(63));
});
