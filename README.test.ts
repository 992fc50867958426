import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { settingsTable } from '#platform/config/shown.ts';

test('each setting in the README is described as in the table of all', async () => {
  const rows = (await readFile('README.md', 'utf8')).match(/^\| `[A-Z].*$/gm) ?? [];
  assert.equal(rows.length, 10);
  const all = settingsTable().split('\n');
  for (const row of rows) assert.ok(all.includes(row), row);
});

test('every relative link of a document leads to a file', () => {
  const broken = globSync(['*.md', 'docs/**/*.md']).flatMap((path) =>
    Array.from(
      readFileSync(path, 'utf8').matchAll(/\]\((?!https?:|mailto:|#|\/)([^)#\s]+)/g),
      ([, link = '']) => ({ path, link }),
    )
      .filter(({ link }) => !existsSync(join(dirname(path), link)))
      .map(({ path, link }) => `${path}: ${link}`),
  );
  assert.deepEqual(broken, []);
});
