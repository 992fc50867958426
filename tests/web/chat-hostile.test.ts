import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allSent, attach, createBot, introduce, openChat, PIXEL, write } from './chat-scene.ts';
import { CORPUS } from './corpus.ts';
import { press, startWebScene } from './web-scene.ts';

test('input of people, bots and applications is shown as text', async () => {
  await using scene = await startWebScene();
  const [name = ''] = CORPUS;
  await using ada = await scene.enter('/', { name: 'Ada' });
  const bob = await scene.person(name);
  const bot = await createBot(scene.origin, {
    name: CORPUS[1]?.slice(0, 60) ?? '',
    username: 'hostile_bot',
    description: CORPUS[2] ?? '',
  });
  const { conversationId } = await introduce(ada.calls, bob.calls, name);
  const { page } = ada;
  for (const content of CORPUS) {
    const { msgId } = await bob.calls.post('/api/chat/messages', {
      to: ada.accountId,
      type: 'text',
      content,
    });
    await bob.calls.post('/api/chat/messages', {
      to: ada.accountId,
      type: 'doc',
      fileUrl: `https://cdn.example.com/${encodeURIComponent(content)}`,
      caption: content,
      replyToMsgId: msgId,
    });
    const location = { latitude: 1, longitude: 2, name: content, address: content };
    await bob.calls.post('/api/chat/messages', { to: ada.accountId, type: 'location', location });
    await bob.calls.post('/api/chat/polls', {
      receiverId: ada.accountId,
      question: content,
      options: [content.slice(0, 100), 'other'],
    });
  }
  await openChat(page, conversationId);
  await page.getByRole('heading', { level: 1 }).getByText(name).waitFor();
  await page
    .getByText(CORPUS.at(-1) ?? '')
    .first()
    .waitFor();
  // All messages pass through the page once, from the newest to the oldest.
  for (let i = 0; i < 25; i++) {
    await page.evaluate(`new Promise((drawn) => {
      document.querySelector('section[aria-label="Messages"]').scrollBy(0, -700);
      requestAnimationFrame(() => requestAnimationFrame(drawn));
    })`);
  }
  await page.getByText(name).first().waitFor();

  // A file name, and typed input.
  const fileName = '<img src=x onerror=hacked=1>.png';
  await attach(page, 'Document', [{ name: fileName, mimeType: 'image/png', buffer: PIXEL }]);
  await press(page.getByRole('dialog'), 'Send');
  await write(page, CORPUS[2] ?? '');
  await allSent(page);
  await page.goto(`/new/bot?username=${bot.username}`);
  await page
    .getByRole('main')
    .getByText(CORPUS[2] ?? '')
    .waitFor();
  await page.goto(`/new/bot?username=${encodeURIComponent(CORPUS[1] ?? '')}`);
  await page.getByText('Nobody is called').waitFor();

  assert.equal(await page.evaluate('"hacked" in window'), false);
  await openChat(page, conversationId);
  assert.equal(await page.evaluate('"hacked" in window'), false);
  const shown = page.getByRole('log').locator('a');
  await shown.first().waitFor();
  const links = await shown.evaluateAll((all) =>
    all.map((a) => ({ href: a.getAttribute('href') ?? '', rel: a.getAttribute('rel') ?? '' })),
  );
  for (const { href, rel } of links) {
    assert.match(href, /^(https?:\/\/|\/media\/)/);
    assert.match(rel, /noopener noreferrer nofollow/);
  }
  assert.ok(links.length > 0);
});
