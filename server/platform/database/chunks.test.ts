import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inChunks } from './chunks.ts';

test('rows keep their order, in parts of 64, 32, 16, 8, 4, 2 and 1', () => {
  const rows = Array.from({ length: 200 }, (_, i) => i);
  for (const count of [0, 1, 2, 63, 64, 65, 200]) {
    const chunks = inChunks(rows.slice(0, count));
    assert.deepEqual(chunks.flat(), rows.slice(0, count));
  }
  assert.deepEqual(
    inChunks(rows.slice(0, 151)).map(({ length }) => length),
    [64, 64, 16, 4, 2, 1],
  );
});
