import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '#testing/waits.ts';
import { enterWithBob, introduce, listening, openChat, say } from './chat-scene.ts';
import { follow, press, signInByForm, signInOn, startWebScene, until } from './web-scene.ts';

const scene = await startWebScene();
after(() => scene[Symbol.asyncDispose]());

const field = (page: Page) => page.getByRole('textbox', { name: 'Write a message' });
const contains = (page: Page, text: string) =>
  until(page, `document.querySelector('textarea')?.value === '${text}'`);

test('a draft is in both tabs, and gone from both once it is sent, whatever arrives first', async () => {
  await using ada = await enterWithBob(scene);
  const { bob, conversationId } = ada;
  const [tab, other] = [ada.page, await ada.page.context().newPage()];
  for (const page of [tab, other]) await openChat(page, conversationId);
  /** The answer to the save arrives in the first tab when the event is already in the second. */
  let eventIsThere = async () => {};
  await tab.route('**/draft', async (route) => {
    const response = await route.fetch();
    await eventIsThere();
    await route.fulfill({ response });
  });
  for (const [i, text] of ['At nine', ''].entries()) {
    const { promise: isSaved, resolve: saved } = Promise.withResolvers<void>();
    eventIsThere = async () => {
      await say(bob.calls, ada.accountId, `later ${i}`);
      await other.getByRole('article').getByText(`later ${i}`).waitFor();
      saved();
    };
    if (text) await tab.getByRole('textbox', { name: 'Write a message' }).fill(text);
    else await tab.getByRole('button', { name: 'Send', exact: true }).click();
    await isSaved;
    await contains(other, text);
  }
});

test('a page that gets its live events reports no error', async () => {
  await using ada = await scene.enter('/', { name: 'Ada' });
  await listening(ada.page, () => ada.page.reload());
  assert.deepEqual(
    ada.complaints.filter((text) => text.includes('abort')),
    [],
  );
});

test('language and colours are those of all tabs', async () => {
  await using ada = await scene.enter('/settings/appearance', { name: 'Ada' });
  const [tab, other] = [ada.page, await ada.page.context().newPage()];
  await other.goto('/console');
  await tab.getByRole('radio', { name: 'Dark' }).check();
  await other.locator('html[data-mantine-color-scheme=dark]').waitFor();
  await tab.getByRole('radio', { name: 'Deutsch' }).click();
  await other.getByRole('heading', { name: 'Anwendungen' }).waitFor();
  assert.equal(await other.getAttribute('html', 'lang'), 'de');
});

const signedOut = (page: Page) => page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();

test('who signs out in one tab is signed out in all, and so is who signs in', async () => {
  await using ada = await scene.enter('/', { name: 'Ada' });
  const [bob, eve] = [await scene.person('Bob'), await scene.person('Eve')];
  const { conversationId } = await introduce(ada.calls, bob.calls, 'Only for Ada');
  await introduce(bob.calls, eve.calls, 'Only for Bob');
  const { page } = ada;
  const [chat, account] = [await page.context().newPage(), await page.context().newPage()];
  await openChat(chat, conversationId);
  await chat.getByRole('article').getByText('Only for Ada').waitFor();
  // It has no stream.
  await account.goto('/console/account');
  await account.locator('input[value=Ada]').waitFor();
  await press(page, 'Menu');
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  for (const tab of [page, chat, account]) await signedOut(tab);
  assert.equal(await chat.getByText('Only for Ada').count(), 0);

  await signInByForm(page, bob.email);
  for (const tab of [page, chat]) await tab.getByRole('link', { name: /Only for Bob/ }).waitFor();
  await account.locator('input[value=Bob]').waitFor();
});

test('a page that the browser kept for its Back button is of whoever is signed in now', async () => {
  await using ada = await scene.enter('/', { name: 'Ada' });
  const [bob, eve] = [await scene.person('Bob'), await scene.person('Eve')];
  await introduce(ada.calls, eve.calls, 'Only for Ada');
  await introduce(bob.calls, eve.calls, 'Only for Bob');
  const { page } = ada;
  await page.getByRole('link', { name: /Only for Ada/ }).waitFor();
  // In its sleep, it hears nothing of the other tabs.
  await signInOn(page, scene.origin, bob.email);
  await Promise.all([
    page.waitForEvent('load'),
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"),
  ]);
  await page.getByRole('link', { name: /Only for Bob/ }).waitFor();
  assert.equal(await page.getByText('Only for Ada').count(), 0);
});

test('of an account that is deleted, nothing stays in the browser', async () => {
  await using ada = await enterWithBob(scene);
  const { page, conversationId } = ada;
  const kept = () =>
    page.evaluate(`Object.keys(localStorage).filter((name) => name.includes('${ada.accountId}'))`);
  await openChat(page, conversationId);
  await field(page).fill('Nobody else may read this');
  await follow(page, '/settings/account');
  await press(page, 'Delete the account');
  assert.deepEqual(await kept(), [`parley-draft:${ada.accountId}:${conversationId}`]);
  // The page may hear that its session has ended before the answer arrives.
  await page.route('**/api/auth/account/delete', async (route) => {
    const response = await route.fetch();
    await signedOut(page);
    await route.fulfill({ response });
  });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill(ada.email);
  await press(dialog, 'Delete the account');
  await signedOut(page);
  await eventually(async () => ((await kept()) as string[]).length === 0);
});
