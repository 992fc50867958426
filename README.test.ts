import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { settingsTable } from '#platform/config/table.ts';

test('the README’s table of settings is the one that the configuration gives', async () => {
  const readme = await readFile(new URL('README.md', import.meta.url), 'utf8');
  const shown = /<!-- settings:begin [^>]*-->\n([\s\S]*?)\n<!-- settings:end -->/.exec(readme)?.[1];
  assert.equal(shown, settingsTable());
});
