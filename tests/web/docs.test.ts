import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openWindow } from '../chromium.ts';
import { checkScreen, startWebScene, VIEWS, type WebScene } from './web-scene.ts';

let scene: WebScene;

before(async () => {
  scene = await startWebScene();
});
after(() => scene?.[Symbol.asyncDispose]());

test('every kind of page is accessible and fits, on phones and desktops, light and dark', async () => {
  await using visit = await openWindow(scene.chromium, { javaScriptEnabled: true, baseURL: scene.origin });
  const { page, complaints } = visit;
  for (const path of [
    '/docs/',
    '/docs/guide/webhooks',
    '/docs/guide/errors',
    '/docs/operate/configuration',
  ]) {
    await page.goto(path);
    for (const { viewport, colorScheme } of VIEWS) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await page.getByRole('searchbox').waitFor();
      await checkScreen(page);
    }
  }
  assert.deepEqual(complaints, []);
});

test('the search finds a section by keyboard alone, and asks nobody but this server', async () => {
  await using visit = await openWindow(scene.chromium, { javaScriptEnabled: true, baseURL: scene.origin });
  const { page, complaints } = visit;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto('/docs/');
  await page.getByRole('searchbox').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('constant time');
  const first = page.getByRole('listitem').filter({ hasText: 'Webhooks: Prove that it is ours' });
  await first.waitFor();
  await checkScreen(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/guide/webhooks#prove-that-it-is-ours');
  await page.getByRole('searchbox').fill('POST /v1/polls/vote');
  await page.getByRole('link', { name: 'POST /v1/polls/vote' }).first().click();
  await page.waitForURL('**/docs/reference/#/**');
  assert.deepEqual(
    asked.filter((url) => !url.startsWith(scene.origin) && !url.startsWith('data:')),
    [],
  );
  assert.deepEqual(complaints, []);
});

test('the reference draws every operation and webhook in the same frame', async () => {
  await using visit = await openWindow(scene.chromium, { javaScriptEnabled: true, baseURL: scene.origin });
  const { page, complaints } = visit;
  await page.goto('/docs/reference/#/webhooks/onPing');
  await page.locator('#operations-webhooks-onPing.is-open').waitFor();
  const { paths, webhooks } = (await (await fetch(`${scene.origin}/openapi.json`)).json()) as {
    paths: Record<string, object>;
    webhooks: Record<string, object>;
  };
  const operations = Object.values({ ...paths, ...webhooks }).flatMap((path) => Object.values(path));
  assert.equal(await page.locator('.opblock').count(), operations.length);
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await pages.getByRole('link', { name: 'Webhooks' }).click();
  await page.waitForURL('**/docs/guide/webhooks');
  assert.deepEqual(complaints, []);
});

test('without scripts all pages are there, the operations too; only the search is not shown', async () => {
  await using visit = await openWindow(scene.chromium, { baseURL: scene.origin });
  const { page } = visit;
  await page.goto('/docs/guide/');
  await page.getByRole('main').getByRole('link', { name: 'Webhooks' }).click();
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  assert.equal(await page.getByRole('searchbox').isVisible(), false);
  await page.getByRole('link', { name: 'API reference' }).first().click();
  await page.getByText('POST /v1/messages', { exact: true }).waitFor();
});

test('an example is copied by its button', async () => {
  await using visit = await openWindow(scene.chromium, {
    javaScriptEnabled: true,
    baseURL: scene.origin,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const { page } = visit;
  await page.goto('/docs/guide/webhooks');
  const figure = page.getByRole('figure').filter({ hasText: 'verify.py' });
  await figure.getByRole('button', { name: 'Copy' }).click();
  await figure.getByRole('button', { name: 'Copied' }).waitFor();
  assert.match((await page.evaluate('navigator.clipboard.readText()')) as string, /^import hashlib\n/);
});
