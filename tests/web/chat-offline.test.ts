import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { allSent, introduce, openChat } from './chat-scene.ts';
import { checkScreen, settled, startWebScene, until, VIEWS } from './web-scene.ts';

const scene = await startWebScene(undefined, { hasNotifications: true });
after(() => scene[Symbol.asyncDispose]());

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
  // An invitation to a group, too.
  await page.goto('/join#abc');
  await page.getByText('No connection').first().waitFor();
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

const KEEP_MICROPHONE = `{
  const { mediaDevices } = navigator;
  const getUserMedia = mediaDevices.getUserMedia.bind(mediaDevices);
  mediaDevices.getUserMedia = async (wanted) => (globalThis.microphone = await getUserMedia(wanted));
}`;

/** Safari on an iPhone loads no frame of a video before it is sought or played. */
const SOUGHT_BEFORE_LOADED = `HTMLVideoElement.prototype.addEventListener = function (type, ...how) {
  if (type !== 'loadeddata') EventTarget.prototype.addEventListener.call(this, type, ...how);
}`;

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
  await page.evaluate(SOUGHT_BEFORE_LOADED);
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

  // The microphone is unplugged during a recording.
  await page.evaluate(KEEP_MICROPHONE);
  await record.click();
  await timer.getByText(RECORDED).waitFor();
  await page.evaluate('microphone.getTracks().forEach((track) => track.stop())');
  await page.getByRole('button', { name: 'Send the voice message' }).click();
  await voice.nth(1).waitFor();

  // A link to them opens a player.
  const sound = bob.page.getByRole('group', { name: 'Audio' }).locator('audio');
  await bob.page.goto(String(await sound.getAttribute('src')));
  await until(bob.page, "document.querySelector('video').readyState > 0");
});
