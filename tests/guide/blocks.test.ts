import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { marked, type Token } from 'marked';
import { readGuidePages, readNamedFiles } from './pages.ts';

interface Block {
  page: string;
  /** The text after the opening fence; also empty for indented blocks. */
  info: string;
  text: string;
}

const documentation = [...globSync('*.md'), ...globSync('{docs,sdk,deploy,examples,bench}/**/*.md')]
  .filter((page) => !page.includes('node_modules'))
  .sort();

async function readBlocks(page: string): Promise<Block[]> {
  const blocks: Block[] = [];
  marked.walkTokens(marked.lexer(await readFile(page, 'utf8')), (token: Token) => {
    if (token.type === 'code') blocks.push({ page, info: token['lang'] ?? '', text: token['text'] });
  });
  return blocks;
}

const blocks = (await Promise.all(documentation.map(readBlocks))).flat();

/**
 * Where a block without a name is run or checked, by its folder or page and its kind. Commands that no test runs have the reason before
 * them; of settings of programs that are not run, the page says so.
 */
const TESTED: Record<string, string> = {
  'docs/guide/ sh': 'tests/guide/commands.test.ts',
  'docs/guide/ sh host': 'tests/operate/host.ts',
  'docs/guide/ json': 'tests/guide/programs.test.ts',
  'docs/guide/ yaml': 'tests/guide/programs.test.ts',
  'docs/guide/coming-from.md js': 'not run',
  'docs/guide/mcp.md json': 'server/surfaces/mcp/guide.test.ts',
  'docs/guide/openid.md apache': 'server/surfaces/oauth/openid-programs.test.ts',
  'docs/guide/openid.md ini': 'not run',
  'docs/guide/incoming-webhooks.md text': 'not run',
  'docs/operate/ sh': 'tests/operate/docs.test.ts',
  'docs/operate/ sh host': 'tests/operate/host.ts',
  'docs/operate/ ini': 'tests/operate/docs.test.ts',
  'docs/operate/ json': 'tests/operate/docs.test.ts',
  'docs/operate/ sql': 'tests/operate/docs.test.ts',
  'sdk/README.md js': 'tests/sdk/runtimes.test.ts',
  'sdk/README.md sh': 'tests/sdk/runtimes.test.ts',
  'README.md sh': 'tests/guide/blocks.test.ts',
  'CONTRIBUTING.md sh': 'tests/guide/blocks.test.ts',
  'CONTRIBUTING.md text': 'tests/guide/blocks.test.ts',
};

test('every code block in the documentation is run or checked by a test, or its page says that it is not', async () => {
  const named = new Set((await readNamedFiles(await readGuidePages())).map(({ name }) => name));
  const used = new Set<string>();
  for (const { page, info } of blocks) {
    const [, name = ''] = info.split(' ');
    if (page.startsWith('docs/guide/') && named.has(name)) continue;
    const folder = page.slice(0, page.lastIndexOf('/') + 1);
    const kind = [`${page} ${info}`, `${folder} ${info}`].find((one) => one in TESTED);
    assert.ok(kind, `${page}: a block "${info}" that no test runs or checks`);
    used.add(kind);
    if (TESTED[kind] === 'not run') assert.match(await readFile(page, 'utf8'), /\bnot run\b/, page);
    else assert.ok(existsSync(String(TESTED[kind])), TESTED[kind]);
  }
  assert.deepEqual([...used].sort(), Object.keys(TESTED).sort());
});

test('the tests read every page of the guide', async () => {
  const pages = globSync('docs/guide/*.md').filter((page) => page !== 'docs/guide/README.md');
  assert.deepEqual((await readGuidePages()).toSorted(), pages.sort());
});

const linesOf = (page: string, info: string) =>
  blocks.filter((one) => one.page === page && one.info === info).flatMap(({ text }) => text.split('\n'));

test('the commands in README and CONTRIBUTING are scripts of the project, on existing files', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));
  const lines = ['README.md', 'CONTRIBUTING.md'].flatMap((page) => linesOf(page, 'sh'));
  assert.ok(lines.length >= 6);
  for (const line of lines) {
    const [program, ...words] = line.replace(/ +#.*/, '').split(' ');
    if (program === 'npm') assert.ok(String(words.find((word) => word !== 'run')) in scripts, line);
    else assert.deepEqual([program, words[0]], ['node', '--test']);
    for (const word of words) if (word.includes('/')) assert.ok(existsSync(word), line);
  }
});

test('the folders and files in CONTRIBUTING exist', () => {
  let folder = '';
  const named: string[] = [];
  for (const line of linesOf('CONTRIBUTING.md', 'text')) {
    const [, indent = '', name] = /^(| {2})(\w\S*)(?: |$)/.exec(line) ?? [];
    if (!name) continue;
    if (indent === '') folder = name;
    named.push(indent === '' ? name : folder + name);
  }
  assert.ok(named.length > 15);
  assert.deepEqual(
    named.filter((path) => !existsSync(path)),
    [],
  );
});
