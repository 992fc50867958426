import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { BUCKETS } from '#platform/ids.ts';
import { systemRandom } from '#platform/random.ts';
import { makeLinkToken, readLinkToken } from './tokens.ts';

test('a token of any bucket is read as it was made', () => {
  for (const bucket of [0, 1, BUCKETS - 1]) {
    const { token, tokenHash } = makeLinkToken(bucket, systemRandom);
    assert.deepEqual(readLinkToken(token), { bucket, tokenHash });
    assert.deepEqual(tokenHash, createHash('sha256').update(token).digest());
  }
});

test('what cannot be a token is not read', () => {
  const { token } = makeLinkToken(7, systemRandom);
  const { token: beyond } = makeLinkToken(BUCKETS, systemRandom);
  for (const text of [
    '',
    token.slice(1),
    `${token}A`,
    `A${token}`,
    `${token.slice(1)}!`,
    `${token}\n`,
    beyond,
  ])
    assert.equal(readLinkToken(text), undefined, text);
});
