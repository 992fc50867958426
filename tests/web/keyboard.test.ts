import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { createBot, introduce, message, openChat, say } from './chat-scene.ts';
import { chooseByKey, follow, startWebScene } from './web-scene.ts';

const scene = await startWebScene();
after(() => scene[Symbol.asyncDispose]());
const ada = await scene.enter('/', { name: 'Ada' });
const bob = await scene.person('Bob');
const { page } = ada;
const { conversationId } = await introduce(ada.calls, bob.calls);
await openChat(page, conversationId);

const actions = (text: string) => message(page, text).getByRole('button', { name: 'Message actions' });

const hasFocus = (element: Locator) => element.and(page.locator(':focus')).waitFor();

/** Fills more than the view, and the rows around it. */
async function writeOn(count = 40): Promise<void> {
  for (let i = 1; i <= count; i += 1) await say(bob.calls, ada.accountId, `On and on ${i}`);
  await message(page, `On and on ${count}`).waitFor();
}

/** The texts that the live regions of the thread give a screen reader from now on. */
async function listen(): Promise<() => Promise<string[]>> {
  await page.evaluate(`heard = []; new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      const region = (target.closest ? target : target.parentElement)?.closest('[role=status]');
      if (region && addedNodes.length > 0) heard.push(region.textContent);
    }
  }).observe(document.querySelector('main'), { childList: true, subtree: true, characterData: true })`);
  return () => page.evaluate('heard');
}

test('each new message is announced: the same words again, and one of several that arrive at once', async () => {
  const region = page.locator('main').getByRole('status').filter({ hasNotText: 'Loading' });
  await message(page, 'Hello, it is me.').waitFor();
  const heard = await listen();
  await say(bob.calls, ada.accountId, 'Yes');
  await region.getByText('Bob: Yes').waitFor();
  await say(bob.calls, ada.accountId, 'Yes');
  await page.getByRole('article').filter({ hasText: 'Yes' }).nth(1).waitFor();
  await page.context().setOffline(true);
  for (const words of ['One', 'Two', 'Three']) await say(bob.calls, ada.accountId, words);
  await page.context().setOffline(false);
  await region.getByText('Bob: Three').waitFor();
  assert.deepEqual((await heard()).join('\n').match(/Yes|One|Two|Three/g), [
    'Yes',
    'Yes',
    'One',
    'Two',
    'Three',
  ]);
});

test('what is open on a message stays while the thread moves on, and so does the focus', async () => {
  await say(bob.calls, ada.accountId, 'Buy now!');
  await actions('Buy now!').press('Enter');
  await chooseByKey(page, page.getByRole('menuitem', { name: 'Report' }));
  const dialog = page.getByRole('dialog', { name: 'Report to the operator' });
  await dialog.getByLabel('Reason').selectOption('Threats or violence');
  await writeOn();
  assert.equal(await dialog.getByLabel('Reason').inputValue(), 'violence');
  await page.keyboard.press('Escape');
  await hasFocus(actions('Buy now!'));
});

test('shortcuts wait for the open dialog, and leave a list its arrow', async () => {
  await page.keyboard.press('Control+/');
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await shortcuts.getByRole('button').and(page.locator(':focus')).waitFor();
  for (const keys of ['Control+k', 'Control+/', 'Alt+ArrowDown']) await page.keyboard.press(keys);
  assert.equal(await page.getByRole('dialog').count(), 1);
  await page.keyboard.press('Escape');
  await shortcuts.waitFor({ state: 'detached' });

  await page.getByRole('link', { name: 'Details' }).click();
  const choices = page.getByLabel('Disappearing messages');
  await choices.waitFor();
  const before = page.url();
  // A press would open the list, which is not part of the page.
  await choices.dispatchEvent('keydown', { key: 'ArrowDown', altKey: true, bubbles: true });
  assert.equal(page.url(), before);
  await page.keyboard.press('Control+k');
  const filter = page.getByRole('searchbox', { name: 'Search', exact: true });
  await hasFocus(filter);
  assert.equal(page.url(), before);
});

test('a quote takes the focus to its message; a search says what it found', async () => {
  const { msgId } = await say(bob.calls, ada.accountId, 'The first of all');
  await writeOn();
  await bob.calls.post('/api/chat/messages', {
    to: ada.accountId,
    type: 'text',
    content: 'As I said',
    replyToMsgId: msgId,
  });
  await page.getByRole('button', { name: 'Bob The first of all' }).press('Enter');
  const first = page.getByRole('article').filter({ hasText: 'The first of all' }).first();
  await hasFocus(first);
  assert.match(await first.ariaSnapshot(), /The first of all/);

  await page.getByRole('link', { name: 'Search in this conversation' }).press('Enter');
  const field = page.getByRole('searchbox', { name: 'Search in this conversation' });
  await field.fill('said');
  await page.getByRole('search').getByRole('status').getByText('1 of 1 Bob: As I said').waitFor();
  await hasFocus(field);
  await field.press('Escape');
});

test('the buttons and checkboxes of messages say of which', async () => {
  await follow(page, `/c/${conversationId}`);
  await say(bob.calls, ada.accountId, 'Which one?');
  const described = (element: Locator) =>
    element.evaluate(
      (one) =>
        one.ownerDocument.getElementById(one.getAttribute('aria-describedby') ?? '')?.textContent ?? '',
    );
  assert.match(await described(actions('Which one?')), /^Which one\?/);
  await actions('Which one?').press('Enter');
  await chooseByKey(page, page.getByRole('menuitem', { name: 'Select' }));
  const checkbox = page.getByRole('checkbox', { name: 'Select this message', checked: true });
  await hasFocus(checkbox);
  assert.match(await described(checkbox), /^Which one\?/);
  // One layer at a time: what the selection is forwarded to, then what was typed, then the selection.
  await page.getByRole('button', { name: 'Forward', exact: true }).press('Enter');
  await page.getByRole('dialog', { name: 'Forward a message' }).locator(':focus').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Bob');
  await page.keyboard.press('Escape');
  assert.equal(await checkbox.count(), 1);
  await page.keyboard.press('Escape');
  await checkbox.waitFor({ state: 'detached' });
});

test('the arrows reach every reaction, and the emoji picker says how many it found', async () => {
  await actions('Which one?').press('Enter');
  const item = (name: string) => page.getByRole('menuitem', { name });
  await hasFocus(item('React with 👍'));
  await page.keyboard.press('ArrowRight');
  await hasFocus(item('React with ❤️'));
  await page.keyboard.press('ArrowDown');
  await hasFocus(item('React with 😂'));
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await message(page, 'Which one?').getByRole('button', { name: '❤️ 1: You' }).waitFor();

  await actions('Which one?').press('Enter');
  await chooseByKey(page, item('More emoji'));
  const dialog = page.getByRole('dialog', { name: 'Emoji' });
  await dialog.getByRole('button', { name: 'grinning face', exact: true }).waitFor();
  assert.doesNotMatch(await dialog.getByRole('status').innerText(), /😀/);
  await dialog.getByRole('searchbox').fill('mountain');
  await dialog
    .getByRole('status')
    .getByText(/^\d+ emoji found$/)
    .waitFor();
  await dialog.getByRole('searchbox').fill('qqq');
  await dialog.getByRole('status').getByText('No emoji found').waitFor();
  await page.keyboard.press('Escape');
});

test('what is found, or appears above a page, is added to a region that is there before', async () => {
  await follow(page, '/new/bot');
  const field = page.getByRole('textbox', { name: 'Name or username' });
  await field.fill('nobody_here_bot');
  await field.press('Enter');
  await page.getByRole('alert').getByText('There is no bot called nobody_here_bot.').waitFor();
  const heard = await listen();
  const bot = await createBot(scene.origin, { name: 'Tides', username: 'tides_bot' });
  await field.fill(bot.username);
  await field.press('Enter');
  await page.getByRole('status').getByText('@tides_bot').waitFor();
  assert.match((await heard()).join(), /Tides/);
  await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('bob');
  await page.getByRole('status').getByText('1 conversation found').waitFor();

  await page.goto('/console/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const offline = await listen();
  await page.context().setOffline(true);
  await page.getByRole('status').getByText('No connection').waitFor();
  assert.match((await offline()).join(), /No connection/);
  await page.context().setOffline(false);
});

test('a story that is closed returns the focus; the buttons to end sessions say of which', async () => {
  await bob.calls.post('/api/chat/stories', { type: 'text', text: 'Tea' });
  await page.goto('/');
  const story = page.getByRole('link', { name: /^Bob/ }).and(page.locator('[href^="/stories/"]'));
  await story.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Bob' });
  await dialog.getByText('Tea').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await hasFocus(story);

  await follow(page, '/settings/account');
  await page.getByRole('group', { name: /^node/ }).getByRole('button', { name: 'End' }).first().waitFor();
});
