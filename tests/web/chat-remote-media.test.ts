import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '#testing/waits.ts';
import { uploadFile } from './chat-people.ts';
import { introduce, openChat, PIXEL, say, write } from './chat-scene.ts';
import { checkScreen, type Person, startWebScene, until, VIEWS, type WebScene } from './web-scene.ts';

const CDN = 'https://cdn.example.com';

/** A third-party server that records the requests of a page. */
async function watchCdn(page: Page): Promise<string[]> {
  const asked: string[] = [];
  await page.context().route(`${CDN}/**`, (route) => {
    asked.push(new URL(route.request().url()).pathname.slice(1));
    return route.fulfill({ body: PIXEL, contentType: 'image/png' });
  });
  return asked;
}

/** Eve has sent, set and published every kind of remote media. */
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

/** Opens a page, and waits until the rule is loaded and the media that it allows are requested. */
async function open(page: Page, path: string): Promise<void> {
  const rule = page.waitForResponse('**/api/chat/remote-media');
  await page.goto(path);
  await (await rule).finished();
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

test('nothing is loaded from a stranger’s server before a click, and then only that file', async () => {
  await using scene = await startWebScene();
  const { ada, eve, conversationId } = await createScene(scene);
  await using _ = ada;
  const { page } = ada;
  const asked = await watchCdn(page);
  // All messages are in view: axe misjudges the contrast of what the edge of the thread cuts off.
  await page.setViewportSize({ width: 1280, height: 1400 });
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
  await eventually(() => asked.length > 0);
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
  await until(page, 'document.activeElement !== document.body');
  await eventually(() => asked.length > 1);
  assert.deepEqual(asked, ['story', 'image']);
  await unloaded(page).filter({ hasText: 'video' }).click();
  // It is no video, as its reader is told as soon as it is there.
  await eventually(() => asked.includes('video'));
  assert.equal(asked.includes('thumbnail'), false);
});

test('people the reader has written to are contacts, whose media load; uploads always load', async () => {
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

test('people can choose that everything loads, or nothing, and every open page obeys', async () => {
  await using scene = await startWebScene();
  const { ada, eve, conversationId } = await createScene(scene);
  await using _ = ada;
  const { page } = ada;
  const asked = await watchCdn(page);
  const settings = await page.context().newPage();
  await settings.goto('/settings/media');
  assert.equal(await settings.getByRole('radio', { name: 'From people I know' }).isChecked(), true);
  await checkScreen(settings);
  // A choice that cannot be saved is not shown as if it were.
  await settings.route('**/api/auth/profile', (route) => route.abort());
  await settings.getByRole('radio', { name: 'Always' }).click();
  await settings.getByRole('alert').waitFor();
  await settings.getByRole('radio', { name: 'From people I know', checked: true }).waitFor();
  await settings.unroute('**/api/auth/profile');
  await openChat(page, conversationId);
  await unloaded(page).nth(4).waitFor();
  await choose(settings, 'Always');
  await unloaded(page).first().waitFor({ state: 'detached' });

  await say(ada.calls, eve.accountId, 'Now I know you.');
  await choose(settings, 'On click');
  await unloaded(page).nth(4).waitFor();
  // Its list may have come while everything loaded.
  await settings.close();
  asked.length = 0;
  for (const path of ['/', `/c/${conversationId}`]) {
    await open(page, path);
  }
  assert.deepEqual(asked, []);
  const upload = await uploadFile(page, scene.origin, 'image', PIXEL, 'upload.png');
  await ada.calls.post('/api/chat/messages', { to: eve.accountId, type: 'image', fileUrl: upload });
  await page.locator(`img[src="${upload}"]`).waitFor();
});

test('links from others show their host', async () => {
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

test('maps are shown to those who agreed to them, from the operator’s tile server', async () => {
  const asked: { path: string; referer: string | undefined }[] = [];
  await using tiles = createServer(({ url = '', headers }, reply) => {
    asked.push({ path: url, referer: headers.referer });
    reply.setHeader('content-type', 'image/png').end(PIXEL);
  });
  await new Promise<void>((resolve) => tiles.listen(0, '127.0.0.1', resolve));
  await using scene = await startWebScene({
    MAP_TILE_URL: `http://127.0.0.1:${(tiles.address() as AddressInfo).port}/{z}/{x}/{y}.png`,
    MAP_ATTRIBUTION: '© Our own survey',
  });
  await using ada = await scene.enter('/', { name: 'Ada' });
  const eve = await scene.person('Eve');
  const { conversationId } = await introduce(ada.calls, eve.calls);
  const location = { latitude: 48.8584, longitude: 2.2945, name: 'Eiffel Tower' };
  await eve.calls.post('/api/chat/messages', { to: ada.accountId, type: 'location', location });
  const { page } = ada;
  await openChat(page, conversationId);
  await page.getByRole('link', { name: /^Eiffel Tower/ }).waitFor();
  await page.getByRole('button', { name: 'Attach' }).click();
  await page.getByRole('menuitem', { name: 'Place' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send a place' });
  await dialog.getByText('It learns your IP address').waitFor();
  await checkScreen(page, 'any');
  assert.deepEqual(asked, []);

  // By the device, by a click, and by keys.
  await dialog.getByRole('button', { name: 'Show maps' }).click();
  const map = dialog.getByRole('application', { name: /^Map/ });
  await map.locator('img').first().waitFor();
  await page.context().grantPermissions(['geolocation']);
  await page.context().setGeolocation({ latitude: 52.52, longitude: 13.405 });
  await dialog.getByRole('button', { name: 'My current location' }).click();
  const longitude = dialog.getByRole('textbox', { name: 'Longitude' });
  const chosen = async (isIt: (degrees: number) => boolean) => {
    await eventually(async () => isIt(Number(await longitude.inputValue())));
  };
  await chosen((degrees) => degrees === 13.405);
  await map.click({ position: { x: 60, y: 120 } });
  await chosen((degrees) => degrees < 13.405 && degrees > 13.3);
  await map.focus();
  await page.keyboard.press('Enter');
  await chosen((degrees) => Math.abs(degrees - 13.405) < 0.0001);
  for (const { viewport } of [VIEWS[2], VIEWS[0]]) {
    await page.setViewportSize(viewport);
    await checkScreen(page, 'any');
    await map.click({ position: { x: 60, y: 120 } });
    await chosen((degrees) => degrees < 13.404 && degrees > 13.3);
    await map.focus();
    await page.keyboard.press('Enter');
    await chosen((degrees) => Math.abs(degrees - 13.405) < 0.0001);
  }
  await dialog.getByRole('button', { name: 'Send' }).click();
  await page
    .getByRole('link', { name: /Our own survey/ })
    .nth(1)
    .waitFor();
  assert.ok(
    asked.every(({ path, referer }) => /^\/\d+\/\d+\/\d+\.png$/.test(path) && referer === `${scene.origin}/`),
  );
  await checkScreen(page, 'any');

  // After revoking consent, they are drawings again.
  await page.goto('/settings/media');
  await page.getByRole('switch', { name: /^Show maps from 127/ }).uncheck();
  await checkScreen(page, 'any');
  const before = asked.length;
  await openChat(page, conversationId);
  await page.getByRole('button', { name: 'Show a map' }).first().waitFor();
  assert.equal(asked.length, before);
});
