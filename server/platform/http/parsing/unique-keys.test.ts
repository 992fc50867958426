import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findRepeatedKey } from './unique-keys.ts';

test('a duplicate key is found at any depth and in any spelling', () => {
  assert.equal(findRepeatedKey('{"a":1,"a":1}'), 'a');
  assert.equal(findRepeatedKey('{"a":1,"\\u0061":1}'), 'a');
  assert.equal(findRepeatedKey('[{"b":{"c":[{"d":1,"d":2}]}}]'), 'd');
  assert.equal(findRepeatedKey('{"\\"":1,"x":":","\\"":2}'), '"');
  assert.equal(findRepeatedKey('{"":1,"":2}'), '');
});

test('the output of JSON.stringify has no duplicate keys', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.equal(findRepeatedKey(JSON.stringify(value)), undefined);
    }),
  );
  assert.equal(findRepeatedKey('{"a":{"b":1},"c":{"b":":{}"},"b":"\\\\"}'), undefined);
});
