import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toColumns } from './columns.ts';

test('a table may have any number of rows, and each column is as wide as its longest cell', () => {
  const rows = Array.from({ length: 300_000 }, (_, i) => [String(i), 'name']);
  const lines = toColumns(rows).split('\n');
  assert.deepEqual([lines[0], lines.at(-1)], ['0       name', '299999  name']);
});
