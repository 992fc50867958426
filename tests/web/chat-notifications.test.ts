import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '#testing/waits.ts';
import { createGroup, introduce, listening, say, sayInGroup } from './chat-scene.ts';
import { checkEveryView, PASSWORD, settled, startWebScene, until, VIEWS } from './web-scene.ts';

const scene = await startWebScene(undefined, { hasNotifications: true });
after(() => scene[Symbol.asyncDispose]());

/** Texts of the visible notifications. */
const SHOWN = `navigator.serviceWorker.ready
  .then((ready) => ready.getNotifications())
  .then((all) => all.map(({ title, body, data }) => ({ title, body, data })).sort((a, b) => a.title < b.title ? -1 : 1))`;

/**
 * Notices when the service worker has shown its next notification. Looking at those that are shown meanwhile would remove it:
 * Chromium takes one that it does not display yet for one that was closed.
 */
async function noticeNext(page: Page): Promise<() => Promise<unknown>> {
  const [worker] = page.context().serviceWorkers();
  assert.ok(worker);
  await worker.evaluate(`{
    const { promise, resolve } = Promise.withResolvers();
    self.nextShown = promise;
    const show = registration.showNotification;
    registration.showNotification = (...given) => {
      registration.showNotification = show;
      return registration.showNotification(...given).then(resolve);
    };
  }`);
  return () => worker.evaluate('self.nextShown');
}

test('a new message in a hidden page causes a notification, unless the conversation is muted', async () => {
  await using ada = await scene.enter('/settings/notifications', { isInstalled: true });
  const bob = await scene.person('Bob Kahn');
  const { page } = ada;
  await page.context().grantPermissions(['notifications', 'clipboard-read', 'clipboard-write']);
  await page.reload();
  // It is on once the browser has said that it may.
  await page.getByRole('switch', { name: 'Notify me of new messages' }).click();
  await page.getByText('Notifications are on').waitFor();
  await page.getByRole('radio', { name: 'Who wrote, and the message' }).check();
  await page.getByRole('switch', { name: 'Quiet hours' }).check();
  await page.getByLabel('From', { exact: true }).waitFor();
  await checkEveryView(page);
  await Promise.all([
    page.waitForResponse((answer) => answer.request().method() === 'PATCH'),
    page.getByRole('switch', { name: 'Quiet hours' }).uncheck(),
  ]);
  await page.getByLabel('From', { exact: true }).waitFor({ state: 'detached' });
  const cleo = await scene.person('Cleo Roth');
  const [{ conversationId }, withCleo] = [
    await introduce(ada.calls, bob.calls, 'The first'),
    await introduce(ada.calls, cleo.calls, 'The first'),
  ];
  await listening(page, () => page.goto('/'));
  await page.getByRole('link', { name: /Bob Kahn/ }).waitFor();
  await settled(page);
  // Headless Chromium considers every page visible.
  await page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true })");
  const says = (content: string) => say(bob.calls, ada.accountId, content);

  const firstShown = await noticeNext(page);
  const { msgId } = await says('<b>Are you there?</b>');
  await firstShown();
  assert.deepEqual(await page.evaluate(SHOWN), [
    { title: 'Bob Kahn', body: '<b>Are you there?</b>', data: { path: `/c/${conversationId}`, msgId } },
  ]);
  // It is removed with the message, and once the message was read on another device.
  await bob.calls.delete(`/api/chat/conversations/${conversationId}/messages/${msgId}`);
  await until(page, `(${SHOWN}).then((all) => all.length === 0)`);
  const secondShown = await noticeNext(page);
  const second = await say(cleo.calls, ada.accountId, 'Are you?');
  await secondShown();
  assert.equal(((await page.evaluate(SHOWN)) as object[]).length, 1);
  const read = `/api/chat/conversations/${withCleo.conversationId}/read`;
  await ada.calls.post(read, { msgId: second['msgId'] });
  await until(page, `(${SHOWN}).then((all) => all.length === 0)`);

  // On a phone, too.
  await page.setViewportSize(VIEWS[2].viewport);
  await settled(page);
  const thirdShown = await noticeNext(page);
  const third = await says('On the train?');
  await thirdShown();
  assert.equal(((await page.evaluate(SHOWN)) as object[]).length, 1);
  await ada.calls.post(`/api/chat/conversations/${conversationId}/read`, { msgId: third['msgId'] });
  await until(page, `(${SHOWN}).then((all) => all.length === 0)`);

  const muted = await page.request.patch(`/api/chat/conversations/${conversationId}`, {
    data: { isMuted: true },
    headers: { origin: scene.origin },
  });
  assert.equal(muted.status(), 200);
  await page.getByLabel('muted').waitFor();
  await says('Hello?');
  await page.getByRole('link', { name: /Hello\?/ }).waitFor();
  await page.waitForTimeout(500);
  assert.deepEqual(await page.evaluate(SHOWN), []);
});

/** Delivers push messages to the service worker of a page, in place of a push service. */
async function pusherTo(page: Page, origin: string): Promise<(content: object) => Promise<unknown>> {
  const browser = await page.context().newCDPSession(page);
  const registered = Promise.withResolvers<string>();
  browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    for (const { registrationId } of registrations) registered.resolve(registrationId);
  });
  await browser.send('ServiceWorker.enable');
  const registrationId = await registered.promise;
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
  return (content) =>
    browser.send('ServiceWorker.deliverPushMessage', {
      origin,
      registrationId,
      data: JSON.stringify({ msgId: 'msg_1', language: 'en', isSilent: false, ...content }),
    });
}

test('a push message is translated while no page is open, and shows as much as the person wants', async () => {
  await using ada = await scene.enter('/', { isInstalled: true });
  const { page } = ada;
  await page.context().grantPermissions(['notifications', 'clipboard-read', 'clipboard-write']);
  const push = await pusherTo(page, scene.origin);
  const picture = {
    conversationId: 'three',
    title: 'Team',
    sender: 'עדה',
    kind: 'image',
    text: 'our <b>boat</b>',
  };

  // A page of the same browser outside the chat.
  await page.goto('/console');
  await push({ conversationId: 'one' });
  await page.setViewportSize(VIEWS[2].viewport);
  await push({ conversationId: 'two', language: 'de', title: 'Ada' });
  await push(picture);
  // A second message is heard again, but not what an open page has shown, too.
  await push({ conversationId: 'two', msgId: 'msg_2', language: 'de', title: 'Ada' });
  await push(picture);
  await page.goto('/');
  await until(page, `${SHOWN}.then((all) => all.length === 3)`);
  const heard = `navigator.serviceWorker.ready.then((ready) => ready.getNotifications())
    .then((all) => Object.fromEntries(all.map(({ tag, renotify }) => [tag, renotify])))`;
  assert.deepEqual(await page.evaluate(heard), { one: true, two: true, three: false });
  assert.deepEqual(await page.evaluate(SHOWN), [
    { title: 'Ada', body: 'Neue Nachricht', data: { path: '/c/two', msgId: 'msg_2' } },
    { title: 'Parley', body: 'New message', data: { path: '/c/one', msgId: 'msg_1' } },
    {
      title: 'Team',
      body: '\u2068עדה\u2069: Photo: our <b>boat</b>',
      data: { path: '/c/three', msgId: 'msg_1' },
    },
  ]);
});

test('while the chat is visible, a push message shows something only to Safari, and briefly', async () => {
  await using ada = await scene.enter('/', { isInstalled: true });
  const { page } = ada;
  await page.context().grantPermissions(['notifications', 'clipboard-read', 'clipboard-write']);
  const push = await pusherTo(page, scene.origin);
  const [worker] = page.context().serviceWorkers();
  assert.ok(worker);
  await worker.evaluate(`{
    self.shown = [];
    const hosts = ['fcm.googleapis.com', 'web.push.apple.com'];
    registration.pushManager.getSubscription = async () => ({ endpoint: 'https://' + hosts.shift() + '/1' });
    const show = registration.showNotification;
    registration.showNotification = (title, how) => {
      shown.push({ title, silent: how.silent });
      return show.call(registration, title, how);
    };
  }`);
  await push({ conversationId: 'one', title: 'Ada' });
  await push({ conversationId: 'two', title: 'Bob' });
  await eventually(async () => ((await worker.evaluate('shown.length')) as number) > 0);
  assert.deepEqual(await worker.evaluate('shown'), [{ title: 'Bob', silent: true }]);
  await until(page, `(${SHOWN}).then((all) => all.length === 0)`);
});

test('the notification of a group says who wrote, and none is left after a sign-out', async () => {
  await using ada = await scene.enter('/settings/notifications', { isInstalled: true });
  const bob = await scene.person('Bob Kahn');
  const { page } = ada;
  await page.context().grantPermissions(['notifications']);
  await page.reload();
  await page.getByRole('switch', { name: 'Notify me of new messages' }).click();
  await page.getByRole('radio', { name: 'Who wrote, and the message' }).check();
  await introduce(ada.calls, bob.calls);
  const groupId = await createGroup(bob.calls, 'Team', ada.accountId);
  await listening(page, () => page.goto('/'));
  await page.getByRole('link', { name: /Team/ }).waitFor();
  await settled(page);
  await page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true })");
  const shown = await noticeNext(page);
  await sayInGroup(bob.calls, groupId, 'Dinner at 8?');
  await shown();
  const [notification] = (await page.evaluate(SHOWN)) as { title: string; body: string }[];
  assert.deepEqual([notification?.title, notification?.body], ['Team', 'Bob Kahn: Dinner at 8?']);

  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await until(page, `(${SHOWN}).then((all) => all.length === 0)`);
});

/** A push service that the browser can reach. As in any browser, there is one subscription, with one key. */
const PUSH_SERVICE = `
  const subscription = {
    toJSON: () => ({ endpoint: 'https://push.example.test/1', keys: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) } }),
    unsubscribe: async () => { localStorage.removeItem('push-key'); return true; },
  };
  PushManager.prototype.getSubscription = async () => localStorage.getItem('push-key') ? subscription : null;
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    const key = localStorage.getItem('push-key') ?? applicationServerKey;
    if (key !== applicationServerKey) throw new DOMException('another key', 'InvalidStateError');
    localStorage.setItem('push-key', key);
    return subscription;
  };`;

test('a browser is registered again in the session of a new password, and for the key of another server', async () => {
  await using ada = await scene.enter('/settings/notifications', { isInstalled: true });
  const { page } = ada;
  await page.context().grantPermissions(['notifications']);
  await page.addInitScript(PUSH_SERVICE);
  await page.reload();
  const registered = (act: () => Promise<unknown>) =>
    Promise.all([
      page.waitForResponse((answer) => answer.url().endsWith('/notifications/device') && answer.ok()),
      act(),
    ]);
  await registered(() => page.getByRole('switch', { name: 'Notify me of new messages' }).click());
  await registered(() => page.goto('/settings/account'));
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByLabel('New password').fill(`${PASSWORD} too`);
  await registered(() => page.getByRole('button', { name: 'Change the password' }).click());

  await page.evaluate("localStorage.setItem('push-key', 'of the server before')");
  await registered(() => page.reload());
});
