import assert from 'node:assert/strict';
import { test } from 'node:test';
import { levelOf, waveformOf } from './loudness.ts';

test('a waveform has the peak of each part, relative to the overall peak', () => {
  assert.deepEqual(waveformOf([0, 0.1, 0.2, 0.4, 0, 0.1], 3), [25, 100, 25]);
  assert.deepEqual(waveformOf([0.3, 0.15], 56), [100, 50]);
  assert.deepEqual([waveformOf([]), waveformOf([0, 0])], [[], [0, 0]]);
  assert.equal(waveformOf(Array.from({ length: 7201 }, (_, i) => i % 5)).length, 56);
});

test('the level covers all samples, whatever their sign', () => {
  assert.equal(levelOf(new Float32Array([0.5, -0.5])), 0.5);
  assert.equal(levelOf(new Float32Array()), 0);
});
