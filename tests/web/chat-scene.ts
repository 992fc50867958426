import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { Extension } from '#contract/applications.ts';
import type { Profile } from '#contract/chat.ts';
import { Browser } from '../browser.ts';
import { press, type WebScene } from './web-scene.ts';

/** A bot and its developer. */
export interface ChatBot {
  userId: string;
  username: string;
  name: string;
  /** Calls `/v1` as the bot. */
  posts<T = { msgId: string }>(path: string, body: object): Promise<T>;
  /** Shows the text so far of what it is writing. */
  drafts(conversationId: string, content: string, replyToMsgId?: string): Promise<void>;
  /** Reacts to a message. */
  reacts(conversationId: string, msgId: string, ...emoji: string[]): Promise<unknown>;
  /** Writes a text to a person who has written to it. */
  writes(to: string, content: string): Promise<string>;
  /** Its owner changes its profile. */
  changes(profile: object): Promise<unknown>;
  /** Its owner disables its application. */
  disabled(): Promise<unknown>;
  reactivated(): Promise<unknown>;
  /** Its owner switches an extension on. */
  extendedBy(extension: Extension): Promise<unknown>;
}

const COMMANDS = [
  { command: 'start', description: 'Begin' },
  { command: 'today', description: 'The weather today' },
  { command: 'tomorrow', description: 'The weather tomorrow' },
];

/** A new bot with an owner of its own. */
export async function createBot(
  origin: string,
  { name = 'Weather', username = 'weather_bot', description = 'Tells the weather.' } = {},
): Promise<ChatBot> {
  const owner = new Browser(origin);
  await owner.post('/api/auth/sign-up', {
    email: `${crypto.randomUUID()}@example.com`,
    password: 'correct horse battery',
    name: 'Owner',
  });
  const { appId, apiKey } = await owner.post('/api/console/applications', { name });
  const bot = { username, description, commands: COMMANDS };
  const { userId } = await owner.post(`/api/console/applications/${appId}/bot`, bot);
  const call = async <T>(method: string, path: string, body: object, expected: number): Promise<T> => {
    const answer = await fetch(origin + path, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { data, message } = (await answer.json()) as { data: T; message: string };
    assert.equal(answer.status, expected, `${path}: ${message}`);
    return data;
  };
  const posts = <T>(path: string, body: object) => call<T>('POST', path, body, 201);
  return {
    changes: (profile) => owner.patch(`/api/console/applications/${appId}/bot`, profile),
    disabled: () => owner.post(`/api/console/applications/${appId}/disable`, {}),
    reactivated: () => owner.post(`/api/console/applications/${appId}/reactivate`, {}),
    extendedBy: (extension) => owner.post(`/api/console/applications/${appId}/extensions`, { extension }),
    userId: String(userId),
    username,
    name,
    posts,
    drafts: async (conversationId, content, replyToMsgId) => {
      await call(
        'PUT',
        '/v1/messages/draft',
        { conversationId, content, ...(replyToMsgId && { replyToMsgId }) },
        200,
      );
    },
    reacts: (conversationId, msgId, ...emoji) =>
      call('PUT', `/v1/messages/${msgId}/reactions`, { conversationId, emoji }, 200),
    writes: async (to, content) =>
      (await posts<{ msgId: string }>('/v1/messages', { to, type: 'text', content })).msgId,
  };
}

/** Two people who know each other: the second used the first one's invite link and wrote. */
export async function introduce(
  host: Browser,
  guest: Browser,
  content = 'Hello, it is me.',
): Promise<{ conversationId: string; hostId: string }> {
  const { token } = await host.post('/api/auth/invite-link', {});
  const { conversationId, userId } = await guest.get<Profile>(`/api/chat/invites/${token}`);
  await say(guest, userId, content);
  return { conversationId, hostId: userId };
}

/** Ada in a window, and Bob, who has none and wrote to her. */
export async function enterWithBob(scene: WebScene, content?: string) {
  const ada = await scene.enter('/', { name: 'Ada' });
  const bob = await scene.person('Bob');
  const { conversationId } = await introduce(ada.calls, bob.calls, content);
  return { ...ada, bob, conversationId, says: (text: string) => say(bob.calls, ada.accountId, text) };
}

/** Sends a text to a person or a bot, without a page. */
export function say(calls: Browser, to: string, content: string): Promise<Record<string, unknown>> {
  return calls.post('/api/chat/messages', { to, type: 'text', content });
}

/** Types into the open conversation and sends. */
export async function write(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Write a message' }).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

/** The texts in the thread, in order, each as often as it is shown. */
export function shownTexts(page: Page): Promise<string[]> {
  return page.getByRole('log').evaluate((log) =>
    [...log.querySelectorAll('article')]
      .map((article) => ({
        top: article.getBoundingClientRect().top,
        text: article.querySelector('[dir=auto]')?.textContent ?? '',
      }))
      .sort((one, other) => one.top - other.top)
      .map(({ text }) => text),
  );
}

/** Waits until all unsent messages are sent. */
export async function allSent(page: Page): Promise<void> {
  await page.locator('article[data-unsent]').first().waitFor({ state: 'detached' });
}

/** Loads a page of the chat, and waits for its live events: what is not stored, such as typing, never comes without them. */
export async function listening(page: Page, load: () => Promise<unknown>): Promise<void> {
  // Until then, the page before may get its own.
  const isLeft = page.waitForResponse((response) => response.request().isNavigationRequest());
  await Promise.all([isLeft.then(() => page.waitForResponse('**/api/chat/live*')), load()]);
}

/** Chooses files from the menu of attachments. */
export async function attach(
  page: Page,
  item: string,
  files: ({ name: string; mimeType: string; buffer: Buffer } | string)[],
): Promise<void> {
  await press(page, 'Attach');
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('menuitem', { name: item }).click();
  await (await choosing).setFiles(files as string[]);
}

/** A group of this person and these accounts. */
export async function createGroup(calls: Browser, name: string, ...members: string[]): Promise<string> {
  return (await calls.post<{ groupId: string }>('/api/chat/groups', { name, members })).groupId;
}

/** Writes a text in a group, without a page. */
export function sayInGroup(calls: Browser, groupId: string, content: string) {
  return calls.post('/api/chat/groups/messages', { groupId, type: 'text', content });
}

/** Opens a conversation by its URL. */
export async function openChat(page: Page, conversationId: string): Promise<void> {
  await listening(page, () => page.goto(`/c/${conversationId}`));
  await page.getByRole('log').waitFor();
}

/** Opens the menu of the message with this text, and chooses an item. */
export async function choose(page: Page, text: string, item: string): Promise<void> {
  await page
    .locator('article', { hasText: text })
    .first()
    .getByRole('button', { name: 'Message actions' })
    .click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** The newest message that contains or quotes this text. */
export const message = (page: Page, text: string) =>
  page.getByRole('article').filter({ hasText: text }).last();

/** The smallest PNG. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A message with this text, to which a click leads, is marked. The mark fades: it is noticed as it comes, from before the click. */
export async function marks(page: Page, text: string, click: () => Promise<void>): Promise<void> {
  const isMarked = page.evaluate(`new Promise((resolve) => {
    new MutationObserver(() => {
      const marked = [...document.querySelectorAll('article[data-marked]')];
      if (marked.some(({ textContent }) => textContent.includes(${JSON.stringify(text)}))) resolve();
    }).observe(document, { subtree: true, childList: true, attributeFilter: ['data-marked'] });
  })`);
  await Promise.all([isMarked, click()]);
}

/** These show that somebody is typing. It disappears again: each is waited for from before the typing. */
export async function showTyping(places: Locator[], type: () => Promise<void>): Promise<void> {
  await Promise.all([...places.map((place) => place.waitFor()), type()]);
}
