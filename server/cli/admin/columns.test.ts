import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printable, toColumns } from './columns.ts';

test('a table may have any number of rows, and each column is as wide as its longest cell', () => {
  const rows = Array.from({ length: 300_000 }, (_, i) => [String(i), 'name']);
  const lines = toColumns(rows).split('\n');
  assert.deepEqual([lines[0], lines.at(-1)], ['0       name', '299999  name']);
});

test('a text by people cannot move the cursor; the joiners of emoji and Persian stay', () => {
  assert.equal(printable('a\u001b[2J\u009b\u202e\u2028b\nc'), 'a�[2J���b�c');
  assert.equal(printable('علی\u200cرضا 👩\u200d🚀'), 'علی\u200cرضا 👩\u200d🚀');
});
