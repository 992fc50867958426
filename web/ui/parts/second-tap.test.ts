import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSecondTap } from './second-tap.ts';

test('the second of two taps on one toggle within half a second is recognised; on another one it counts', () => {
  const [one, other] = [new EventTarget(), new EventTarget()];
  const taps: [EventTarget, number][] = [
    [one, 1000],
    [one, 1040],
    [other, 1050],
    [one, 1499],
    [one, 1500],
  ];
  assert.deepEqual(
    taps.map(([currentTarget, timeStamp]) => isSecondTap({ currentTarget, timeStamp })),
    [false, true, false, true, false],
  );
});
