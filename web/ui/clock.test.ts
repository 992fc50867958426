import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noteServerTime, onCorrection, serverNow } from './clock.ts';

const HOUR_MS = 3_600_000;
const headerOf = (at: number) => new Date(at).toUTCString();

test('a clock that is wrong, and then set right, is noticed by the answers of the server', (t) => {
  const start = Date.UTC(2026, 10, 30, 12);
  t.mock.timers.enable({ apis: ['Date'], now: start });
  let corrections = 0;
  onCorrection(() => corrections++);
  // A second and a half on the way, and a header without fractions.
  noteServerTime(headerOf(start + 2_000), start - 1_500);
  assert.deepEqual([serverNow() - start, corrections], [0, 0]);
  for (const [ahead, changes] of [
    [-24 * HOUR_MS, 1],
    [-24 * HOUR_MS, 1],
    [5 * HOUR_MS, 2],
    [0, 3],
  ] as const) {
    noteServerTime(headerOf(start + ahead), start);
    assert.deepEqual([serverNow() - start, corrections], [ahead, changes]);
  }
});

test('an answer without a time, or from before the device slept, says nothing', (t) => {
  const start = Date.UTC(2026, 10, 30, 12);
  t.mock.timers.enable({ apis: ['Date'], now: start });
  noteServerTime(null, start);
  noteServerTime('soon', start);
  t.mock.timers.tick(8 * HOUR_MS);
  noteServerTime(headerOf(start), start);
  assert.equal(serverNow(), start + 8 * HOUR_MS);
});
