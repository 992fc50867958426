import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { connectApplication } from './chat-people.ts';
import { choose, createBot, introduce, openChat, say, write } from './chat-scene.ts';
import { CORPUS } from './corpus.ts';
import { checkScreen, startWebScene, until, VIEWS } from './web-scene.ts';

const [script = '', image = '', svg = '', address = '', area = '', , , , bidi = ''] = CORPUS;
/** The most hostile value that the server accepts as a URL. */
const LINK = 'https://example.com/%22onerror=%22window.hacked=1';
/** An application's name has the lowest limit of these fields. */
const NAME_LENGTH = 64;

test('groups, stories, invitations, blocked people and applications show input of others as text', async () => {
  await using scene = await startWebScene();
  await using ada = await scene.enter('/', { name: 'Ada' });
  const eve = await scene.person(image);
  const { page } = ada;
  const seen = async (path: string, ...texts: string[]) => {
    await page.goto(path);
    for (const text of texts) await page.getByText(text, { exact: false }).first().waitFor();
    assert.equal(await page.evaluate('"hacked" in window'), false, path);
    await checkScreen(page);
  };
  const bot = await createBot(scene.origin, {
    name: svg.slice(0, NAME_LENGTH),
    username: 'hostile_name_bot',
    description: script,
  });
  for (const { calls } of [ada, eve]) {
    await say(calls, bot.userId, script);
  }
  await introduce(ada.calls, eve.calls, script);
  const { token } = await eve.calls.post('/api/auth/invite-link', {});
  await seen(`/i/${token}`, image);

  // Nowhere to wrap.
  const wide = await scene.person('Wilhelmina'.repeat(6));
  await introduce(wide.calls, eve.calls);
  const { groupId } = await eve.calls.post('/api/chat/groups', {
    name: script,
    description: CORPUS.join('\n'),
    members: [ada.accountId, bot.userId, wide.accountId],
    photoUrl: LINK,
  });
  await eve.calls.post('/api/chat/polls', { groupId, question: script, options: [image, svg] });
  await openChat(page, String(groupId));
  await page.getByRole('article').getByText(script).waitFor();
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    assert.deepEqual(await spilled(page), [], `in a window of ${width}`);
  }
  await page.setViewportSize(VIEWS[0].viewport);
  await seen(`/c/${groupId}/info`, script, image, area, svg.slice(0, NAME_LENGTH));
  await page.setViewportSize(VIEWS[2].viewport);
  const menus = page.getByRole('button', { name: /^Actions for/ });
  // Of all but Ada.
  await menus.nth(2).waitFor();
  for (const menu of await menus.all()) {
    const { x = 0, width = 0 } = (await menu.boundingBox()) ?? {};
    assert.ok(
      x + width <= VIEWS[2].viewport.width,
      `${await menu.getAttribute('aria-label')} is out of sight`,
    );
  }
  await page.setViewportSize(VIEWS[0].viewport);
  await seen('/new/group', image);

  for (const text of CORPUS) await eve.calls.post('/api/chat/stories', { type: 'text', text });
  await eve.calls.post('/api/chat/stories', { type: 'image', imageUrl: LINK });
  await seen('/', image);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await seen(`/stories/${eve.accountId}`, script);
  for (const text of [image, svg, address, area]) {
    await page.keyboard.press('ArrowRight');
    await page.getByText(text).last().waitFor();
  }

  for (const userId of [bot.userId, eve.accountId]) await ada.calls.post('/api/chat/blocks', { userId });
  await seen('/settings/blocked', image, svg.slice(0, NAME_LENGTH));

  for (const name of [script, image, svg, bidi].map((text) => text.slice(0, NAME_LENGTH))) {
    await using client = await connectApplication(page, scene.origin, name, 'profile');
    await client.gets('/oauth/userinfo', client.accessToken);
    await page.goto('/settings/applications');
    await page.locator('.mantine-Accordion-control').filter({ hasText: name.trim() }).click();
    await page.getByText('Read your name and picture').waitFor();
    await page.getByRole('button', { name: 'End access' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End access' }).click();
    await page.getByText('It no longer has any access.').waitFor();
    const { status } = await client.gets('/oauth/userinfo', client.accessToken);
    assert.equal(status, 401);
  }
  await seen('/settings/applications', image);
});

test('what is cut off shows its beginning, also where it is written from right to left', async () => {
  await using scene = await startWebScene();
  await using ada = await scene.enter('/', { name: 'Ada' });
  const name = 'מזג האוויר השקט '.repeat(8).slice(0, NAME_LENGTH).trim();
  const eve = await scene.person(name);
  await introduce(ada.calls, eve.calls, name.repeat(3));
  const { page } = ada;
  await page.setViewportSize(VIEWS[2].viewport);
  const entry = page.getByRole('link', { name });
  assert.deepEqual(await beginning(entry.getByText(name, { exact: true })), CUT_AT_ITS_END);
  await entry.click();
  assert.deepEqual(await beginning(page.getByRole('heading', { name })), CUT_AT_ITS_END);
  await until(page, `document.title.endsWith('\u2068${name}\u2069 – Parley')`);
  const searching = page.url().replace('/c/', '/search?in=');
  await choose(page, name, 'Reply');
  const reply = page.getByRole('region', { name: 'Replying to' });
  assert.deepEqual(await beginning(reply.getByText(name, { exact: true })), CUT_AT_ITS_END);
  await write(page, 'Yes');
  // What is being sent is replaced once it is.
  const sent = page.locator('article:not([data-unsent])').filter({ hasText: 'Yes' });
  const quote = sent.getByText(name, { exact: true });
  assert.deepEqual(await beginning(quote), CUT_AT_ITS_END);
  await eve.calls.post('/api/chat/stories', { type: 'text', text: 'Hello' });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`/stories/${eve.accountId}`);
  const author = page.getByRole('dialog').getByText(name, { exact: true });
  assert.deepEqual(await beginning(author), CUT_AT_ITS_END);
  await ada.calls.post('/api/chat/blocks', { userId: eve.accountId });
  await page.goto('/settings/blocked');
  const blocked = page.getByRole('main').getByText(name, { exact: true });
  assert.deepEqual(await beginning(blocked), CUT_AT_ITS_END);
  await page.goto(searching);
  const title = page.getByRole('heading', { name: /^Search in/ });
  assert.deepEqual(await beginning(title, name), { isCut: false, isInSight: true });
});

test('names from right to left leave the words of a sentence in their order', async () => {
  await using scene = await startWebScene();
  await using ada = await scene.enter('/', { name: 'Ada' });
  const names = ['דן', 'רון', 'גיל', 'נועה'];
  const [dan, ...others] = await Promise.all(names.map((name) => scene.person(name)));
  assert.ok(dan);
  for (const { calls } of [ada, ...others]) await introduce(dan.calls, calls);
  const members = [ada.accountId];
  const { groupId } = await dan.calls.post('/api/chat/groups', { name: 'Tea', members });
  const memberIds = others.map(({ accountId }) => accountId);
  await dan.calls.post('/api/chat/groups/members', { groupId, memberIds });
  const { page } = ada;
  await openChat(page, String(groupId));
  for (const where of [page.getByRole('main'), page.getByRole('link', { name: /^Tea/ })]) {
    const sentence = where.getByText(/דן.* added .*רון/);
    await sentence.waitFor();
    const { said, shown } = await orderOf(sentence, ['added', ...names]);
    assert.deepEqual(shown, said);
  }
});

/** These words of a text: in which order they were said, and in which they are shown from left to right. */
function orderOf(text: Locator, words: string[]): Promise<Record<'said' | 'shown', string[]>> {
  return text.evaluate((element, sought) => {
    const node = element.firstChild ?? element;
    const startOf = (word: string) => (node.textContent ?? '').indexOf(word);
    const leftOf = (word: string) => {
      const range = element.ownerDocument.createRange();
      range.setStart(node, startOf(word));
      range.setEnd(node, startOf(word) + word.length);
      return range.getBoundingClientRect().left;
    };
    return {
      said: sought.toSorted((one, other) => startOf(one) - startOf(other)),
      shown: sought.toSorted((one, other) => leftOf(one) - leftOf(other)),
    };
  }, words);
}

const CUT_AT_ITS_END = { isCut: true, isInSight: true };

/** Whether a text is cut off, and whether its first character, or that of a name in it, is in sight. */
function beginning(text: Locator, name = ''): Promise<typeof CUT_AT_ITS_END> {
  return text.evaluate((element, sought) => {
    const first = element.ownerDocument.createRange();
    const start = (element.textContent ?? '').indexOf(sought);
    first.setStart(element.firstChild ?? element, start);
    first.setEnd(element.firstChild ?? element, start + 1);
    const [box, { left, right }] = [element.getBoundingClientRect(), first.getBoundingClientRect()];
    return {
      isCut: element.scrollWidth > element.clientWidth,
      isInSight: left >= box.left && right <= box.right,
    };
  }, name);
}

/** The controls of messages that overflow their bubble. */
function spilled(page: Page): Promise<string[]> {
  return page.getByRole('log').evaluate((log) =>
    [...log.querySelectorAll('article [class*=bubble]')].flatMap((bubble) => {
      const { left, right } = bubble.getBoundingClientRect();
      return [...bubble.querySelectorAll('button, img, video, audio, a')]
        .filter((part) => {
          const box = part.getBoundingClientRect();
          return box.left < left - 1 || box.right > right + 1;
        })
        .map((part) => part.outerHTML.slice(0, 80));
    }),
  );
}
