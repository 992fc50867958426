import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { paced } from './paced.ts';

test('what is only for show comes half as often while the process has no time left', async () => {
  while (paced(100) === 100) await nextTurn();
  assert.equal(paced(100), 200);
  while (paced(100) === 200) await pause(50);
  assert.equal(paced(100), 100);
});
