import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  allSent,
  createBot,
  enterWithBob,
  introduce,
  openChat,
  say,
  shownTexts,
  write,
} from './chat-scene.ts';
import { checkScreen, follow, startWebScene, VIEWS } from './web-scene.ts';

const scene = await startWebScene({ REQUESTS_PER_MINUTE: '1000' });
after(() => scene[Symbol.asyncDispose]());

const BANNER = /No connection|Connecting/;

test('a lost connection and a killed server lose no message and show none twice', async () => {
  await using ada = await scene.enter('/', { name: 'Ada' });
  await using bob = await scene.enter('/', { name: 'Bob' });
  const { conversationId } = await introduce(ada.calls, bob.calls, 'one');
  await openChat(ada.page, conversationId);
  await openChat(bob.page, conversationId);
  const says = (content: string) => say(bob.calls, ada.accountId, content);
  const both = async (expected: string[]) => {
    for (const { page } of [ada, bob]) {
      for (const text of expected) await page.getByRole('article').getByText(text, { exact: true }).waitFor();
      await allSent(page);
      assert.deepEqual(await shownTexts(page), expected);
    }
  };
  await both(['one']);

  // One of them loses the connection; both keep writing. On a phone, the thread shows the banner.
  await ada.page.setViewportSize(VIEWS[2].viewport);
  await ada.page.context().setOffline(true);
  await write(ada.page, 'two');
  await says('three');
  await ada.page.getByText(BANNER).waitFor();
  await ada.page.getByRole('img', { name: 'Not sent yet' }).waitFor();
  await checkScreen(ada.page);
  await ada.page.context().setOffline(false);
  await ada.page.getByText(BANNER).waitFor({ state: 'detached' });
  await both(['one', 'three', 'two']);

  await ada.page.setViewportSize(VIEWS[0].viewport);
  // The server dies while somebody writes, and returns; messages from before the reload are sent first.
  await scene.kill();
  await write(ada.page, 'four');
  await write(ada.page, 'five');
  await ada.page.getByText(BANNER).waitFor();
  await scene.restart();
  await both(['one', 'three', 'two', 'four', 'five']);

  // Reloaded during an outage, the page still has its unsent messages.
  await ada.page.route('**/api/chat/messages', (route) => route.abort());
  await write(ada.page, 'six');
  await write(ada.page, 'seven');
  await ada.page.getByRole('img', { name: 'Not sent yet' }).first().waitFor();
  await ada.page.unroute('**/api/chat/messages');
  await ada.page.reload();
  await both(['one', 'three', 'two', 'four', 'five', 'six', 'seven']);
});

test('a send whose response is lost is retried under its key, and appears once', async () => {
  await using ada = await enterWithBob(scene, 'one');
  const { bob, conversationId } = ada;
  await openChat(ada.page, conversationId);
  const keys: (string | undefined)[] = [];
  await ada.page.route('**/api/chat/messages', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length > 2) return route.continue();
    // The server accepts it, but the page gets no response, or an incomplete one.
    const response = await route.fetch();
    if (keys.length === 1) await route.abort();
    else await route.fulfill({ response, body: (await response.text()).slice(0, 20) });
  });
  await write(ada.page, 'two');
  await allSent(ada.page);
  await ada.page.getByRole('article').getByText('two').waitFor();
  assert.equal(keys.length, 3);
  assert.equal(new Set(keys).size, 1);
  assert.deepEqual(await shownTexts(ada.page), ['one', 'two']);
  await ada.page.reload();
  await ada.page.getByRole('article').getByText('two').waitFor();
  assert.deepEqual(await shownTexts(ada.page), ['one', 'two']);

  // A refused message gives the reason and waits for the person.
  await ada.page.unroute('**/api/chat/messages');
  await bob.calls.post('/api/chat/blocks', { userId: ada.accountId });
  await write(ada.page, 'three');
  await ada.page
    .getByRole('alert')
    .getByText(/does not accept messages from you/)
    .waitFor();
  await checkScreen(ada.page);
  await ada.page.reload();
  await ada.page
    .getByRole('alert')
    .getByText(/does not accept messages from you/)
    .waitFor();
  await bob.calls.delete('/api/chat/blocks', { userId: ada.accountId });
  await ada.page.getByRole('button', { name: 'Send again' }).click();
  await allSent(ada.page);
  assert.deepEqual(await shownTexts(ada.page), ['one', 'two', 'three']);
});

test('a suspended tab shows everything that arrived meanwhile, once', async () => {
  await using ada = await scene.enter('/', { name: 'Ada' });
  const bot = await createBot(scene.origin);
  const first = { to: bot.userId, type: 'text', content: 'one' };
  const { conversationId } = (await ada.calls.post('/api/chat/messages', first)) as {
    conversationId: string;
  };
  await openChat(ada.page, conversationId);
  await ada.page.getByRole('article').getByText('one').waitFor();
  const devtools = await ada.page.context().newCDPSession(ada.page);
  await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
  // More events than a disconnected page gets replayed (docs/decisions/0015).
  const missed = Array.from({ length: 80 }, (_, i) => `while asleep ${i}`);
  for (const text of missed) await bot.writes(ada.accountId, text);
  // After a long sleep, the connection is lost, too.
  await scene.kill();
  await scene.restart();
  await devtools.send('Page.setWebLifecycleState', { state: 'active' });
  await ada.page.getByRole('article').getByText('while asleep 79', { exact: true }).waitFor();
  const shown = (await shownTexts(ada.page)).filter((text) => text.startsWith('while asleep'));
  assert.deepEqual(shown, missed.slice(-shown.length));
});

test('missed messages are above later ones, also in a conversation that was not open', async () => {
  await using ada = await enterWithBob(scene, 'one');
  const { conversationId, says } = ada;
  /** Disconnects Ada for so long that her missed events cannot be replayed. */
  const missing = async (content: string, change?: () => Promise<unknown>) => {
    await ada.page.context().setOffline(true);
    await scene.kill();
    await scene.restart();
    await says(content);
    await change?.();
    await ada.page.context().setOffline(false);
    await ada.page.getByText(BANNER).waitFor({ state: 'detached' });
  };
  const list = ada.page.getByRole('navigation', { name: 'Conversations' });
  await openChat(ada.page, conversationId);
  await ada.page.getByRole('article').getByText('one').waitFor();

  // She has read it, and is on another screen, which also shows what she changes elsewhere meanwhile.
  await follow(ada.page, '/settings/privacy');
  const typing = ada.page.getByRole('switch', { name: 'Typing' });
  await typing.and(ada.page.locator(':checked')).waitFor();
  await missing('two', () => ada.calls.patch('/api/auth/profile', { typingIndicators: false }));
  await typing.and(ada.page.locator(':not(:checked)')).waitFor();
  await list.getByText('two').waitFor();
  await says('three');
  await list.getByText('three').waitFor();
  await list.getByText('three').click();
  await ada.page.getByRole('article').getByText('three').waitFor();
  assert.deepEqual(await shownTexts(ada.page), ['one', 'two', 'three']);

  // New messages that arrive while the open conversation is reloaded do not overtake the missed ones.
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await ada.page.route(`**/api/chat/conversations/${conversationId}/messages**`, async (route) => {
    const answer = await route.fetch();
    await released;
    await route.fulfill({ response: answer });
  });
  await missing('four');
  await says('five');
  await list.getByText('five').waitFor();
  assert.deepEqual(await shownTexts(ada.page), ['one', 'two', 'three']);
  release();
  await ada.page.getByRole('article').getByText('five').waitFor();
  assert.deepEqual(await shownTexts(ada.page), ['one', 'two', 'three', 'four', 'five']);

  // What was missed while a thread was being loaded is loaded by one more request.
  await ada.page.unrouteAll();
  await follow(ada.page, '/settings');
  await ada.page.reload();
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  let requests = 0;
  await ada.page.route(`**/api/chat/conversations/${conversationId}/messages**`, async (route) => {
    requests++;
    const answer = await route.fetch();
    asked.resolve();
    await answered.promise;
    await route.fulfill({ response: answer });
  });
  await list.getByText('five').click();
  await asked.promise;
  await missing('six');
  answered.resolve();
  await ada.page.getByRole('article').getByText('six').waitFor();
  assert.equal(requests, 2);
});

test('the code of a page that is gone since the server was updated comes with the page of now, and the draft stays', async () => {
  await using ada = await enterWithBob(scene, 'one');
  const { page, conversationId } = ada;
  await page.clock.install();
  await openChat(page, conversationId);
  const field = page.getByRole('textbox', { name: 'Write a message' });
  await field.fill('half a thought');
  await page.clock.fastForward(60_000);
  const gone = { status: 404, body: '' };
  await page.route('**/assets/**', (route) => route.fulfill(gone));
  const reload = page.waitForRequest(
    (request) => request.isNavigationRequest() && request.method() === 'GET',
  );
  await Promise.all([
    reload.then(() => page.unroute('**/assets/**')),
    page.getByRole('button', { name: 'Emoji', exact: true }).click(),
  ]);
  await page.getByRole('button', { name: 'Emoji', exact: true }).click();
  await page.getByRole('dialog', { name: 'Emoji' }).waitFor();
  assert.equal(await field.inputValue(), 'half a thought');
});

test('a message in a new conversation is listed although the server was busy when it came', async () => {
  await using ada = await scene.enter('/', { name: 'Ada' });
  const bob = await scene.person('Bob');
  const { page } = ada;
  await page.getByText('Welcome to Parley').waitFor();
  let left = 4;
  const busy = { status: 503, json: { status: 'error', code: 'INTERNAL_ERROR', message: 'busy' } };
  await page.route(/\/conversations\/prv_[^/]+$/, (route) =>
    left-- > 0 ? route.fulfill(busy) : route.continue(),
  );
  await introduce(ada.calls, bob.calls, 'Are you there?');
  await page.getByRole('link', { name: /Are you there/ }).waitFor();
  assert.ok(left <= 0);
});

test('a page that is revisited while the server is down still shows its contents', async () => {
  await using ada = await enterWithBob(scene, 'one');
  const { bob, conversationId } = ada;
  await openChat(ada.page, conversationId);
  await ada.page.getByRole('article').getByText('one').waitFor();
  await scene.kill();
  // After a minute the page reloads the session, and gives up after four attempts.
  const tries = new Promise<void>((resolve) => {
    let left = 4;
    ada.page.on('requestfailed', (request) => {
      if (request.url().endsWith('/api/auth/session') && --left === 0) resolve();
    });
  });
  await ada.page.clock.setSystemTime(Date.now() + 61_000);
  await ada.page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
  await tries;
  await ada.page.getByText(BANNER).waitFor();
  await scene.restart();
  await say(bob.calls, ada.accountId, 'two');
  await ada.page.getByRole('article').getByText('two').waitFor();
  assert.deepEqual(await shownTexts(ada.page), ['one', 'two']);
});

test('of more tabs than a browser has connections, the one that is looked at works, and catches up', async () => {
  await using ada = await enterWithBob(scene, 'one');
  const { conversationId, says } = ada;
  const shown = (page: Page, text: string) => page.getByRole('article').getByText(text).waitFor();
  // Headless Chromium considers every page visible.
  const turn = (page: Page, hidden: boolean) =>
    page.evaluate(
      `Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${hidden} });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`,
    );
  await openChat(ada.page, conversationId);
  await shown(ada.page, 'one');
  let latest = ada.page;
  for (let i = 0; i < 7; i++) {
    await turn(latest, true);
    latest = await ada.page.context().newPage();
    await openChat(latest, conversationId);
    await shown(latest, 'one');
  }
  await write(latest, 'two');
  await allSent(latest);
  await says('three');
  await shown(latest, 'three');
  await turn(latest, true);
  await turn(ada.page, false);
  await shown(ada.page, 'three');
  await says('four');
  await shown(ada.page, 'four');
  await ada.page.getByText(BANNER).waitFor({ state: 'detached' });
});
