import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { introduce, openChat, say } from './chat-scene.ts';
import { startWebScene, until, type WebScene } from './web-scene.ts';

let scene: WebScene;
before(async () => {
  scene = await startWebScene();
});
after(() => scene?.[Symbol.asyncDispose]());

const contains = (page: Page, text: string) =>
  until(page, `document.querySelector('textarea')?.value === '${text}'`);

test('a draft is in both tabs, and gone from both once it is sent, whatever arrives first', async () => {
  await using ada = await scene.enter('/', { name: 'Ada' });
  const bob = await scene.person('Bob');
  const { conversationId } = await introduce(ada.calls, bob.calls);
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
