import assert from 'node:assert/strict';
import { test } from 'node:test';
import { albumHeight, rowsOfAlbum } from './album-grid.ts';

const [tall, square, wide, strip] = [
  { width: 800, height: 1200 },
  undefined,
  { width: 1200, height: 800 },
  { width: 9000, height: 100 },
];

test('an album is nearly square, with the larger pictures first', () => {
  const counts = (files: ({ width: number; height: number } | undefined)[]) =>
    rowsOfAlbum(files).map((row) => row.length);
  const squares = [2, 3, 4, 5, 6, 10].map((count) => counts(Array(count).fill(square)));
  assert.deepEqual(squares, [[2], [1, 2], [2, 2], [2, 3], [3, 3], [2, 2, 3, 3]]);
  assert.deepEqual(counts([wide, wide]), [1, 1]);
  assert.deepEqual(counts([wide, wide, wide]), [1, 2]);
  assert.deepEqual(counts([tall, tall]), [2]);
  assert.deepEqual(counts([tall, wide, wide]), [2, 1]);
});

test('an album of any length is laid out', () => {
  const rows = rowsOfAlbum(Array(200).fill(square));
  assert.equal(rows.flat().length, 200);
});

test('pictures of an album keep their ratio, except very long ones', () => {
  assert.deepEqual(rowsOfAlbum([tall, tall, strip]), [[800 / 1200, 800 / 1200], [16 / 9]]);
  assert.equal(albumHeight([wide, wide]), 384 / 1.5 + 384 / 1.5 + 3);
});
