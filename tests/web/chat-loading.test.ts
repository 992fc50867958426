import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '#testing/waits.ts';
import { enterWithBob } from './chat-scene.ts';
import { startWebScene, type WebScene } from './web-scene.ts';

let scene: WebScene;
before(async () => {
  scene = await startWebScene();
});
after(() => scene?.[Symbol.asyncDispose]());

/** Counts the reads of a page from now on, by their path. */
function countReads(page: Page): Map<string, number> {
  const counts = new Map<string, number>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== 'GET' || !pathname.startsWith('/api/')) return;
    counts.set(pathname, (counts.get(pathname) ?? 0) + 1);
  });
  return counts;
}

const READ_AT_LOAD = [
  'auth/profile',
  'auth/maintenance',
  'auth/announcements',
  'chat/stories',
  'chat/stories/mine',
];

test('a page that loads reads everything once, and after a gap of its stream again', async () => {
  await using ada = await enterWithBob(scene, 'Good morning');
  const { page } = ada;
  // A page whose stream takes long to open on a busy machine would read without it.
  await page.addInitScript(`{
    const start = setTimeout;
    setTimeout = (act, ms, ...rest) => (ms === 2_000 ? 0 : start(act, ms, ...rest));
  }`);
  const link = page.getByRole('link', { name: /Good morning/ });
  await link.waitFor();
  const counts = countReads(page);
  await page.reload();
  // The list is read once the stream is open: what would be read again then was asked for before the list is answered.
  await link.waitFor();
  const readsOf = () => READ_AT_LOAD.map((path) => `${path}: ${counts.get(`/api/${path}`)}`);
  assert.deepEqual(
    readsOf(),
    READ_AT_LOAD.map((path) => `${path}: 1`),
  );

  // Without its cursor, the stream begins anew.
  await page.route('**/api/chat/live*', (route) => {
    const url = new URL(route.request().url());
    url.search = '';
    return route.continue({ url: url.href });
  });
  await page.evaluate("dispatchEvent(new Event('offline')); dispatchEvent(new Event('online'))");
  await eventually(() => readsOf().every((reads) => reads.endsWith(': 2')));
});

test('a change between the first read and the opening of the stream is shown', async () => {
  await using ada = await enterWithBob(scene);
  const { page, bob } = ada;
  const opening = Promise.withResolvers<void>();
  await page.route('**/api/chat/live*', async (route) => {
    await opening.promise;
    await route.continue();
  });
  // Without a stream, the page reads after a while all the same.
  const [read] = await Promise.all([page.waitForResponse('**/api/chat/stories'), page.reload()]);
  await read.finished();
  await bob.calls.post('/api/chat/stories', { type: 'text', text: 'Hello' });
  opening.resolve();
  await page.getByRole('list', { name: 'Stories' }).getByText('Bob').waitFor();
});
