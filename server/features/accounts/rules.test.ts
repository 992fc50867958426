import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PASSWORD_LENGTH } from '#contract/accounts.ts';
import {
  DEVICE_LIFETIME_MS,
  findServiceName,
  isRecent,
  isUseWorthWriting,
  PASSKEY_TICKET_MS,
  readCode,
  readEmail,
  requirePasswordLength,
  SECOND_STEP_MS,
  SESSION_LIFETIME_MS,
  sessionExpiry,
} from './rules.ts';

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];

test('an address is read without what is not part of it, and found as version 0.2 kept it', () => {
  assert.deepEqual(readEmail(' < Ada.L@Example.com. >\n'), {
    address: 'Ada.L@Example.com',
    uniqueName: 'ada.l@example.com',
    storedNames: [
      '< ada.l@example.com. >',
      'ada.l@example.com',
      '<ada.l@example.com>',
      'ada.l@example.com.',
      '<ada.l@example.com.>',
    ],
  });
  assert.equal(readEmail('a@b').storedNames[0], 'a@b');
  // As some programs copy it.
  const pasted = readEmail('\u200b <ada@example.com\u2060>');
  assert.deepEqual([pasted.address, pasted.uniqueName], ['ada@example.com', 'ada@example.com']);
  assert.ok(pasted.storedNames.includes('\u200b <ada@example.com\u2060>'));
  assert.equal(readEmail('jose\u0301@example.com').address, 'jos\u00e9@example.com');
});

test('what cannot be an address is refused under the name of its field', () => {
  const none = [
    '',
    '@',
    'a',
    '@b',
    'a@',
    'a@b..',
    'a@.',
    'a b@c',
    'a@b c',
    'a@b@c',
    'a\u0000@b',
    'a@b\u0000',
  ];
  for (const text of [...none, 'x<a@b>', '<a@b>x', '<a@b', 'a>@b', 'a@b>', 'a@<b', 'x a@b', 'a@b x'])
    assert.throws(() => readEmail(text, 'work'), { status: 400, message: /^work / }, JSON.stringify(text));
  assert.throws(() => readEmail(''), { message: /^email / });
});

test('a password is measured in characters, not in units of UTF-16', () => {
  const { min, max } = PASSWORD_LENGTH;
  for (const length of [min, max]) requirePasswordLength('😀'.repeat(length));
  for (const length of [min - 1, max + 1])
    assert.throws(() => requirePasswordLength('😀'.repeat(length)), {
      status: 400,
      message: new RegExp(`${min}.*${max}`),
    });
});

test('a session ends 14 days after its last use, and 90 days after its beginning', () => {
  assert.equal(sessionExpiry(0, DAY_MS), 15 * DAY_MS);
  assert.equal(sessionExpiry(0, 76 * DAY_MS), 90 * DAY_MS);
  assert.equal(sessionExpiry(0, 80 * DAY_MS), 90 * DAY_MS);
  assert.equal(isUseWorthWriting(1, MINUTE_MS), false);
  assert.equal(isUseWorthWriting(0, MINUTE_MS), true);
});

test('other times of signing in', () => {
  assert.equal(SESSION_LIFETIME_MS, 90 * DAY_MS);
  assert.equal(DEVICE_LIFETIME_MS, 180 * DAY_MS);
  assert.equal(PASSKEY_TICKET_MS, 5 * MINUTE_MS);
  assert.equal(SECOND_STEP_MS, 10 * MINUTE_MS);
  assert.equal(isRecent(MINUTE_MS, 11 * MINUTE_MS), true);
  assert.equal(isRecent(MINUTE_MS, 11 * MINUTE_MS + 1), false);
});

test('the name of the service is found in a username', () => {
  assert.equal(findServiceName('my_parley_bot', { serviceName: undefined }), 'Parley');
  assert.equal(findServiceName('my_acme_bot', { serviceName: 'Acme' }), 'Acme');
  assert.equal(findServiceName('my_parley_bot', { serviceName: 'Acme' }), undefined);
});

test('a code is read whatever groups its characters, and nothing else is one', () => {
  assert.deepEqual(readCode(' 123-456\t'), { kind: 'time', code: '123456' });
  const recovery = { kind: 'recovery', code: '0123efghjkmnpqtz' };
  assert.deepEqual(readCode('0123 EFGH-jkmn-pqtz'), recovery);
  const others = ['12345', '1234567', 'a123456', '0123efghjkmnpqt', '0123efghjkmnpqtzz', 'i123efghjkmnpqtz'];
  for (const text of ['', ...others]) assert.equal(readCode(text), undefined, text);
});
