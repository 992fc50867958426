import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exceededLimit, formsOf } from './forms.ts';

const MB = 1024 * 1024;

test('a HEIC picture is sent as a document, since browsers do not display it', () => {
  assert.deepEqual(formsOf({ type: 'image/heic' }), ['doc']);
  assert.deepEqual(formsOf({ type: 'image/jpeg' }), ['image', 'doc']);
});

test('the size limit of a file depends on the form in which it is sent', () => {
  assert.equal(exceededLimit({ size: 10 * MB }, 'image'), undefined);
  assert.equal(exceededLimit({ size: 10 * MB + 1 }, 'sticker'), 10 * MB);
  assert.equal(exceededLimit({ size: 11 * MB }, 'doc'), undefined);
  assert.equal(exceededLimit({ size: 60 * MB }, 'video'), 50 * MB);
});
