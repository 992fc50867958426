import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import type { MessagePage } from '#contract/chat.ts';
import { attach, enterWithBob, introduce, message, openChat } from './chat-scene.ts';
import {
  checkEveryView,
  checkScreen,
  checkWidth,
  countClicks,
  follow,
  startWebScene,
  until,
  VIEWS,
} from './web-scene.ts';

const LONG_CAPTION = 'The way up to the hut, with the two lakes and the glacier behind them. '
  .repeat(8)
  .trim();

const scene = await startWebScene();
after(() => scene[Symbol.asyncDispose]());

test('pictures keep their ratio, and loading them does not move the thread', async () => {
  await using ada = await scene.enter('/');
  await using bob = await scene.enter('/', { name: 'Bob Kahn' });
  const { conversationId } = await introduce(ada.calls, bob.calls);
  const pictures = await paint([
    [600, 1300],
    [1200, 800],
    [1400, 60],
    [24, 24],
  ]);
  await openChat(ada.page, conversationId);
  for (const [i, caption] of ['', LONG_CAPTION, 'wide', 'tiny'].entries())
    await send(ada.page, pictures.slice(i, i + 1), caption);
  const clicks = await countClicks(ada.page);
  await send(ada.page, pictures.slice(0, 3), '');
  assert.equal(await clicks(), 3);
  await picturesIn(ada.page).nth(6).waitFor();
  // One from a bot has no dimensions.
  const { messages } = await ada.calls.get<MessagePage>(`/api/chat/conversations/${conversationId}/messages`);
  const fileUrl = messages.find((one) => one.fileUrl)?.fileUrl;
  await ada.calls.post('/api/chat/messages', { to: bob.accountId, type: 'image', fileUrl });

  // The frames have their places while the pictures are still on their way.
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await bob.page.route('**/media/**', async (route) => {
    await released;
    await route.continue();
  });
  await openChat(bob.page, conversationId);
  await picturesIn(bob.page).nth(7).waitFor();
  const waiting = await framesIn(bob.page);
  release();
  await until(bob.page, ALL_LOADED);
  const loaded = await framesIn(bob.page);
  assert.deepEqual(loaded, waiting);
  const sizes = loaded.map(({ width, height }) => [width, height]);
  assert.deepEqual(sizes.slice(0, 4), [
    [194, 420],
    [320, 213],
    [320, 56],
    [240, 56],
  ]);
  assert.deepEqual(sizes.at(-1), [320, 208]);
  await picturesIn(ada.page).nth(7).waitFor();
  assert.deepEqual(
    await framesIn(ada.page).then((own) => own.map(({ width, height }) => [width, height])),
    sizes,
  );

  // The time is over a picture without a caption, and a caption is below the picture.
  const [bare, captioned] = [message(bob.page, '').first(), message(bob.page, LONG_CAPTION)];
  const [time, picture] = await Promise.all([edges(bare.locator('time')), edges(picturesIn(bare))]);
  assert.ok(time.bottom < picture.bottom && time.right < picture.right);
  const [words, above] = await Promise.all([
    edges(captioned.locator('[dir=auto]')),
    edges(picturesIn(captioned)),
  ]);
  assert.equal(Math.round(words.top - above.bottom), 6);
  await checkEveryView(bob.page);
  await bob.page.setViewportSize({ width: 320, height: 640 });
  await checkWidth(bob.page);

  // The viewer shows the whole caption, by scrolling on a phone.
  await bob.page.getByRole('button', { name: `Enlarge the picture: ${LONG_CAPTION}` }).click();
  const caption = bob.page.getByRole('dialog', { name: /^Ada .* · \d/ }).getByText(LONG_CAPTION);
  await caption.waitFor();
  await checkScreen(bob.page, 'any');
  await bob.page.setViewportSize(VIEWS[0].viewport);
  assert.equal(await caption.evaluate((element) => element.scrollHeight > element.clientHeight), false);
});

test('pictures are not downloaded by the page that sent them, and are let go with the conversation', async () => {
  await using ada = await enterWithBob(scene);
  const { page, conversationId } = ada;
  await page.addInitScript(NOTE_OBJECT_URLS);
  await openChat(page, conversationId);
  const downloads: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/media/')) downloads.push(pathname);
  });
  const pictures = await paint([
    [800, 1200],
    [1200, 800],
    [640, 480],
  ]);
  await send(page, pictures.slice(0, 2), '');
  await send(page, pictures.slice(2), 'the lake');
  await picturesIn(page).nth(2).waitFor();
  await until(page, ALL_LOADED);
  await page.getByRole('button', { name: 'Enlarge the picture: the lake' }).click();
  await page
    .getByRole('dialog', { name: /^You · \d/ })
    .getByRole('img', { name: 'the lake' })
    .waitFor();
  await until(page, ALL_LOADED.replace('article', '[role=dialog]'));
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.deepEqual(downloads, []);
  await follow(page, '/');
  await until(page, 'objectUrls.size === 0');
  // What is no longer on the disk is downloaded.
  await page.evaluate("URL.createObjectURL = () => 'blob:gone'");
  await follow(page, `/c/${conversationId}`);
  await picturesIn(page).nth(2).waitFor();
  await until(page, ALL_LOADED);
  assert.equal(downloads.length, 3);
});

/** Keeps the object URLs that have not been revoked in `objectUrls`. */
const NOTE_OBJECT_URLS = `
  globalThis.objectUrls = new Set();
  const { createObjectURL, revokeObjectURL } = URL;
  URL.createObjectURL = (file) => {
    const made = createObjectURL(file);
    objectUrls.add(made);
    return made;
  };
  URL.revokeObjectURL = (made) => {
    objectUrls.delete(made);
    revokeObjectURL(made);
  };`;

const picturesIn = (place: Page | Locator) => place.getByRole('button', { name: 'Enlarge the picture' });

const ALL_LOADED = `[...document.querySelectorAll('article img')].every((img) => img.complete && img.naturalWidth > 0)`;

/** The places of all pictures in the thread, from the oldest, once the rows are measured and move no more. */
async function framesIn(page: Page) {
  for (let before: object[] = []; ; ) {
    const frames = await picturesIn(page).evaluateAll((all) =>
      all.map((one) => {
        const { top, left, width, height } = one.getBoundingClientRect();
        return { top: Math.round(top), left, width: Math.round(width), height: Math.round(height) };
      }),
    );
    if (isDeepStrictEqual(frames, before))
      return frames.toSorted((one, other) => one.top - other.top || one.left - other.left);
    before = frames;
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  }
}

function edges(place: Locator) {
  return place.evaluate((element) => element.getBoundingClientRect());
}

async function send(
  page: Page,
  files: { name: string; mimeType: string; buffer: Buffer }[],
  caption: string,
) {
  await attach(page, 'Photo or video', files);
  const dialog = page.getByRole('dialog');
  if (caption) await dialog.getByRole('textbox', { name: 'Caption' }).fill(caption);
  await dialog.getByRole('button', { name: 'Send' }).click();
  await dialog.waitFor({ state: 'detached' });
}

async function paint(sizes: [width: number, height: number][]) {
  const page = await scene.chromium.newPage();
  await page.setContent(
    '<style>body{margin:0;background:radial-gradient(closest-side,#f6d365 40%,#3a7bd5 41%)}</style>',
  );
  const files = [];
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    files.push({ name: `${width}.png`, mimeType: 'image/png', buffer: await page.screenshot() });
  }
  await page.close();
  return files;
}
