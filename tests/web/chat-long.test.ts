import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { systemClock } from '#platform/clock.ts';
import { formatKey, KEY_BYTES, Keyring } from '#platform/crypto/keyring.ts';
import { openDatabase } from '#platform/database.ts';
import { createIds } from '#platform/ids.ts';
import { systemRandom } from '#platform/random.ts';
import { createTestDatabase, type TestDatabase } from '#testing/database.ts';
import { fillThread } from '#testing/thread.ts';
import { eventually, LONGEST_WAIT_MS, PATIENT } from '#testing/waits.ts';
import { createBot, enterWithBob, introduce, marks, openChat, say, write } from './chat-scene.ts';
import { checkScreen, follow, startWebScene, until, VIEWS, type WebScene } from './web-scene.ts';

const MESSAGES = 3_000;
/** One in the middle, on a single line. */
const QUOTED = 1501;
/** Long enough for the whole thread. */
const MOST_ARTICLES = 80;

const key = systemRandom.bytes(KEY_BYTES);
let database: TestDatabase;
let scene: WebScene;
before(async () => {
  database = await createTestDatabase();
  const keys = formatKey(1, key).trim();
  const environment = { DATABASE_URL: database.url, MASTER_KEYS: keys, GROUPS_PER_DAY: '1000000' };
  scene = await startWebScene(environment, { isOptimizing: true });
});
after(async () => {
  await scene?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

/** Stores messages of a conversation directly in the database. Returns the msgIds. */
async function fill(conversationId: string, senderId: string, texts: string[]): Promise<string[]> {
  const storage = {
    db: openDatabase({ url: database.url, poolSize: 1, ...PATIENT }),
    keyring: new Keyring(new Map([[1, key]]), systemRandom),
    newId: createIds(systemClock, systemRandom),
    clock: systemClock,
  };
  const msgIds = await fillThread(storage, { conversationId, senderId }, texts);
  await storage.db.end({ timeout: 5 });
  return msgIds;
}

/** A person in the chat, with that many messages of Bob, all of them read. */
async function enterFilled(count: number) {
  const ada = await enterWithBob(scene);
  const { bob, conversationId } = ada;
  const texts = Array.from({ length: count }, (_, i) => textOf(i + 1));
  const msgIds = await fill(conversationId, bob.accountId, texts);
  await ada.calls.post(`/api/chat/conversations/${conversationId}/read`, { msgId: msgIds.at(-1) });
  return { ...ada, msgIds };
}

test('a thread of 3,000 messages: only a few are rendered, it scrolls to both ends, and quotes jump to their message', async () => {
  await using ada = await scene.enter('/', { name: 'Ada' });
  const bot = await createBot(scene.origin);
  const { page } = ada;
  const to = ada.accountId;
  const first = { to: bot.userId, type: 'text', content: 'message 0' };
  const { conversationId } = (await ada.calls.post('/api/chat/messages', first)) as {
    conversationId: string;
  };
  const texts = Array.from({ length: MESSAGES - 2 }, (_, i) => textOf(i + 1));
  const old = await fill(conversationId, bot.userId, texts);
  const newest = await bot.writes(to, textOf(MESSAGES - 1));
  await ada.calls.post(`/api/chat/conversations/${conversationId}/read`, { msgId: newest });
  await openChat(page, conversationId);
  const thread = page.getByRole('region', { name: 'Messages' });
  await thread.getByText(textOf(MESSAGES - 1), { exact: true }).waitFor();

  // Up through the whole history, at full scrolling speed.
  const gaps = await pull(page, -4000, 'message 0');
  const articles = await page.getByRole('article').count();
  assert.ok(articles < MOST_ARTICLES, `${articles} messages are in the page`);
  console.log(
    `# ${gaps.length} frames, median ${percentile(gaps, 0.5)} ms, 99th percentile ${percentile(gaps, 0.99)} ms, longest ${Math.round(Math.max(...gaps))} ms`,
  );

  // New messages do not move the view; the button leads to them.
  // What has come into view is still being measured, which moves it.
  const before = await page.evaluate(`new Promise((resolve) => {
    const thread = document.querySelector('section[aria-label="Messages"]');
    const look = (top) =>
      requestAnimationFrame(() => (thread.scrollTop === top ? resolve(top) : look(thread.scrollTop)));
    look();
  })`);
  await bot.writes(to, 'fresh');
  const toNewest = page.getByRole('button', { name: '1 new message' });
  await toNewest.waitFor();
  const after = await thread.evaluate((element) => element.scrollTop);
  assert.equal(after, before);
  await toNewest.click();
  await thread.getByText('fresh', { exact: true }).waitFor();

  // A read conversation opens where it was left. Writing there jumps to the end, and keeps the answer in view.
  await page.getByText('1 unread message').waitFor({ state: 'detached' });
  for (const [{ viewport }, place] of [
    [VIEWS[2], MESSAGES - 100],
    [VIEWS[0], MESSAGES - 200],
  ] as const) {
    await page.setViewportSize(viewport);
    await pull(page, -600, textOf(place));
    const left = (await textsInView(page)).find((text) => !text.includes('\n')) ?? '';
    await page.reload();
    await thread.getByText(left, { exact: true }).waitFor();
    assert.equal(await thread.getByText('fresh', { exact: true }).count(), 0);
  }
  await write(page, 'seen at once');
  await thread.getByText('seen at once', { exact: true }).waitFor();
  await bot.writes(to, 'and heard');
  await thread.getByText('and heard', { exact: true }).waitFor();

  // From a quote into the middle of the history, and on from there towards its end.
  await page.reload();
  await thread.getByText('and heard', { exact: true }).waitFor();
  const back = { to, type: 'text', content: 'look back', replyToMsgId: old[QUOTED - 1] };
  await bot.posts('/v1/messages', back);
  await marks(page, textOf(QUOTED), () => thread.getByRole('button', { name: textOf(QUOTED) }).click());
  await pull(page, 600, textOf(QUOTED + 200));
  await write(page, 'and the last');
  await thread.getByText('and the last', { exact: true }).waitFor();
  await thread.getByText('look back', { exact: true }).waitFor();
  assert.ok((await page.getByRole('article').count()) < MOST_ARTICLES);

  // A search covers the whole history automatically, and leads to its match.
  await page.getByRole('link', { name: 'Search in this conversation' }).click();
  const field = page.getByRole('searchbox', { name: 'Search in this conversation' });
  await field.fill('nowhere');
  await page.getByText('Nothing found').waitFor();
  await marks(page, 'message 1001', () => field.fill('SÓME 1001'));
  await page.getByText(/^1 of 1 /).waitFor();
  await checkScreen(page);
  await field.press('Escape');
  await page.setViewportSize(VIEWS[2].viewport);
  await page.getByRole('link', { name: 'Search in this conversation' }).click();
  await marks(page, 'message 2002', () => field.fill('message 2002'));
  await page.getByText(/^1 of 1 /).waitFor();
});

test('at the top of what is loaded, older messages of the same day do not move what is read', async () => {
  await using ada = await enterFilled(150);
  const { page, conversationId } = ada;
  const asked = Promise.withResolvers<Route>();
  await page.route(/\/messages\?(.*&)?before=/, (route) => asked.resolve(route), { times: 1 });
  await openChat(page, conversationId);
  const thread = page.getByRole('region', { name: 'Messages' });
  await thread.getByText(textOf(150), { exact: true }).waitFor();
  const toTop = setInterval(
    () => void thread.evaluate((element) => element.scrollTo(0, 0)).catch(() => {}),
    50,
  );
  const route = await asked.promise;
  await until(page, `document.querySelector('section[aria-label="Messages"]').scrollTop === 0`);
  clearInterval(toTop);
  const [read = ''] = await textsInView(page);
  const placeOf = async () => (await thread.getByText(read, { exact: true }).boundingBox())?.y ?? 0;
  const before = await placeOf();
  await route.continue();
  await until(page, `document.querySelector('section[aria-label="Messages"]').scrollTop > 500`);
  // It may follow one of the same sender now, with less space between them.
  await eventually(async () => Math.abs((await placeOf()) - before) < 20);
});

test('a message in the middle of the history is found while others arrive', async () => {
  await using ada = await enterFilled(300);
  const { page, bob, conversationId, msgIds } = ada;
  await openChat(page, conversationId);
  const log = page.getByRole('log');
  await log.getByText(textOf(300), { exact: true }).waitFor();
  const arrives = async (route: Route) => {
    await say(bob.calls, ada.accountId, 'meanwhile');
    await log.getByText('meanwhile').waitFor();
    await route.continue();
  };
  await page.route(/[?&]around=/, arrives, { times: 1 });
  await marks(page, textOf(101), () => follow(page, `/c/${conversationId}?at=${msgIds[100]}`));
});

test('a conversation opens at its first unread message, and only messages on the screen become read', async () => {
  await using ada = await scene.enter('/', { name: 'Ada' });
  const bob = await scene.person('Bob');
  const { page } = ada;
  const thread = page.getByRole('region', { name: 'Messages' });
  for (const [view, { viewport }] of [VIEWS[0], VIEWS[2]].entries()) {
    const conversations = [];
    for (const count of [1, 5, 13, 30, 40, 41, 200]) {
      // One is loaded in part, the next one not at all.
      const known = count % 2 === view ? 30 : 0;
      const { groupId } = await ada.calls.post('/api/chat/groups', { name: `${count} unread` });
      const conversationId = String(groupId);
      const texts = Array.from({ length: known + count }, (_, i) => textOf(i + 1));
      const msgIds = await fill(conversationId, bob.accountId, texts);
      const last = msgIds[known - 1];
      if (last) await ada.calls.post(`/api/chat/conversations/${conversationId}/read`, { msgId: last });
      conversations.push({ conversationId, count, known, texts, msgIds });
    }
    await page.setViewportSize(viewport);
    await page.goto('/');
    await page.getByRole('link', { name: '200 unread' }).first().waitFor();
    for (const { conversationId, count, known, texts, msgIds } of conversations) {
      const marking = page.waitForResponse(`**/${conversationId}/read`);
      await follow(page, `/c/${conversationId}`);
      const { readMsgId } = (await (await marking).json()).data as { readMsgId: string };
      const seen = await textsInView(page);
      const what = `${count} unread in a window of ${viewport.width}: ${seen.map((text) => text.slice(0, 12))}`;
      assert.ok(seen.includes(textOf(known + 1)), what);
      assert.ok(await thread.getByText('New messages').isVisible(), what);
      assert.equal(texts[msgIds.indexOf(readMsgId)], seen.at(-1), what);
    }
  }
});

test('a search by name covers all conversations, and renders only the first ones', async () => {
  await using ada = await scene.enter('/', { name: 'Ada' });
  const { page } = ada;
  const names = Array.from({ length: 105 }, (_, i) => `Group ${i}`);
  await Promise.all(names.map((name) => ada.calls.post('/api/chat/groups', { name })));
  await page.reload();
  await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('Group');
  const entries = page.getByRole('link', { name: /^Group \d/ });
  await eventually(async () => (await entries.count()) === 100);
  const more = page.getByRole('button', { name: 'Load more' });
  await more.click();
  await entries.nth(104).waitFor();
  await more.waitFor({ state: 'detached' });
});

test('the end of a thread stays in view when the field below it grows by a line', async () => {
  await using ada = await scene.enter('/', { name: 'Ada' });
  const bob = await scene.person('Bob');
  const { page } = ada;
  const { conversationId } = await introduce(bob.calls, ada.calls);
  // Tall ones: the same ones are in view with a line less, so that nothing else renders the thread again.
  for (const i of [1, 2, 3, 4]) await say(ada.calls, bob.accountId, `message ${i}${'\nand so on'.repeat(7)}`);
  await openChat(page, conversationId);
  const thread = `document.querySelector('section[aria-label="Messages"]')`;
  const belowPx = `${thread}.scrollHeight - ${thread}.clientHeight - ${thread}.scrollTop`;
  await page.getByRole('article').getByText('message 4').waitFor();
  await until(page, `${thread}.scrollTop > 0 && ${belowPx} < 1`);
  // In the next frame: some other change may render the thread again, and move it to its end, later.
  const then = page.evaluate(`new Promise((resolve) => {
    const { clientHeight } = ${thread};
    new ResizeObserver(() => {
      if (${thread}.clientHeight < clientHeight) requestAnimationFrame(() => resolve(${belowPx}));
    }).observe(${thread});
  })`);
  await page.getByRole('textbox', { name: 'Write a message' }).fill('One line\nand another');
  assert.ok(Number(await then) < 1);
});

/** The texts of the messages in the thread, from first to last. */
function textsInView(page: Page): Promise<string[]> {
  return page.getByRole('region', { name: 'Messages' }).evaluate((thread) => {
    const { top, bottom } = thread.getBoundingClientRect();
    return [...thread.querySelectorAll('article')]
      .map((article) => ({ box: article.getBoundingClientRect(), article }))
      .filter(({ box }) => box.top >= top && box.bottom <= bottom)
      .sort((one, other) => one.box.top - other.box.top)
      .map(({ article }) => article.querySelector('[dir=auto]')?.textContent ?? '');
  });
}

function textOf(i: number): string {
  return i % 7 === 0 ? `message ${i}\n${'some more words '.repeat((i % 23) + 1).trim()}` : `message ${i}`;
}

/** Scrolls by that many pixels per frame until a text appears; returns the time between frames in milliseconds. */
function pull(page: Page, by: number, until: string): Promise<number[]> {
  return page.getByRole('region', { name: 'Messages' }).evaluate(
    (thread, { by, until, longestMs }) =>
      new Promise<number[]>((resolve, reject) => {
        // This runs in the page; the tests are type-checked for Node.
        const { requestAnimationFrame } = globalThis as unknown as {
          requestAnimationFrame(step: (now: number) => void): void;
        };
        const gaps: number[] = [];
        const startedAt = performance.now();
        let last = startedAt;
        const step = (now: number) => {
          gaps.push(now - last);
          last = now;
          const texts = [...thread.querySelectorAll('article [dir=auto]')].map((one) => one.textContent);
          if (texts.includes(until)) return resolve(gaps);
          if (now - startedAt > longestMs) return reject(new Error(`not there yet: ${texts.at(0)}`));
          thread.scrollBy(0, by);
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
    { by, until, longestMs: LONGEST_WAIT_MS },
  );
}

function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
}
