import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exceededLimit, formsOf } from './forms.ts';

const MB = 1024 * 1024;

test('a file has the forms in which the server shows it; what browsers do not display is a document', () => {
  for (const [type, ...forms] of [
    ['image/jpeg', 'image', 'doc'],
    ['image/png', 'image', 'sticker', 'doc'],
    ['image/gif', 'gif', 'doc'],
    ['video/quicktime', 'video', 'doc'],
    ['audio/x-m4a', 'audio', 'doc'],
    // Firefox's name of the type of every .ogg file.
    ['video/ogg', 'audio', 'doc'],
    ['image/heic', 'doc'],
    ['image/tiff', 'doc'],
    ['image/bmp', 'doc'],
    ['image/svg+xml', 'doc'],
    ['video/x-matroska', 'doc'],
    ['audio/aiff', 'doc'],
    ['', 'doc'],
  ] as const)
    assert.deepEqual(formsOf({ type }), forms, type);
});

test('the size limit of a file depends on the form in which it is sent', () => {
  assert.equal(exceededLimit({ size: 10 * MB }, 'image'), undefined);
  assert.equal(exceededLimit({ size: 10 * MB + 1 }, 'sticker'), 10 * MB);
  assert.equal(exceededLimit({ size: 11 * MB }, 'doc'), undefined);
  assert.equal(exceededLimit({ size: 60 * MB }, 'video'), 50 * MB);
});
