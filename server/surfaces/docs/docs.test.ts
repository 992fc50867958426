import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { after, before, test } from 'node:test';
import MiniSearch from 'minisearch';
import { columnOf, columnsOf } from '#testing/columns.ts';
import { expectErrors } from '#testing/logged-errors.ts';
import { createWorld, type World } from '#testing/world.ts';
import { type Library, readLibrary } from './library.ts';
import { renderMarkdown } from './markdown.ts';
import type { ApiDocument } from './reference/document.ts';
import { find, openSearch } from './search.js';

/** Rendering all pages takes longer than most tests, and no test changes any. */
let world: World;
let library: Library;
before(async () => {
  world = await createWorld({ publicUrl: 'https://chat.acme.test' });
  await world.app.ready();
  library = await readLibrary(world.app.swagger() as object as ApiDocument);
});
after(() => world[Symbol.asyncDispose]());

test('every page has one heading, our style and policy, and an entry in the list of pages', async () => {
  const { parts, byAddress } = library;
  assert.deepEqual(columnOf(parts, 'title'), ['Guide', 'API reference', 'Operating Parley']);
  const addresses = ['/docs/', ...byAddress.keys()];
  assert.ok(addresses.length >= 20);
  const home = await world.app.inject('/docs/');
  for (const address of addresses) {
    const page = await world.app.inject(address);
    assert.equal(page.statusCode, 200, address);
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
    assert.match(page.body, /^<!doctype html>\n<html lang="en">/);
    assert.equal(page.body.match(/<h1>/g)?.length, 1, address);
    const ids = [...page.body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length, address);
    assert.equal(page.headers['cross-origin-opener-policy'], 'same-origin');
    assert.match(String(page.headers['permissions-policy']), /\bcamera=\(\)/);
    const policy = String(page.headers['content-security-policy']);
    assert.match(policy, /default-src 'none'; script-src 'self';/);
    assert.doesNotMatch(/script-src[^;]*/.exec(policy)?.[0] ?? '', /unsafe/);
    assert.ok(address === '/docs/' || home.body.includes(`href="${address}"`), `${address} is listed`);
  }
});

test('pages load nothing from elsewhere, run no inline script, and have no dead links', async () => {
  const found = new Map<string, { statusCode: number; body: string }>();
  /** Each address once: every page links to all others. */
  const open = async (url: string) => {
    const known = found.get(url) ?? (await world.app.inject(url));
    found.set(url, known);
    return known;
  };
  const missing = new Set<string>();
  for (const address of ['/docs/', ...library.byAddress.keys()]) {
    const { body } = await open(address);
    for (const [, attributes, script] of body.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)) {
      assert.match(attributes as string, / src="\/docs\//);
      assert.equal((script as string).trim(), '');
    }
    for (const [, url = ''] of body.matchAll(/<(?:script|link|img)[^>]* (?:src|href)="([^"]+)"/g)) {
      assert.equal((await open(url)).statusCode, 200, url);
    }
    for (const [, url = ''] of body.matchAll(/<a [^>]*href="([^"]+)"/g)) {
      // The chat and the console exist only in a build.
      if (/^https:|^\/$|^\/console/.test(url)) continue;
      const [path, anchor] = url.split('#');
      const page = path ? await open(path) : { statusCode: 200, body };
      const isThere = page.statusCode === 200 && (!anchor || page.body.includes(` id="${anchor}"`));
      if (!isThere) missing.add(`${address}: ${url}`);
    }
  }
  assert.deepEqual([...missing], []);
});

test('the search knows every section of every page and every operation, each by an address that exists', async () => {
  const found = (await world.app.inject('/docs/search.json')).json() as Record<string, string>[];
  const ids = found.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ['/docs/guide/webhooks#verify-the-signature', '/docs/operate/backup', '/docs/changelog'])
    assert.ok(ids.includes(id), id);
  const sending = found.find(({ id }) => id === '/docs/reference/messages#sendMessage');
  assert.match(sending?.['text'] ?? '', /^POST \/v1\/messages sendMessage /);
  assert.ok(found.every(({ title, heading, text }) => title && heading && text !== undefined));
});

test('the search finds what people look for, in their words and with their typos', async () => {
  const index = openSearch(MiniSearch, (await world.app.inject('/docs/search.json')).json());
  const firstOf = (query: string) => find(index, query)[0]?.['id'];
  assert.deepEqual(Object.fromEntries(Object.keys(SOUGHT).map((query) => [query, firstOf(query)])), SOUGHT);
  // Every object has properties of these names.
  for (const word of ['constructor', 'valueOf']) assert.notDeepEqual(find(index, `${word} bot`), [], word);
});

test('pages that could not be read once are read again', async (t) => {
  expectErrors(/too many open files/);
  await using fresh = await createWorld();
  const { mock } = t.mock.method(fs, 'readFile', async () => {
    throw new Error('too many open files');
  });
  syncBuiltinESMExports();
  assert.equal((await fresh.app.inject('/docs/guide/')).statusCode, 500);
  mock.restore();
  syncBuiltinESMExports();
  assert.equal((await fresh.app.inject('/docs/guide/')).statusCode, 200);
});

const SOUGHT = {
  polling: '/docs/guide/events',
  'send a photo': '/docs/guide/recipes#send-a-photo',
  createPoll: '/docs/reference/polls#createPoll',
  signatur: '/docs/guide/webhooks#verify-the-signature',
  singature: '/docs/guide/webhooks#verify-the-signature',
  examples: '/docs/guide/examples',
  completion: '/docs/guide/cli#completion',
  telegram: '/docs/guide/coming-from',
};

test('the examples appear on their page exactly as they run', async () => {
  const { body } = await world.app.inject('/docs/guide/examples');
  const signs: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" };
  const shown = body.replaceAll(/<[^>]*>/g, '').replaceAll(/&([#\w]+);/g, (_, name) => signs[name] ?? '');
  const files = globSync('examples/*.ts');
  assert.ok(files.length >= 4);
  for (const file of files) {
    assert.ok(shown.includes(readFileSync(file, 'utf8').trim()), file);
  }
});

test('the reference shows each error with its HTTP status', async () => {
  const { body } = await world.app.inject('/docs/reference/messages');
  const [, errors = ''] = /aria-label="Errors: Send a private message">([\s\S]*?)<\/table>/.exec(body) ?? [];
  const statuses = [...errors.matchAll(/<tr><td>(.*?)<\/td>/g)].map(([, status]) => status);
  assert.ok(statuses.length > 10);
  assert.deepEqual(
    statuses.filter((status) => !/^[45]\d\d$/.test(status as string)),
    [],
  );
});

test('every page shows the address of its server', async () => {
  const { byAddress } = library;
  const bodies = [...byAddress.values()].map(({ address, body }) => ({ address, body }));
  const foreign = bodies.filter(({ body }) => /localhost:3000|parley\.example/.test(body));
  assert.deepEqual(columnOf(foreign, 'address'), []);
  const quickstart = byAddress.get('/docs/guide/quickstart')?.body ?? '';
  assert.match(quickstart, /base=https:\/\/chat\.acme\.test/);
});

test('former addresses are redirected', async () => {
  for (const [from, to] of [
    ['/docs', '/docs/'],
    ['/docs/guide', '/docs/guide/'],
    ['/docs/reference', '/docs/reference/'],
  ] as const) {
    const answer = await world.app.inject(from);
    assert.equal(answer.statusCode, 302);
    assert.equal(answer.headers.location, to);
  }
  const missing = await world.app.inject('/docs/guide/nothing');
  assert.deepEqual([missing.statusCode, missing.headers['content-type']], [404, 'text/html; charset=utf-8']);
  assert.match(missing.body, /There is no such page[\s\S]*href="\/docs\/guide\/quickstart"/);
});

test('raw HTML is escaped, links lead to where files are served, and files that are not served are not links', () => {
  const page = renderMarkdown(
    '# A <b>title</b>\n\n<img src=x onerror=alert(1)>\n\n<!-- kept -->\n\n[one](one.md#part) [two](two.md)\n\n## Part & more\n\n`<i>`\n\n## Part & more\n',
    'docs/guide/page.md',
    (file) => (file === 'docs/guide/one.md' ? '/docs/guide/one' : undefined),
  );
  assert.doesNotMatch(page.body, /<(b|img|i)\b|<!--/);
  assert.match(page.body, /<a href="\/docs\/guide\/one#part">one<\/a> two/);
  assert.match(page.body, /<h2 id="part--more">Part &amp; more /);
  assert.deepEqual(columnsOf(page.sections, 'anchor', 'heading'), [
    ['', 'A <b>title</b>'],
    ['part--more', 'Part & more'],
    ['part--more-1', 'Part & more'],
  ]);
});
