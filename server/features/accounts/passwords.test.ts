import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemRandom } from '#platform/random.ts';
import { hashPassword, isPassword } from './passwords.ts';

test('a password is stored as a PHC string with the parameters that OWASP recommends, salted each time', async () => {
  const [one, other] = await Promise.all([
    hashPassword(systemRandom, 'correct horse'),
    hashPassword(systemRandom, 'correct horse'),
  ]);
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  assert.notEqual(one, other);
  assert.equal(await isPassword('correct horse', one), true);
  assert.equal(await isPassword('correct Horse', one), false);
  assert.equal(await isPassword('', one), false);
});

test('a hash of the argon2 reference implementation is accepted', async () => {
  // From its test.c: hashtest(version, 2, 16, 1, "password", "somesalt", …).
  const hash = Buffer.from('09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7', 'hex');
  const [saltText, hashText] = [Buffer.from('somesalt'), hash].map((bytes) =>
    bytes.toString('base64').replaceAll('=', ''),
  );
  const reference = `$argon2id$v=19$m=65536,t=2,p=1$${saltText}$${hashText}`;
  assert.equal(await isPassword('password', reference), true);
  assert.equal(await isPassword('passwore', reference), false);
});

test('the same letter typed on another keyboard is the same password', async () => {
  const composed = await hashPassword(systemRandom, 'caf\u00e9 noir');
  assert.equal(await isPassword('cafe\u0301 noir', composed), true);
  assert.equal(await isPassword('cafe noir', composed), false);
});

test('without a stored hash, no password is right', async () => {
  assert.equal(await isPassword('', undefined), false);
  assert.equal(await isPassword('anything', undefined), false);
});
