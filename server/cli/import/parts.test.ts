import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '#contract/limits.ts';
import { inPieces, partsOf } from './parts.ts';
import { Report } from './report.ts';

test('a message has at most 32 parts, and the report counts those that are left out', () => {
  const report = new Report();
  const parts = partsOf({ text: 'x'.repeat(LIMITS.textLength * 33 + 1) }, report);
  assert.deepEqual([parts.length, parts.at(-1)?.part], [32, 31]);
  assert.deepEqual(report.counts, { 'long texts': 1, 'parts beyond 32 of a message': 2 });
});

test('code that is divided stays code, with its indentation', () => {
  const lines = Array.from({ length: 30 }, (_, i) => `    *line ${i}*`).join('\n');
  const pieces = inPieces(`See:\n\`\`\`\n${lines}\n\`\`\`\nend`, 100);
  assert.ok(pieces.length > 3);
  const code = pieces.map((piece) => {
    assert.ok(piece.length <= 100);
    const [before, inside = '', after, ...more] = piece.split('```');
    assert.deepEqual(more, [], `${before}|${after}`);
    return inside.replace(/^\n|\n$/g, '');
  });
  assert.equal(code.join('\n'), lines);
});
