import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { settingsTable } from '#platform/config/table.ts';

test('the README’s table of settings is the one that the configuration gives', async () => {
  const readme = await readFile(new URL('README.md', import.meta.url), 'utf8');
  const shown = /<!-- settings:begin [^>]*-->\n([\s\S]*?)\n<!-- settings:end -->/.exec(readme)?.[1];
  assert.equal(shown, settingsTable());
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
