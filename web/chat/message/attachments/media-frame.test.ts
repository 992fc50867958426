import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frameOf } from './media-frame.ts';

test('a picture keeps its ratio within 320 × 420, and a very long or small one gets a frame that can be touched', () => {
  const frame = (width: number, height: number, more = {}) =>
    Object.values(frameOf({ type: 'image', fileDetails: { width, height }, ...more }));
  assert.deepEqual(frame(1200, 800), [320, 213]);
  assert.deepEqual(frame(800, 1200), [280, 420]);
  assert.deepEqual(frame(200, 100), [200, 100]);
  assert.deepEqual(frame(3000, 100), [320, 56]);
  assert.deepEqual(frame(100, 3000), [96, 420]);
  assert.deepEqual(frame(1, 1), [96, 56]);
  assert.deepEqual(frame(1, 1, { caption: 'tiny' }), [240, 56]);
  assert.deepEqual(frame(64, 36, { type: 'video' }), [320, 180]);
  assert.deepEqual(frameOf({ type: 'gif' }), { width: 320, height: 208 });
});
