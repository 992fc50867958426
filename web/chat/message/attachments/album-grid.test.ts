import assert from 'node:assert/strict';
import { test } from 'node:test';
import { albumHeight, rowsOfAlbum } from './album-grid.ts';

test('an album fills its rows, the larger pictures first', () => {
  const rows = [2, 3, 4, 5, 6, 10].map(rowsOfAlbum);
  assert.deepEqual(rows, [[2], [1, 2], [1, 3], [2, 3], [3, 3], [1, 3, 3, 3]]);
  assert.deepEqual([albumHeight(2), albumHeight(3)], [163, 374]);
});
