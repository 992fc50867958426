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

// server/surfaces/docs/docs.test.ts follows those to the reference, which has no file.
test('every relative link of a document leads to a file, and to a heading in it', () => {
  const links = globSync(['*.md', 'docs/**/*.md']).flatMap((page) =>
    Array.from(
      readFileSync(page, 'utf8').matchAll(/\]\((?!https?:|mailto:|\/)([^)#\s]*)(?:#([^)\s]*))?/g),
      ([link, path, anchor]) => ({ link, page, file: path ? join(dirname(page), path) : page, anchor }),
    ),
  );
  const broken = links.filter(
    ({ file, anchor }) => !existsSync(file) || (anchor !== undefined && !headingsOf(file).includes(anchor)),
  );
  assert.deepEqual(
    broken.map(({ page, link }) => `${page}: ${link}`),
    [],
  );
});

function headingsOf(file: string): string[] {
  return Array.from(readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}
