import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { allSent, introduce, listening, openChat, say } from './chat-scene.ts';
import {
  checkEveryView,
  checkScreen,
  settled,
  startWebScene,
  until,
  VIEWS,
  type WebScene,
} from './web-scene.ts';

let scene: WebScene;
before(async () => {
  scene = await startWebScene(undefined, { hasNotifications: true });
});
after(() => scene?.[Symbol.asyncDispose]());

/** The paths of all cached files. */
const KEPT = `(async () => {
  const paths = [];
  for (const name of await caches.keys()) {
    for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname);
  }
  return paths;
})()`;

/** Drops three silent seconds, and a video of a second, into the message field. */
const DROP_SOUND_AND_VIDEO = `(async () => {
  const canvas = document.createElement('canvas');
  const drawn = canvas.getContext('2d');
  const recorder = new MediaRecorder(canvas.captureStream(25));
  const parts = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const ended = new Promise((resolve) => { recorder.onstop = resolve; });
  recorder.start();
  const startedAt = performance.now();
  while (performance.now() - startedAt < 1_000) {
    drawn.fillStyle = 'hsl(' + performance.now() + ' 50% 50%)';
    drawn.fillRect(0, 0, canvas.width, canvas.height);
    await new Promise(requestAnimationFrame);
  }
  recorder.stop();
  await ended;
  const rate = 8_000;
  const wave = new DataView(new ArrayBuffer(44 + 3 * rate));
  const write = (at, text) => [...text].forEach((letter, i) => wave.setUint8(at + i, letter.charCodeAt(0)));
  write(0, 'RIFF');
  wave.setUint32(4, 36 + 3 * rate, true);
  write(8, 'WAVEfmt ');
  wave.setUint32(16, 16, true);
  wave.setUint16(20, 1, true);
  wave.setUint16(22, 1, true);
  wave.setUint32(24, rate, true);
  wave.setUint32(28, rate, true);
  wave.setUint16(32, 1, true);
  wave.setUint16(34, 8, true);
  write(36, 'data');
  wave.setUint32(40, 3 * rate, true);
  new Uint8Array(wave.buffer, 44).fill(128);
  const data = new DataTransfer();
  data.items.add(new File([wave.buffer], 'silence.wav', { type: 'audio/wav' }));
  data.items.add(new File(parts, 'colours.webm', { type: 'video/webm' }));
  const options = { bubbles: true, cancelable: true, dataTransfer: data };
  document.querySelector('textarea').dispatchEvent(new DragEvent('drop', options));
})()`;

/** Texts of the visible notifications. */
const SHOWN = `navigator.serviceWorker.ready
  .then((ready) => ready.getNotifications())
  .then((all) => all.map(({ title, body, data }) => ({ title, body, data })).sort((a, b) => a.title < b.title ? -1 : 1))`;

test('an installed chat opens offline, and continues once it is online', async () => {
  await using ada = await scene.enter('/', { isInstalled: true });
  const { page } = ada;
  await settled(page);

  const manifest = await (await page.request.get('/manifest.webmanifest')).json();
  assert.equal(await page.locator('link[rel=manifest]').getAttribute('href'), '/manifest.webmanifest');
  for (const { src, type } of manifest.icons) {
    const icon = await page.request.get(src);
    assert.deepEqual([icon.status(), icon.headers()['content-type']], [200, type], src);
  }
  const worker = await page.request.get('/service-worker.js');
  assert.match(worker.headers()['cache-control'] ?? '', /max-age=0/);

  // A screen that was never opened works, too: all files of the chat are cached.
  await page.goto('/');
  await page.context().setOffline(true);
  await page.goto('/settings/appearance');
  await page.getByText('No connection').first().waitFor();
  const styled = "getComputedStyle(document.body).getPropertyValue('--mantine-color-dimmed')";
  assert.notEqual(await page.evaluate(styled), '', 'the kept page has its own nonce');
  await checkScreen(page);
  assert.deepEqual(
    ada.complaints.filter((text) => /Content Security Policy/.test(text)),
    [],
  );

  await page.context().setOffline(false);
  await page.getByRole('heading', { name: 'Language and appearance' }).waitFor();

  // No messages are cached, nor people's files.
  const kept = (await page.evaluate(KEPT)) as string[];
  assert.ok(kept.includes('/'));
  assert.deepEqual(
    kept.filter((path) => /^\/(api|media|v1|oauth|console)/.test(path)),
    [],
  );
});

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

test('a push message is translated while no page is open, and shows as much as the person wants', async () => {
  await using ada = await scene.enter('/', { isInstalled: true });
  const { page } = ada;
  await page.context().grantPermissions(['notifications', 'clipboard-read', 'clipboard-write']);
  const browser = await page.context().newCDPSession(page);
  const registered = Promise.withResolvers<string>();
  browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    for (const { registrationId } of registrations) registered.resolve(registrationId);
  });
  await browser.send('ServiceWorker.enable');
  const registrationId = await registered.promise;
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
  const push = (content: object) =>
    browser.send('ServiceWorker.deliverPushMessage', {
      origin: scene.origin,
      registrationId,
      data: JSON.stringify({ msgId: 'msg_1', language: 'en', isSilent: false, ...content }),
    });

  // A page of the same browser outside the chat.
  await page.goto('/console');
  await push({ conversationId: 'one' });
  await page.setViewportSize(VIEWS[2].viewport);
  await push({ conversationId: 'two', language: 'de', title: 'Ada' });
  await push({
    conversationId: 'three',
    title: 'Team',
    sender: 'Ada',
    kind: 'image',
    text: 'our <b>boat</b>',
  });
  await page.goto('/');
  await until(page, `${SHOWN}.then((all) => all.length === 3)`);
  assert.deepEqual(await page.evaluate(SHOWN), [
    { title: 'Ada', body: 'Neue Nachricht', data: { path: '/c/two', msgId: 'msg_1' } },
    { title: 'Parley', body: 'New message', data: { path: '/c/one', msgId: 'msg_1' } },
    { title: 'Team', body: 'Ada: Photo: our <b>boat</b>', data: { path: '/c/three', msgId: 'msg_1' } },
  ]);
});

/** However late a busy machine ends the recording. */
const RECORDED = /^\d:(?!00)\d\d$/;

test('a voice message: refused by the browser, discarded by key, sent, and played at another speed; files show their duration', async () => {
  await using ada = await scene.enter('/', { name: 'Ada' });
  await using bob = await scene.enter('/', { name: 'Bob' });
  const { conversationId } = await introduce(ada.calls, bob.calls);
  for (const { page } of [ada, bob]) await openChat(page, conversationId);
  const { page } = ada;
  const record = page.getByRole('button', { name: 'Record a voice message' });
  await record.click();
  await page.getByText('does not let this page use the microphone').waitFor();
  await checkScreen(page, 'any');
  await page.getByRole('button', { name: 'Close' }).click();

  await page.context().grantPermissions(['microphone']);
  const timer = page.getByRole('timer', { name: 'Recording' });
  await record.click();
  await timer.getByText(RECORDED).waitFor();
  for (const { viewport } of [VIEWS[2], VIEWS[0]]) {
    await page.setViewportSize(viewport);
    await checkScreen(page, 'any');
  }
  await page.keyboard.press('Escape');
  await timer.waitFor({ state: 'detached' });
  await page.setViewportSize(VIEWS[2].viewport);
  await record.click();
  await timer.getByText(RECORDED).waitFor();
  await page.getByRole('button', { name: 'Send the voice message' }).click();
  await allSent(page);
  await page.setViewportSize(VIEWS[0].viewport);

  const voice = bob.page.getByRole('group', { name: 'Voice message' });
  await voice.getByText(RECORDED).waitFor();
  await voice.getByRole('button', { name: 'Speed: 1×' }).click();
  const position = voice.getByRole('slider', { name: 'Position' });
  await position.press('End');
  await voice.getByText(/^(\d+:\d\d) \/ \1$/).waitFor();
  await position.press('Home');
  await voice.getByRole('button', { name: 'Play' }).click();
  await until(bob.page, "document.querySelector('audio').played.length > 0");
  const audio = "document.querySelector('audio').playbackRate";
  assert.equal(await bob.page.evaluate(audio), 1.5);
  await bob.page.setViewportSize(VIEWS[2].viewport);
  await checkScreen(bob.page, 'any');

  // Files show their duration, too: a sound, and a video without one in its header, as recorders produce them.
  await page.evaluate(DROP_SOUND_AND_VIDEO);
  await page.getByRole('dialog', { name: 'Send 2 files' }).getByRole('button', { name: 'Send' }).click();
  await allSent(page);
  for (const window of [page, bob.page]) {
    await window.getByRole('group', { name: 'Audio' }).getByText('0:03', { exact: true }).waitFor();
    await window
      .getByRole('article')
      .filter({ has: window.locator('video') })
      .getByText(RECORDED)
      .waitFor();
    const ratio = await window.locator('video').evaluate((video) => video.clientWidth / video.clientHeight);
    assert.equal(Math.round(ratio * 10) / 10, 2);
  }
  await checkScreen(bob.page, 'any');
});
