import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addLatencies, countLatency, emptyLatencies, percentileMs } from './tallies.ts';

test('percentiles come from counts, and counts of several processes are added', () => {
  assert.equal(percentileMs(emptyLatencies(), 0.5), undefined);
  const [one, other] = [emptyLatencies(), emptyLatencies()];
  for (let i = 0; i < 95; i++) countLatency(one, 4.5);
  for (let i = 0; i < 5; i++) countLatency(other, 900);
  addLatencies(one, other);
  assert.equal(percentileMs(one, 0.5), 4.1);
  assert.equal(percentileMs(one, 0.95), 5);
  assert.equal(percentileMs(one, 0.96), 800);
  countLatency(other, 60_000);
  assert.equal(percentileMs(other, 1), 10_000);
});
