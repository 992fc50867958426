import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockLength } from './length.ts';

test('a duration has minutes and seconds, and hours if any', () => {
  assert.deepEqual([0, 6_700, 59_600, 754_000, 3_723_000].map(clockLength), [
    '0:00',
    '0:07',
    '1:00',
    '12:34',
    '1:02:03',
  ]);
});
