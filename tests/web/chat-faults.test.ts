import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openWindow, PLAIN_HOST, type Visit } from '../chromium.ts';
import { createGroup, introduce, openChat } from './chat-scene.ts';
import {
  checkScreen,
  follow,
  PASSWORD,
  type Person,
  press,
  startWebScene,
  type WebScene,
} from './web-scene.ts';

const kept = new AsyncDisposableStack();
let scene: WebScene;
let ada: Visit & Person;
let page: Page;
let conversationId: string;
before(async () => {
  scene = kept.use(await startWebScene());
  ada = kept.use(await scene.enter('/', { name: 'Ada' }));
  page = ada.page;
  const bob = await scene.person('Bob');
  ({ conversationId } = await introduce(ada.calls, bob.calls, 'Shall we?'));
});
after(() => kept.disposeAsync());

/** A refusal, which pages do not repeat. */
const REFUSED = { status: 403, json: { code: 'permission-denied', message: 'not now' } };

test('what is refused again and again is reported once', async () => {
  await page.goto('/settings/privacy');
  await page.route('**/api/auth/profile', (route) =>
    route.request().method() === 'PATCH' ? route.fulfill(REFUSED) : route.continue(),
  );
  const typing = page.getByRole('switch', { name: 'Typing' });
  await typing.waitFor();
  for (let i = 0; i < 5; i++) {
    const refused = page.waitForResponse('**/api/auth/profile');
    await typing.click();
    await refused;
    await typing.and(page.locator(':checked')).waitFor();
  }
  const reports = page.getByRole('alert').filter({ hasText: 'Not now' });
  // The one before may still be leaving.
  assert.ok((await reports.count()) <= 2);
  await reports.nth(1).waitFor({ state: 'detached' });
  await page.unrouteAll();
});

test('a choice that is changed back is sent after the one before', async () => {
  await page.goto('/settings/privacy');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const changes: unknown[] = [];
  await page.route('**/api/auth/profile', async (route) => {
    if (route.request().method() === 'PATCH' && changes.push(route.request().postDataJSON()) === 1)
      await released;
    await route.continue();
  });
  const typing = page.getByRole('switch', { name: 'Typing' });
  await typing.and(page.locator(':checked')).click();
  await typing.and(page.locator(':not(:checked)')).click();
  await typing.and(page.locator(':checked')).waitFor();
  // A request of the page that is sent after the second choice.
  await page.evaluate(() => fetch('/api/auth/profile'));
  assert.equal(changes.length, 1);
  const answered = page.waitForResponse(
    (answer) => answer.request().method() === 'PATCH' && changes.length === 2,
  );
  release();
  await answered;
  await page.unrouteAll({ behavior: 'wait' });
  await page.reload();
  await typing.and(page.locator(':checked')).waitFor();
});

test('a report says that there are no messages only once they are loaded', async () => {
  await page.goto('/settings');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const thread = `**/api/chat/conversations/${conversationId}/messages*`;
  await page.route(thread, async (route) => {
    await released;
    await route.fulfill(REFUSED);
  });
  await follow(page, `/c/${conversationId}/info`);
  await press(page, 'Report');
  const dialog = page.getByRole('dialog', { name: 'Report to the operator' });
  await dialog.getByRole('status').waitFor();
  assert.equal(await dialog.getByText('There is no message').count(), 0);
  release();
  await dialog.getByRole('alert').waitFor();
  await checkScreen(page, 'any');
  await page.unroute(thread);
  await press(dialog, 'Try again');
  await dialog.getByRole('checkbox', { name: /Shall we/ }).waitFor();
  await page.route('**/api/chat/reports', (route) => route.fulfill(REFUSED));
  await press(dialog, 'Send the report');
  await dialog.getByRole('alert').filter({ hasText: 'Not now' }).waitFor();
});

test('links, requests and webhooks of a group that cannot be loaded are not taken for none', async () => {
  const groupId = await createGroup(ada.calls, 'Tea');
  const parts = /\/groups\/(links|join-requests|incoming-webhooks)/;
  await page.route(parts, (route) => route.fulfill(REFUSED));
  await openChat(page, groupId);
  await page.getByRole('link', { name: 'Details' }).click();
  const faults = page.getByRole('alert').filter({ hasText: 'Not now' });
  await faults.nth(2).waitFor();
  await page.unroute(parts);
  for (let left = 3; left > 0; left--) {
    await press({ getByRole: (...of) => faults.first().getByRole(...of) }, 'Try again');
    await faults.nth(left - 1).waitFor({ state: 'detached' });
  }
});

test('a message that is sent while its thread loads is shown once, although the thread has it first', async () => {
  const [read, sent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const messages = `**/api/chat/conversations/${conversationId}/messages*`;
  await page.route(messages, (route) => read.promise.then(() => route.continue()));
  await page.route('**/api/chat/messages', async (route) => {
    const response = await route.fetch();
    read.resolve();
    await sent.promise;
    await route.fulfill({ response });
  });
  await page.goto(`/c/${conversationId}`);
  const field = page.getByRole('textbox', { name: 'Write a message' });
  await field.fill('Sent meanwhile');
  const loaded = page.waitForResponse(messages);
  await field.press('Enter');
  await (await loaded).finished();
  const text = page.getByText('Sent meanwhile').and(page.locator('article *'));
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  assert.ok((await text.count()) <= 1);
  sent.resolve();
  await page
    .getByRole('article', { name: 'You' })
    .and(page.locator('article:has-text("Sent meanwhile")'))
    .waitFor();
  assert.equal(await text.count(), 1);
  await page.unrouteAll();
});

test('a browser that is too old is told so', async () => {
  await using old = await openWindow(scene.chromium, { baseURL: scene.origin, serviceWorkers: 'block' });
  await old.page.addInitScript('delete URL.parse; delete Promise.withResolvers');
  for (const path of ['/', '/console', '/reset']) {
    await old.page.goto(path);
    await old.page.getByText('This browser is too old').waitFor();
  }
});

test('over plain http, as in a network without certificates, people write and dialogs open', async () => {
  const baseURL = scene.origin.replace('localhost', PLAIN_HOST);
  await using visit = await openWindow(scene.chromium, { baseURL });
  const { page, complaints } = visit;
  await page.goto('/');
  assert.equal(await page.evaluate('isSecureContext'), false);
  await page.getByLabel('E-mail').fill(ada.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await press(page, 'Sign in');
  await page.getByRole('link', { name: /Bob/ }).click();
  await page.getByRole('textbox', { name: 'Write a message' }).fill('From the phone');
  await page.keyboard.press('Enter');
  await page.getByRole('article').getByText('From the phone').waitFor();
  await page.getByRole('button', { name: 'Attach' }).click();
  await page.getByRole('menuitem', { name: 'Poll' }).click();
  await page.getByRole('dialog').waitFor();
  assert.deepEqual(
    complaints.filter((text) => /randomUUID|clipboard|TypeError/.test(text)),
    [],
  );
});
