import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { privateConversationId } from '#platform/ids.ts';
import { eventually } from '#testing/waits.ts';
import type { Visit } from '../chromium.ts';
import { uploadFile } from './chat-people.ts';
import { choose, introduce, marks, message, openChat, PIXEL, say, sayInGroup, write } from './chat-scene.ts';
import { checkScreen, follow, type Person, startWebScene, VIEWS, type WebScene } from './web-scene.ts';

const kept = new AsyncDisposableStack();
let scene: WebScene;
/** On desktop and phone: each test continues in the conversations of the one before. */
let ada: Visit & Person;
let bob: Visit & Person;
let eve: Person;
let page: Page;
let phone: Page;
let conversationId: string;
let groupId: string;
before(async () => {
  scene = kept.use(await startWebScene());
  ada = kept.use(await scene.enter('/', { name: 'Ada' }));
  bob = kept.use(await scene.enter('/', { name: 'Bob' }));
  [page, phone] = [ada.page, bob.page];
  await phone.setViewportSize(VIEWS[2].viewport);
  ({ conversationId } = await introduce(bob.calls, ada.calls, 'Really?'));
  eve = await scene.person('Eve');
  await introduce(ada.calls, eve.calls);
  const group = { name: 'Tea at five', members: [bob.accountId] };
  groupId = String((await ada.calls.post('/api/chat/groups', group))['groupId']);
  for (const window of [page, phone]) await openChat(window, groupId);
});
after(() => kept.disposeAsync());

test('formatting: by keyboard, with a help; a new profile picture reaches open pages', async () => {
  // A new profile picture reaches open pages.
  const pictureUrl = await uploadFile(phone, scene.origin, 'image', PIXEL, 'bob.png');
  await bob.calls.patch('/api/auth/profile', { pictureUrl });
  const bobs = page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name: /Bob/ });
  await bobs.locator(`img[src="${pictureUrl}"]`).first().waitFor();

  // Formatting: by buttons and by keyboard; links, lists and code with a copy button; lists and quotes show the plain text.
  const typing = page.getByRole('textbox', { name: 'Write a message' });
  await typing.fill('Strong');
  await typing.selectText();
  for (const shown of ['~~Strong~~', 'Strong']) {
    await page.getByRole('button', { name: 'Formatting' }).click();
    await page.getByRole('toolbar', { name: 'Formatting' }).waitFor();
    await checkScreen(page);
    await page.getByRole('button', { name: 'Strikethrough' }).click();
    await typing.and(page.locator(':focus')).waitFor();
    assert.equal(await typing.inputValue(), shown);
  }
  // Both before the next frame, as keys come on a busy machine.
  await page.evaluate(`(async () => {
    for (const key of ['b', 'i']) {
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey: true, bubbles: true }));
      await new Promise((resolve) => queueMicrotask(resolve));
    }
  })()`);
  assert.equal(await typing.inputValue(), '***Strong***');
  await page.keyboard.press('Control+i');
  await page.keyboard.press('Enter');
  await phone.locator('article strong').getByText('Strong').waitFor();
  await page.getByRole('navigation', { name: 'Conversations' }).getByText('You: Strong').waitFor();
  const marked = [
    '> ~~old~~',
    '- see [the menu](https://menu.example/tea)',
    '- [menu.example](https://evil.example), ![x](https://x.example/x.png), <b>no</b>, [x](javascript:alert(1))',
    '```js',
    'const tea = "**hot**";',
    '```',
  ];
  await sayInGroup(ada.calls, groupId, marked.join('\n'));
  for (const window of [page, phone]) {
    const shown = message(window, 'const tea');
    await shown.locator('blockquote del').getByText('old').waitFor();
    const links = shown.locator('li a');
    assert.equal(await links.first().getAttribute('href'), 'https://menu.example/tea');
    assert.equal(await links.nth(1).textContent(), 'menu.example (https://evil.example)');
    assert.equal(await shown.locator('img').count(), 0);
    assert.equal(await shown.locator('a[href^=javascript]').count(), 0);
    await shown.getByText('<b>no</b>', { exact: false }).waitFor();
    await checkScreen(window, 'any');
  }
  await message(page, 'const tea').getByRole('button', { name: 'Copy the code' }).click();
  await page.getByRole('alert').getByText('Copied').waitFor();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'const tea = "**hot**";');
  await choose(phone, 'Strong', 'Reply');
  await phone.getByRole('region', { name: 'Replying to' }).getByText('Strong', { exact: true }).waitFor();
  await phone.getByRole('button', { name: 'Cancel reply' }).click();
});

test('reactions and emoji: from the menu, by a click, from the picker', async () => {
  // Reactions: from the menu, by clicking existing ones, and from the picker with a search.
  await sayInGroup(ada.calls, groupId, 'Tea?');
  await choose(phone, 'Tea?', 'React with 👍');
  await page.getByRole('button', { name: '👍 1: Bob' }).click();
  await phone.getByRole('button', { name: '👍 2: You and Ada' }).waitFor();
  await page.getByRole('button', { name: '👍 2: You and Bob' }).waitFor();
  await choose(page, 'Tea?', 'More emoji');
  const picker = page.getByRole('dialog', { name: 'Emoji' });
  await picker.getByText('🖐🏽').click();
  await picker.getByRole('searchbox', { name: 'Search emoji' }).fill('waving');
  await checkScreen(page);
  await picker.getByRole('button', { name: 'waving hand' }).click();
  await phone.getByRole('button', { name: '👋🏽 1: Ada' }).waitFor();
  await phone.getByRole('button', { name: '👍 2: You and Ada' }).click();
  await page.getByRole('button', { name: '👍 1: You' }).waitFor();
  await choose(phone, 'Tea?', 'Who reacted');
  const who = phone.getByRole('dialog', { name: 'Reactions' });
  await who.getByText('Ada').nth(1).waitFor();
  await checkScreen(phone, 'any');
  await phone.goBack();
  await who.waitFor({ state: 'detached' });
  await checkScreen(phone);

  // A single emoji is large; the field's picker remembers recent ones.
  await page.getByRole('button', { name: 'Emoji', exact: true }).click();
  await page.getByRole('heading', { name: 'Recently used' }).waitFor();
  await checkScreen(page, 'any');
  await page
    .getByRole('dialog', { name: 'Emoji' })
    .getByRole('button', { name: 'waving hand' })
    .first()
    .click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await phone.locator('[data-large]').getByText('👋🏽').waitFor();
});

test('settings of a conversation: pinned, muted, archived, with or without sound', async () => {
  // Settings of a conversation: pinned, muted for a time, archived; on phones in the details.
  const list = page.getByRole('navigation', { name: 'Conversations' });
  const entry = (name: string | RegExp) => list.getByRole('link', { name });
  const act = async (name: string, item: string) => {
    await list.getByRole('button', { name: `Actions for the conversation ${name}` }).click({ force: true });
    await page.getByRole('menuitem', { name: item }).click();
  };
  await act('Bob', 'Pin');
  await entry(/^Bob.*pinned/).waitFor();
  assert.match(await list.locator('a[href^="/c/"]').first().innerText(), /Bob/);
  await act('Bob', 'For 8 hours');
  await entry(/^Bob.*muted/).waitFor();
  await act('Eve', 'Archive');
  await entry(/^Eve/).waitFor({ state: 'detached' });
  await list.getByRole('button', { name: 'Archive', exact: true }).click();
  await entry(/^Eve/).waitFor();
  await checkScreen(page);
  await list.getByRole('button', { name: 'Groups' }).click();
  await entry(/^Bob/).waitFor({ state: 'detached' });
  await say(eve.calls, ada.accountId, 'One more thing');
  await list.getByRole('button', { name: 'Unread' }).click();
  await entry(/^Eve.*One more thing/).waitFor();
  await list.getByRole('button', { name: 'All' }).click();

  await phone.goto(`/c/${groupId}/info`);
  const details = phone.getByRole('complementary', { name: 'Details' });
  await details
    .getByRole('combobox', { name: 'Notifications' })
    .selectOption('Only messages that mention me');
  await details.getByRole('switch', { name: 'Pinned to the top of the list' }).click();
  await details.getByRole('switch', { name: 'Notifications with a sound' }).click();
  await checkScreen(phone);
  await follow(phone, '/');
  await ada.calls.post('/api/chat/groups/messages', {
    groupId,
    type: 'text',
    content: '@Bob come!',
    mentionedUserIds: [bob.accountId],
  });
  await phone.getByRole('link', { name: /^Tea at five.*pinned.*mentions you/ }).waitFor();
  await checkScreen(phone);
  // On a phone, a long press opens the menu of an entry, as a right click does.
  const held = async (item: string) => {
    await phone.getByRole('link', { name: /^Ada/ }).click({ button: 'right' });
    await phone.getByRole('menuitem', { name: item }).click();
  };
  await held('For 1 week');
  await phone.getByRole('link', { name: /^Ada.*muted/ }).waitFor();
  await held('Archive');
  await phone.getByRole('link', { name: /^Ada/ }).waitFor({ state: 'detached' });
  await phone.getByRole('button', { name: 'Archive', exact: true }).click();
  await held('Unarchive');
  await phone.getByRole('link', { name: /^Ada/ }).waitFor({ state: 'detached' });
  await phone.getByRole('button', { name: 'Groups' }).click();
  await phone.getByRole('link', { name: /^Tea at five/ }).waitFor();
  await checkScreen(phone, 'any');
  await phone.getByRole('button', { name: 'All' }).click();
  await phone.getByRole('link', { name: /^Ada/ }).waitFor();
  await eventually(async () => {
    const kept = await bob.calls.get<Record<string, unknown>>(`/api/chat/conversations/${groupId}`);
    return kept['notifyOf'] === 'mentions' && kept['hasSound'] === false;
  });

  // A message in another conversation than the open one plays a sound, unless sounds are off there.
  await page.evaluate(`{
    const make = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function () {
      document.documentElement.dataset.notes = Number(document.documentElement.dataset.notes ?? 0) + 1;
      return make.call(this);
    };
  }`);
  await say(eve.calls, ada.accountId, 'Ding');
  await page.locator('html[data-notes="2"]').waitFor();
  const withEve = privateConversationId(ada.accountId, eve.accountId);
  await ada.calls.patch(`/api/chat/conversations/${withEve}`, { hasSound: false });
  await say(eve.calls, ada.accountId, 'Silence');
  await entry(/^Eve.*Silence/).waitFor();
  assert.equal(await page.locator('html').getAttribute('data-notes'), '2');
  await follow(page, '/');
  const mention = { type: 'text', content: '@Ada when?', mentionedUserIds: [ada.accountId] };
  await bob.calls.post('/api/chat/groups/messages', { groupId, ...mention });
  await entry(/^Tea at five.*mentions you/).waitFor();
});

test('messages are forwarded to several conversations, and pinned', async () => {
  // Several messages are forwarded to several conversations; a pinned message leads to its place.
  await phone.goto(`/c/${conversationId}`);
  await follow(page, `/c/${groupId}`);
  await choose(page, '@Bob come!', 'Select');
  await page.getByRole('article').filter({ hasText: 'Tea?' }).first().waitFor();
  await page.getByText('1 selected').waitFor();
  await page.getByRole('checkbox', { name: 'Select this message', checked: false }).last().check();
  await page.getByRole('heading', { name: '2 selected' }).waitFor();
  await checkScreen(page, 'any');
  await page.getByRole('button', { name: 'Forward' }).click();
  const forwarding = page.getByRole('dialog', { name: 'Forward 2 messages' });
  await forwarding.getByRole('checkbox', { name: 'Bob' }).check();
  await forwarding.getByRole('checkbox', { name: 'Eve' }).check();
  await checkScreen(page);
  await forwarding.getByRole('button', { name: 'Forward' }).click();
  await phone
    .getByRole('article')
    .filter({ hasText: 'Forwarded from Ada' })
    .getByText('@Bob come!')
    .waitFor();
  // On a phone, too.
  await choose(phone, 'Really?', 'Select');
  await phone.getByRole('heading', { name: '1 selected' }).waitFor();
  await checkScreen(phone, 'any');
  await phone.getByRole('button', { name: 'Forward' }).click();
  const sendingOn = phone.getByRole('dialog', { name: 'Forward a message' });
  await sendingOn.getByRole('checkbox', { name: 'Tea at five' }).check();
  await checkScreen(phone, 'any');
  await sendingOn.getByRole('button', { name: 'Forward' }).click();
  await message(phone, 'Forwarded from Ada').getByText('Really?').waitFor();
  await phone.locator('article[data-unsent]').first().waitFor({ state: 'detached' });
  await follow(phone, `/c/${conversationId}`);
  // On desktop, messages are found by sender, kind and date.
  await follow(page, '/search?words=tea');
  await page.getByText(/messages? found/).waitFor();
  await page.getByRole('button', { name: 'Filters' }).click();
  for (const [filter, value] of [
    ['From', 'Eve'],
    ['Kind', 'Photo'],
  ] as const) {
    await page.getByRole('combobox', { name: filter }).selectOption(value);
    await page.getByText('Nothing found').waitFor();
    await page.getByRole('combobox', { name: filter }).selectOption({ index: 0 });
    await page.getByText(/messages? found/).waitFor();
  }
  await follow(phone, '/search');
  await phone.getByRole('searchbox', { name: 'Words' }).fill('tea');
  await phone.getByText(/messages? found/).waitFor();
  await phone.getByRole('button', { name: 'Filters' }).click();
  for (const window of [page, phone]) {
    await window.getByLabel('Until').fill('2020-01-01');
    await window.getByText('Nothing found').waitFor();
    await window.getByLabel('Until').fill('');
    await window.getByText(/messages? found/).waitFor();
  }
  // On a phone, words are found across conversations, and results lead to the message.
  await phone.getByRole('combobox', { name: 'From' }).selectOption('You');
  await phone.getByText('Nothing found').waitFor();
  await phone.getByRole('combobox', { name: 'From' }).selectOption('Ada');
  await phone.getByRole('combobox', { name: 'Kind' }).selectOption('Text');
  await phone.getByText(/messages? found/).waitFor();
  await checkScreen(phone, 'any');
  await marks(phone, 'Tea?', () => phone.getByRole('link', { name: /Tea\?/ }).first().click());
  await follow(phone, `/c/${conversationId}`);
  await choose(phone, 'Really?', 'Pin');
  await page.goto(`/c/${conversationId}`);
  await message(page, 'Really?').waitFor();
  await marks(page, 'Really?', () =>
    page.getByRole('region', { name: 'Pinned messages' }).getByText('Really?').click(),
  );
  await checkScreen(phone);
  await page.getByRole('button', { name: 'Unpin this message' }).click();
  await phone.getByRole('region', { name: 'Pinned messages' }).waitFor({ state: 'detached' });
  // A message deleted for oneself is no longer pinned for oneself.
  await choose(phone, 'Really?', 'Pin');
  const pinned = page.getByRole('region', { name: 'Pinned messages' });
  await pinned.waitFor();
  await ada.calls.delete(`/api/chat/conversations/${conversationId}`);
  await pinned.waitFor({ state: 'detached' });
});

test('details: beside the thread, which stays usable; in its place on a phone', async () => {
  await openChat(page, groupId);
  await openChat(phone, groupId);
  await phone.getByRole('link', { name: 'Details' }).click();
  const field = page.getByRole('textbox', { name: 'Write a message' });
  await field.focus();
  await follow(page, `/c/${groupId}/info`);
  const beside = page.getByRole('complementary', { name: 'Details' });
  const instead = phone.getByRole('complementary', { name: 'Details' });
  await beside.waitFor();
  // Who is writing goes on.
  await field.and(page.locator(':focus')).waitFor();
  await write(page, 'Meanwhile, beside it');
  await message(page, 'Meanwhile, beside it').waitFor();
  const mute = beside.getByRole('button', { name: 'Mute', exact: true });
  await mute.click();
  await beside.getByRole('button', { name: 'Unmute' }).click();
  await mute.waitFor();
  await instead.getByRole('button', { name: 'Close' }).waitFor();
  await phone.getByRole('log').waitFor({ state: 'hidden' });
  await checkScreen(phone);
  // Escape in the field is not for the details; in the details it is.
  await field.press('Escape');
  await mute.press('Escape');
  await beside.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Details' }).click();
  await beside.waitFor();
  await page.getByRole('link', { name: 'Details' }).click();
  await beside.waitFor({ state: 'detached' });
  await phone.goBack();
  await instead.waitFor({ state: 'detached' });
  await message(phone, 'Meanwhile, beside it').waitFor();
});

test('details: what was shared, each leading to its message', async () => {
  const fileUrl = await uploadFile(page, scene.origin, 'image', PIXEL, 'tea.png');
  await ada.calls.post('/api/chat/groups/messages', { groupId, type: 'image', fileUrl, caption: 'The tea' });
  await say(eve.calls, ada.accountId, 'Not in the group: https://elsewhere.example');
  for (const window of [page, phone]) {
    await openChat(window, groupId);
    await window.getByRole('link', { name: 'Details' }).click();
  }
  const beside = page.getByRole('complementary', { name: 'Details' });
  await beside.getByRole('link', { name: 'Links' }).click();
  const links = page.getByRole('complementary', { name: 'Links' });
  await links.getByRole('link', { name: 'https://menu.example/tea' }).waitFor();
  assert.equal(await links.getByRole('link', { name: 'elsewhere' }).count(), 0);
  await checkScreen(page);
  await marks(page, 'const tea', () =>
    links.getByRole('button', { name: 'Show in the conversation' }).last().click(),
  );
  await links.getByRole('button', { name: 'Back' }).click();
  await beside.getByRole('link', { name: 'Files' }).click();
  const files = page.getByRole('complementary', { name: 'Files' });
  await files.getByText('No files yet').waitFor();
  await files.getByRole('button', { name: 'Close' }).click();
  await files.waitFor({ state: 'detached' });
  await phone.getByRole('link', { name: 'Photos and videos' }).click();
  const media = phone.getByRole('complementary', { name: 'Photos and videos' });
  await media.getByRole('button', { name: /^The tea/ }).waitFor();
  await checkScreen(phone);
  await media.getByRole('button', { name: /^The tea/ }).click();
  await media.waitFor({ state: 'detached' });
  await message(phone, 'The tea').waitFor();
  assert.equal(new URL(phone.url()).pathname, `/c/${groupId}`);
});

test('people: found by username, shown with groups in common, reported', async () => {
  const details = phone.getByRole('complementary', { name: 'Details' });
  // A person found by username, shown with groups in common, and reported with selected messages.
  await follow(page, '/settings/account');
  const username = `ada_${crypto.randomUUID().slice(0, 8)}`;
  await page.getByRole('textbox', { name: 'Username' }).fill(`@${username}`);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved').first().waitFor();
  await checkScreen(page);
  await follow(phone, '/settings/account');
  const bobs = `bob_${crypto.randomUUID().slice(0, 8)}`;
  await phone.getByRole('textbox', { name: 'Username' }).fill(bobs);
  await phone.getByRole('button', { name: 'Save', exact: true }).click();
  await phone.getByText('Saved').first().waitFor();
  await checkScreen(phone, 'any');
  await follow(page, `/new/bot?username=${bobs}`);
  await page.getByText(`@${bobs}`).waitFor();
  await page.getByRole('link', { name: 'Write a message' }).click();
  await page.getByRole('link', { name: 'Details' }).click();
  const beside = page.getByRole('complementary', { name: 'Details' });
  await beside.getByText('1 group in common').waitFor();
  // Those to whom the person has written see it.
  assert.equal(await beside.getByText(/Last seen|Online/).count(), 0);
  await say(bob.calls, ada.accountId, 'Certainly');
  await page.reload();
  await beside.getByText('Online').waitFor();
  // In the header, too; both ways, as the setting says.
  const head = page.getByRole('main').locator('header').first();
  await head.getByText('Online').waitFor();
  await ada.calls.patch('/api/auth/profile', { lastSeen: false });
  await head.getByText('Online').waitFor({ state: 'detached' });
  await ada.calls.patch('/api/auth/profile', { lastSeen: true });
  await head.getByText('Online').waitFor();
  await beside.getByText('1 group in common').waitFor();
  await beside.getByRole('button', { name: 'Report' }).click();
  const reporting = page.getByRole('dialog', { name: 'Report to the operator' });
  await reporting.getByRole('checkbox').first().check();
  await checkScreen(page, 'any');
  await reporting.getByRole('button', { name: 'Send the report' }).click();
  await page.getByText('Reported. Thank you.').waitFor();
  await page.keyboard.press('Escape');
  await follow(phone, `/new/bot?username=${username}`);
  await phone.getByText(`@${username}`).waitFor();
  await phone.getByRole('link', { name: 'Write a message' }).click();
  await phone.getByRole('link', { name: 'Details' }).click();
  await details.getByText('Online').waitFor();
  await details.getByText('1 group in common').waitFor();
  const another = await ada.calls.post('/api/chat/groups', { name: 'Cake', members: [bob.accountId] });
  await details.getByText('2 groups in common').waitFor();
  const his = { groupId: another['groupId'], memberId: bob.accountId };
  await ada.calls.post('/api/chat/groups/members/remove', his);
  await details.getByText('1 group in common').waitFor();
  await details.getByRole('link', { name: 'Tea at five' }).waitFor();
  await checkScreen(phone);
  await details.getByRole('button', { name: 'Report' }).click();
  const report = phone.getByRole('dialog', { name: 'Report to the operator' });
  await report.getByRole('combobox', { name: 'Reason' }).selectOption('Insults or harassment');
  await report.getByRole('checkbox').first().check();
  await report.getByRole('switch', { name: 'Block this account, too' }).click();
  await checkScreen(phone);
  await report.getByRole('button', { name: 'Send the report' }).click();
  await phone.getByText('Reported. Thank you.').waitFor();
  await details.getByRole('button', { name: 'Unblock' }).waitFor();
  await follow(phone, '/settings/blocked');
  await phone.getByRole('button', { name: 'Unblock Ada' }).waitFor();
  await ada.calls.patch('/api/auth/profile', { name: 'Countess' });
  await phone.getByRole('button', { name: 'Unblock Countess' }).waitFor();
});
