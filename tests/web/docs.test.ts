import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openWindow } from '../chromium.ts';
import { checkScreen, checkWidth, startWebScene, VIEWS } from './web-scene.ts';

const scene = await startWebScene(undefined, { isOptimizing: true });
after(() => scene[Symbol.asyncDispose]());

test('every page is accessible and fits the window, on phones and desktops, light and dark', async () => {
  await using visit = await openWindow(scene.chromium, { baseURL: scene.origin });
  const { page, complaints } = visit;
  await page.goto('/docs/');
  const all = (await page.evaluate(
    "[...new Set([...document.querySelectorAll('#pages a')].map((link) => link.pathname))].filter((path) => path.startsWith('/docs/'))",
  )) as string[];
  assert.ok(all.length > 30);
  const [desktop, , phone] = VIEWS;
  const checkedOnPhones = new Set<string>();
  for (const path of ['/docs/', ...all]) {
    await page.setViewportSize(desktop.viewport);
    await page.goto(path);
    await page.getByRole('searchbox').waitFor();
    await checkScreen(page, 'any');
    await page.setViewportSize(phone.viewport);
    await checkWidth(page);
    // Phones only rearrange the same elements: the page frame, which is the same in each folder.
    const folder = path.slice(0, path.lastIndexOf('/'));
    if (!checkedOnPhones.has(folder)) await checkScreen(page, 'any');
    checkedOnPhones.add(folder);
  }
  assert.deepEqual(complaints, []);
});

test('the search finds a section by keyboard alone, with requests only to this server', async () => {
  await using visit = await openWindow(scene.chromium, { baseURL: scene.origin });
  const { page, complaints } = visit;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto('/docs/');
  await page.getByRole('searchbox').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('constant time');
  const first = page.getByRole('listitem').filter({ hasText: 'Webhooks: Verify the signature' });
  await first.waitFor();
  await checkScreen(page, 'any');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/guide/webhooks#verify-the-signature');
  await page.getByRole('searchbox').fill('POST /v1/polls/vote');
  await page.getByRole('link', { name: 'Polls: Vote in a poll' }).first().click();
  await page.waitForURL('**/docs/reference/polls#votePoll');
  assert.deepEqual(
    asked.filter((url) => !url.startsWith(scene.origin) && !url.startsWith('data:')),
    [],
  );
  assert.deepEqual(complaints, []);
});

test('choosing a language, also by keyboard, changes every sample, and is remembered', async () => {
  await using visit = await openWindow(scene.chromium, { baseURL: scene.origin });
  const { page, complaints } = visit;
  await page.goto('/docs/reference/messages');
  const sample = (language: string) =>
    page.getByRole('group', { name: `Send a group message with ${language}` });
  await sample('curl').waitFor();
  await page.getByRole('radio', { name: 'curl' }).first().focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await sample('Python').waitFor();
  assert.equal(await sample('curl').isVisible(), false);
  assert.match(await sample('Python').innerText(), /"http:\/\/localhost:\d+\/v1\/messages\/group"/);
  await page.getByRole('link', { name: 'Next Groups' }).click();
  await page.getByRole('group', { name: 'Create a group or broadcast list with Python' }).waitFor();
  assert.deepEqual(complaints, []);
});

test('without scripts all pages work, including the operations; only the search is hidden', async () => {
  await using visit = await openWindow(scene.chromium, { javaScriptEnabled: false, baseURL: scene.origin });
  const { page } = visit;
  await page.goto('/docs/guide/');
  await page.getByRole('main').getByRole('link', { name: 'Webhooks', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  assert.equal(await page.getByRole('searchbox').isVisible(), false);
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Messages' }).click();
  await page.waitForURL('**/docs/reference/messages');
  const radio = page.getByRole('radio', { name: 'Go' }).first();
  await radio.check({ force: true });
  await page.getByRole('group', { name: 'Send a private message with Go' }).waitFor();
});

test('a button copies an example', async () => {
  await using visit = await openWindow(scene.chromium, {
    baseURL: scene.origin,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const { page } = visit;
  await page.goto('/docs/guide/webhooks');
  const figure = page.getByRole('figure').filter({ hasText: 'verify.py' });
  await figure.getByRole('button', { name: 'Copy' }).click();
  await figure.getByRole('button', { name: 'Copied' }).waitFor();
  assert.match(
    (await page.evaluate('navigator.clipboard.readText()')) as string,
    /^import base64\nimport hashlib\n/,
  );
});
