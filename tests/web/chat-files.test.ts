import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileOf } from '#testing/files.ts';
import { scratchFolder } from '#testing/scratch-folder.ts';
import { uploadFile } from './chat-people.ts';
import { allSent, attach, enterWithBob, message, openChat, PIXEL } from './chat-scene.ts';
import { checkEveryView, checkScreen, press, startWebScene, until } from './web-scene.ts';

const scene = await startWebScene();
after(() => scene[Symbol.asyncDispose]());

test('what browsers cannot show is sent as a document, and what they cannot read is not sent', async (t) => {
  await using ada = await enterWithBob(scene);
  const { page, conversationId } = ada;
  await openChat(page, conversationId);
  const dialog = page.getByRole('dialog');
  const form = dialog.getByRole('radiogroup', { name: 'Send as' });
  for (const [name, mimeType] of [
    ['scan.tiff', 'image/tiff'],
    // Its content is not what its name says.
    ['page.png', 'image/png'],
    ['film.mp4', 'video/mp4'],
  ] as const) {
    await attach(page, 'Photo or video', [{ name, mimeType, buffer: fileOf('html') }]);
    await dialog.getByText(`Not every browser can show ${name}`).waitFor();
    assert.equal(await form.count(), 0);
    await checkScreen(page, 'any');
    await press(dialog, 'Send');
    await allSent(page);
    await message(page, name).getByText('Download').waitFor();
  }
  // The one that can be shown is not held back by another that cannot.
  await attach(page, 'Photo or video', [
    { name: 'pixel.png', mimeType: 'image/png', buffer: PIXEL },
    { name: 'broken.png', mimeType: 'image/png', buffer: fileOf('html') },
  ]);
  await dialog.getByText('Not every browser can show broken.png').waitFor();
  await press(dialog, 'Send');
  await allSent(page);
  await page.getByRole('button', { name: 'Enlarge the picture' }).waitFor();
  await message(page, 'broken.png').getByText('Download').waitFor();

  await attach(page, 'Photo or video', [{ name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.of() }]);
  await dialog.getByText('empty.txt is empty.').waitFor();
  assert.ok(await dialog.getByRole('button', { name: 'Send', exact: true }).isDisabled());
  await press(dialog, 'Cancel');

  const path = join(await scratchFolder(t), 'notes.txt');
  await writeFile(path, 'one');
  await attach(page, 'Photo or video', [path]);
  await rm(path);
  await press(dialog, 'Send');
  await message(page, 'notes.txt').getByText('The browser cannot read the file.').waitFor();
});

test('the forms of a file fit a phone', async () => {
  await using ada = await enterWithBob(scene);
  const { page, conversationId } = ada;
  await openChat(page, conversationId);
  await attach(page, 'Sticker', [{ name: 'pixel.png', mimeType: 'image/png', buffer: PIXEL }]);
  await page.getByText('As a document').waitFor();
  await checkEveryView(page);
});

test('a video or sound that the reader’s browser cannot play can be downloaded', async () => {
  await using ada = await enterWithBob(scene);
  const { page, bob, conversationId } = ada;
  const upload = (kind: 'image' | 'video' | 'audio', file: Buffer) =>
    uploadFile(page, scene.origin, kind, file, `a.${kind}`);
  const thumbnailUrl = await upload('image', PIXEL);
  const [video, audio] = [await upload('video', fileOf('mp4')), await upload('audio', fileOf('m4a'))];
  await ada.calls.post('/api/chat/messages', {
    to: bob.accountId,
    type: 'video',
    fileUrl: video,
    thumbnailUrl,
  });
  await ada.calls.post('/api/chat/messages', { to: bob.accountId, type: 'audio', fileUrl: audio });
  await openChat(page, conversationId);
  await page.getByRole('article').filter({ hasText: 'This cannot be shown' }).getByText('Download').waitFor();
  const sound = page.getByRole('group', { name: 'Audio' });
  await sound.getByText('This cannot be played').waitFor();
  await checkScreen(page, 'any');
  const [download] = await Promise.all([page.waitForEvent('download'), sound.getByText('Download').click()]);
  assert.equal(download.suggestedFilename(), 'a.audio');
});

test('what this browser cannot show does not become a story', async () => {
  await using ada = await scene.enter('/stories/new');
  const { page } = ada;
  for (const [kind, choose, name] of [
    ['Picture', 'Choose a picture', 'page.png'],
    ['Video', 'Choose a video', 'film.mp4'],
  ] as const) {
    await page.getByText(kind, { exact: true }).click();
    const choosing = page.waitForEvent('filechooser');
    await press(page, choose);
    await (await choosing).setFiles({ name, mimeType: '', buffer: fileOf('mp4') });
    await page.getByText('This browser cannot show the file.').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Publish' }).isDisabled());
    await page.reload();
  }
});

test('a text from an office program is pasted as text, not as the picture that accompanies it', async () => {
  await using ada = await enterWithBob(scene);
  const { conversationId } = ada;
  await openChat(ada.page, conversationId);
  const paste = (types: string) =>
    ada.page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      for (const type of [${types}]) clipboardData.setData(type, 'Total 12');
      clipboardData.items.add(new File(['x'], 'image.png', { type: 'image/png' }));
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      return document.querySelector('textarea').dispatchEvent(event);
    })()`);
  assert.equal(await paste("'text/plain', 'text/rtf'"), true);
  assert.equal(await paste(''), false);
  await ada.page.getByRole('dialog').waitFor();
});

test('a file that is sent has more time until the answer than one that does not get on', async () => {
  await using ada = await enterWithBob(scene);
  const { page, conversationId } = ada;
  await openChat(page, conversationId);
  await page.clock.install();
  await page.evaluate(SEND_WITHOUT_ANSWER);
  await attach(page, 'Photo or video', [{ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') }]);
  await press(page.getByRole('dialog'), 'Send');
  await until(page, 'sent === 1');
  await page.clock.runFor('01:59');
  assert.equal(await page.evaluate('aborted'), 0);
  await page.clock.runFor('00:02');
  assert.equal(await page.evaluate('aborted'), 1);
});

const SEND_WITHOUT_ANSWER = `
  globalThis.sent = 0;
  globalThis.aborted = 0;
  XMLHttpRequest.prototype.send = function () {
    this.upload.onprogress({ loaded: 1, total: 1 });
    this.upload.onload?.();
    sent += 1;
  };
  XMLHttpRequest.prototype.abort = () => { aborted += 1; };`;
