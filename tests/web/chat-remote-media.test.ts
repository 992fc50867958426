import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { uploadImage } from './chat-people.ts';
import { introduce, openChat, PIXEL, say, write } from './chat-scene.ts';
import { checkScreen, type Person, startWebScene, type WebScene } from './web-scene.ts';

const CDN = 'https://cdn.example.com';

/** A server that belongs to nobody here: what a page asks of it. */
async function watchCdn(page: Page): Promise<string[]> {
  const asked: string[] = [];
  await page.context().route(`${CDN}/**`, (route) => {
    asked.push(new URL(route.request().url()).pathname.slice(1));
    return route.fulfill({ body: PIXEL, contentType: 'image/png' });
  });
  return asked;
}

/** Eve has sent, set and published whatever an address of another server can be given for. */
async function createScene(scene: WebScene) {
  const ada = await scene.enter('/', { name: 'Ada' });
  const eve = await scene.person('Eve');
  const { conversationId } = await introduce(ada.calls, eve.calls);
  const to = ada.accountId;
  for (const [type, more] of [
    ['image', {}],
    ['gif', {}],
    ['sticker', {}],
    ['video', { thumbnailUrl: `${CDN}/thumbnail` }],
    ['audio', {}],
    ['doc', {}],
  ] as const)
    await eve.calls.post('/api/chat/messages', { to, type, fileUrl: `${CDN}/${type}`, ...more });
  await eve.calls.patch('/api/auth/profile', { pictureUrl: `${CDN}/face` });
  await eve.calls.post('/api/chat/stories', { type: 'image', imageUrl: `${CDN}/story` });
  await eve.calls.post('/api/chat/groups', {
    name: 'Eve and others',
    members: [to],
    photoUrl: `${CDN}/photo`,
  });
  return { ada, eve, conversationId };
}

const unloaded = (page: Page) => page.getByRole('button', { name: /^Load / });

async function choose(page: Page, label: string): Promise<void> {
  await page.goto('/settings/media');
  await page.getByRole('radio', { name: label }).check();
  await page.getByText('Saved').waitFor();
}

/** Opens a page, until the rule is known there and what it lets load has been asked for. */
async function open(page: Page, path: string): Promise<void> {
  const rule = page.waitForResponse('**/api/chat/remote-media');
  await page.goto(path);
  await (await rule).finished();
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

test('no stranger’s server is asked for anything until somebody clicks, and then for that alone', async () => {
  await using scene = await startWebScene();
  const { ada, eve, conversationId } = await createScene(scene);
  await using _ = ada;
  const { page } = ada;
  const asked = await watchCdn(page);
  for (const path of [
    '/',
    `/c/${conversationId}`,
    `/c/${conversationId}/info`,
    `/stories/${eve.accountId}`,
  ]) {
    await open(page, path);
    await checkScreen(page);
    assert.deepEqual(asked, [], path);
  }
  await unloaded(page).click();
  await page.getByRole('img', { name: 'Picture of the story' }).waitFor();
  assert.deepEqual(asked, ['story']);

  await openChat(page, conversationId);
  await unloaded(page).nth(4).waitFor();
  assert.deepEqual(await unloaded(page).allTextContents(), [
    'Load picture',
    'Load picture',
    'Load sticker',
    'Load video',
    'Load audio',
  ]);
  await page.getByText('cdn.example.com would learn your IP address.').first().waitFor();
  await page.getByText('Download from cdn.example.com').waitFor();
  await unloaded(page).first().click();
  await page.getByRole('button', { name: 'Enlarge the picture: Photo' }).waitFor();
  assert.equal(await page.evaluate('document.activeElement !== document.body'), true);
  assert.deepEqual(asked, ['story', 'image']);
  await unloaded(page).filter({ hasText: 'video' }).click();
  await page.getByLabel('Video', { exact: true }).waitFor();
  assert.equal(asked.includes('thumbnail'), false);
});

test('whoever was written to is known: what they send, set and publish loads, uploads always do', async () => {
  await using scene = await startWebScene();
  const { ada, eve, conversationId } = await createScene(scene);
  await using _ = ada;
  const { page } = ada;
  await watchCdn(page);
  await openChat(page, conversationId);
  await unloaded(page).nth(4).waitFor();
  const loaded = ['image', 'gif', 'sticker', 'thumbnail', 'face', 'photo'].map((name) =>
    page.waitForRequest(`${CDN}/${name}`),
  );
  await write(page, 'Now I know you.');
  await Promise.all(loaded);
  assert.equal(await unloaded(page).count(), 0);
  await page.goto(`/stories/${eve.accountId}`);
  await page.getByRole('img', { name: 'Picture of the story' }).waitFor();
});

test('a person chooses that everything loads, or nothing, and every open page keeps to it', async () => {
  await using scene = await startWebScene();
  const { ada, eve, conversationId } = await createScene(scene);
  await using _ = ada;
  const { page } = ada;
  const asked = await watchCdn(page);
  const settings = await page.context().newPage();
  await settings.goto('/settings/media');
  assert.equal(await settings.getByRole('radio', { name: 'From people I know' }).isChecked(), true);
  await checkScreen(settings);
  await openChat(page, conversationId);
  await unloaded(page).nth(4).waitFor();
  await choose(settings, 'Always');
  await unloaded(page).first().waitFor({ state: 'detached' });

  await say(ada.calls, eve.accountId, 'Now I know you.');
  await choose(settings, 'On a click');
  await unloaded(page).nth(4).waitFor();
  asked.length = 0;
  for (const path of ['/', `/c/${conversationId}`]) {
    await open(page, path);
  }
  assert.deepEqual(asked, []);
  const upload = await uploadImage(page, scene.origin, PIXEL, 'upload.png');
  await ada.calls.post('/api/chat/messages', { to: eve.accountId, type: 'image', fileUrl: upload });
  await page.locator(`img[src="${upload}"]`).waitFor();
});

test('links of others show the host that they lead to', async () => {
  await using scene = await startWebScene();
  await using ada = await scene.enter('/', { name: 'Ada' });
  const eve: Person = await scene.person('Eve');
  const { conversationId } = await introduce(ada.calls, eve.calls, 'See https://аррӏе.com/login');
  const caption = 'or https://bank.example@evil.example/\u202Egpj.exe';
  await eve.calls.post('/api/chat/messages', {
    to: ada.accountId,
    type: 'doc',
    fileUrl: `https://пример.example/${encodeURIComponent('a\u202Efdp.exe')}`,
    caption,
  });
  await openChat(ada.page, conversationId);
  const links = ada.page.getByRole('log').getByRole('link');
  await links.nth(2).waitFor();
  assert.deepEqual(await links.allTextContents(), [
    'https://xn--80ak6aa92e.com/login',
    'afdp.exeDownload from xn--e1afmkfd.example',
    'https://evil.example/%E2%80%AEgpj.exe',
  ]);
});
