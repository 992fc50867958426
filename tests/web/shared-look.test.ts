import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openWindow } from '../chromium.ts';
import { startClientApplication } from '../client-application.ts';
import { createGroup, introduce } from './chat-scene.ts';
import { changeColorScheme, signInOn, startWebScene, VIEWS, type WebScene } from './web-scene.ts';

let scene: WebScene;

before(async () => {
  scene = await startWebScene();
});
after(() => scene?.[Symbol.asyncDispose]());

/** The computed values of an element, or of a part of it. */
async function look(page: Page, selector: string, names: readonly string[]): Promise<string[]> {
  await page.locator(selector).first().waitFor();
  return page.evaluate(
    `(() => {
      const style = getComputedStyle(document.querySelector(${JSON.stringify(selector)}));
      return ${JSON.stringify(names)}.map((name) => style.getPropertyValue(name));
    })()`,
  );
}

const PAPER = ['background-color', 'color'];
const CARD = ['background-color', 'border-top-color', 'border-top-left-radius'];
const BUTTON = ['background-color', 'color', 'height', 'border-top-left-radius', 'font-size', 'font-weight'];
const FIELD = ['height', 'border-top-left-radius', 'font-size', 'background-color', 'color'];

async function place(page: Page, selector: string): Promise<number[]> {
  const { x = 0, y = 0, width = 0 } = (await page.locator(selector).first().boundingBox()) ?? {};
  return [x, y, width].map(Math.round);
}

test('sign-in, consent, documentation and console share colours, radii, heights and the place of the logo', async () => {
  await using client = await startClientApplication(scene.origin, 'Weather Diary');
  await using stranger = await openWindow(scene.chromium, {
    baseURL: scene.origin,
    viewport: VIEWS[0].viewport,
  });
  await using ada = await scene.enter(client.authorizeUrl('profile', 'x'));
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const { page } of [stranger, ada]) await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await stranger.page.goto('/sign-in');
    await ada.page.goto(client.authorizeUrl('profile', 'x'));
    const [signIn, consent] = [stranger.page, ada.page];
    await signIn.getByRole('heading', { level: 1 }).waitFor();
    assert.deepEqual(await look(consent, 'body', PAPER), await look(signIn, 'body', PAPER));
    assert.deepEqual(await look(consent, 'main', CARD), await look(signIn, '.mantine-Card-root', CARD));
    assert.deepEqual(
      await look(consent, '[value=approve]', BUTTON),
      await look(signIn, '[type=submit]', BUTTON),
    );
    const [[card = 0], [x = 0, y, width]] = [
      await place(consent, 'main'),
      await place(consent, '.service svg'),
    ];
    const [[signInCard = 0], [signInX = 0, ...signInRest]] = [
      await place(signIn, '.mantine-Card-root'),
      await place(signIn, 'img'),
    ];
    assert.deepEqual([x - card, y, width], [signInX - signInCard, ...signInRest]);
    const field = await look(signIn, '[name=email]', FIELD);

    await signIn.goto('/docs/');
    assert.deepEqual(await look(signIn, '#search', FIELD), field);
    await ada.page.goto('/console/');
    await ada.page.getByRole('heading', { level: 1 }).waitFor();
    assert.deepEqual(await look(signIn, 'body', PAPER), await look(ada.page, 'body', PAPER));
    assert.deepEqual(await place(signIn, '.home svg'), await place(ada.page, 'header img'));
  }
});

test('text and selection have contrast in the dark', async () => {
  await using ada = await scene.enter('/settings');
  await changeColorScheme(ada.page, 'dark');
  assert.deepEqual(await look(ada.page, 'body', ['color']), ['rgb(230, 230, 230)']);
  const selection = await ada.page.evaluate("getComputedStyle(document.body, '::selection').backgroundColor");
  assert.equal(selection, 'rgb(47, 79, 158)');
});

test('a contrast theme shows switches and what is chosen', async () => {
  await using ada = await scene.enter('/');
  const { page } = ada;
  await introduce(ada.calls, (await scene.person('Bob')).calls);
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/settings/privacy');
  const ground = await look(page, 'body', ['background-color']);
  assert.deepEqual(await look(page, '.mantine-Switch-track', ['border-top-style']), ['solid']);
  for (const seen of ['.mantine-Switch-thumb', '[aria-pressed=true]'])
    assert.notDeepEqual(await look(page, seen, ['background-color']), ground, seen);
});

test('the documentation leads back to the chat and the console, and says to Germans that it is in English', async () => {
  await using german = await scene.enter('/docs/guide/quickstart', { locale: 'de-DE' });
  const { page } = german;
  await page.getByText('Die Dokumentation gibt es nur auf Englisch.').waitFor();
  await page.getByRole('link', { name: 'Console', exact: true }).click();
  await page.getByRole('heading', { name: 'Anwendungen', level: 1 }).waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'Chat', exact: true }).click();
  await page.getByRole('heading', { name: 'Willkommen bei Parley' }).waitFor();

  await using english = await openWindow(scene.chromium, { baseURL: scene.origin, locale: 'en-GB' });
  await english.page.goto('/docs/');
  await english.page.getByRole('heading', { level: 1 }).waitFor();
  assert.equal(await english.page.locator('[lang=de]').count(), 0);
});

test('on touch screens, buttons and fields are as large as a finger', async () => {
  const [ada, bob] = [await scene.person('Ada Lovelace'), await scene.person('Bob Kahn')];
  await introduce(ada.calls, bob.calls);
  const groupId = await createGroup(ada.calls, 'Tea', bob.accountId);
  await ada.calls.post('/api/chat/polls', { groupId, question: 'When?', options: ['At nine', 'At ten'] });
  await bob.calls.post('/api/chat/stories', { type: 'text', text: 'Hello' });
  const { viewport } = VIEWS[2];
  const touch = { baseURL: scene.origin, viewport, hasTouch: true, isMobile: true, locale: 'en-GB' };
  await using phone = await openWindow(scene.chromium, touch);
  const { page } = phone;
  await page.goto('/');
  await page.getByRole('button', { name: 'Forgot your password?' }).waitFor();
  assert.deepEqual(await page.evaluate(SMALL), []);
  assert.deepEqual(await page.evaluate(ZOOMED), []);
  await signInOn(page, scene.origin, ada.email);
  for (const [path, button] of [
    ['/', /Menu$/],
    [`/c/${groupId}`, 'Close the poll'],
    [`/c/${groupId}/info`, 'Add members'],
    ['/new/group', 'Create the group'],
    ['/stories/new', 'Publish'],
    [`/stories/${bob.accountId}`, 'Next'],
    ['/settings/account', 'Change the password'],
    ['/console', 'Account'],
  ] as const) {
    await page.goto(path);
    await page.getByRole('button', { name: button }).first().waitFor();
    assert.deepEqual(await page.evaluate(SMALL), [], path);
    assert.deepEqual(await page.evaluate(ZOOMED), [], path);
  }

  // An iPhone on its side has its camera over the page.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets: { left: 47, right: 47 } });
  await page.goto('/');
  await page.getByRole('button', { name: /Menu$/ }).waitFor();
  assert.equal((await page.locator('#conversations').boundingBox())?.x, 47);
});

const SMALL = `[...document.querySelectorAll('button:not(p button), .mantine-SegmentedControl-root, .mantine-Input-input')]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 44)
  .map((one) => one.outerHTML)`;

/** Safari on a phone zooms in to a field with smaller characters, and does not zoom out again. */
const ZOOMED = `[...document.querySelectorAll('textarea, select, input:not([type=checkbox], [type=radio], [type=file])')]
  .filter((one) => one.checkVisibility() && Number.parseFloat(getComputedStyle(one).fontSize) < 16)
  .map((one) => one.outerHTML)`;
