import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { privateConversationId } from '#platform/ids.ts';
import { uploadImage } from './chat-people.ts';
import { introduce, openChat, PIXEL, say, write } from './chat-scene.ts';
import { checkScreen, follow, startWebScene, VIEWS, type WebScene } from './web-scene.ts';

let scene: WebScene;
before(async () => {
  scene = await startWebScene();
});
after(() => scene?.[Symbol.asyncDispose]());

/** Opens the menu of the message with this text, and chooses from it. */
async function choose(page: Page, text: string, item: string): Promise<void> {
  await page
    .locator('article', { hasText: text })
    .first()
    .getByRole('button', { name: 'Message actions' })
    .click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** The newest message with this text, in itself or in what it quotes. */
const message = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text }).last();

test('what was written is edited and deleted, on a desk and on a phone', async () => {
  await using ada = await scene.enter('/', { name: 'Ada' });
  await using bob = await scene.enter('/', { name: 'Bob' });
  const { conversationId } = await introduce(bob.calls, ada.calls, 'Shall we?');
  const [page, phone] = [ada.page, bob.page];
  await phone.setViewportSize(VIEWS[2].viewport);
  await openChat(page, conversationId);
  await openChat(phone, conversationId);

  // Delivered where a page has it, read where it was seen, and nothing of either once one of them hides it.
  const mark = (text: string, name: string) => message(page, text).getByRole('img', { name, exact: true });
  await follow(phone, '/settings/privacy');
  const switched = phone.getByRole('switch', { name: 'Read receipts' });
  await switched.waitFor();
  await write(page, 'Are you there?');
  await mark('Are you there?', 'Delivered').waitFor();
  await checkScreen(phone, 'any');
  await switched.click({ force: true });
  await mark('Are you there?', 'Sent').waitFor();
  await switched.click({ force: true });
  await mark('Are you there?', 'Delivered').waitFor();
  await follow(phone, `/c/${conversationId}`);
  await mark('Are you there?', 'Read').waitFor();
  await page.reload();
  await mark('Are you there?', 'Read').waitFor();

  // That somebody types is seen in the head and in the list, until it is sent.
  await phone.getByRole('textbox', { name: 'Write a message' }).pressSequentially('Yes');
  await page.getByRole('heading', { name: 'Bob' }).locator('..').getByText('typing…').waitFor();
  await page.getByRole('link', { name: /Bob/ }).getByText('typing…').first().waitFor();
  await checkScreen(page);
  await phone.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('typing…').first().waitFor({ state: 'detached' });

  // An edit shows on both sides, in the quote and in the list; Escape changes nothing.
  await write(page, 'At nien');
  await say(bob.calls, ada.accountId, 'Fine by me');
  await choose(phone, 'At nien', 'Reply');
  await write(phone, 'Really?');
  await message(page, 'Really?').waitFor();
  await choose(page, 'At nien', 'Edit');
  const field = page.getByRole('textbox', { name: 'Edit message' });
  assert.equal(await field.inputValue(), 'At nien');
  await field.fill('Never');
  await page.keyboard.press('Escape');
  await choose(page, 'At nien', 'Edit');
  await field.fill('At nine');
  await checkScreen(page);
  await page.keyboard.press('Enter');
  for (const window of [page, phone]) {
    await window.getByRole('article').getByText('edited').waitFor();
    await message(window, 'Really?').getByText('At nine').waitFor();
    assert.equal(await window.getByRole('article').getByText('At nien').count(), 0);
  }

  // Deleted for everybody, with a line in its place; quotes say so.
  await choose(page, 'At nine', 'Delete');
  await checkScreen(page);
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await choose(page, 'At nine', 'Delete');
  await page.getByRole('button', { name: 'Delete for everybody' }).click();
  await page.getByRole('article').getByText('You deleted this message').waitFor();
  await phone.getByRole('article').getByText('This message was deleted').waitFor();
  await message(phone, 'Really?').getByText('Deleted message').waitFor();
  assert.equal(await phone.getByRole('article').getByText('At nine').count(), 0);
  await checkScreen(phone);

  // For oneself: the others keep it. What somebody else wrote can go no further.
  await choose(phone, 'Shall we?', 'Delete');
  assert.equal(await phone.getByRole('button', { name: 'Delete for everybody' }).count(), 0);
  await phone.getByRole('button', { name: 'Delete for me' }).click();
  await message(phone, 'Shall we?').waitFor({ state: 'detached' });
  await message(page, 'Shall we?').waitFor();
  await phone.reload();
  await message(phone, 'Really?').waitFor();
  assert.equal(await message(phone, 'Shall we?').count(), 0);

  // In a group: what happens to it stands in the thread of everybody who is there.
  const eve = await scene.person('Eve');
  await introduce(ada.calls, eve.calls);
  const { groupId } = await ada.calls.post('/api/chat/groups', { name: 'Tea', members: [bob.accountId] });
  for (const window of [page, phone]) await follow(window, `/c/${groupId}`);
  await ada.calls.post('/api/chat/groups/members', { groupId, memberIds: [eve.accountId] });
  await ada.calls.patch('/api/chat/groups/details', { groupId, name: 'Tea at five' });
  await eve.calls.post('/api/chat/groups/messages', { groupId, type: 'text', content: 'Buy now' });
  await choose(page, 'Buy now', 'Delete');
  await page.getByRole('button', { name: 'Delete for everybody' }).click();
  await ada.calls.post('/api/chat/groups/members/remove', { groupId, memberId: eve.accountId });
  for (const line of [
    'Added by Ada: Eve',
    'New name by Ada: Tea at five',
    'Message of Eve deleted by Ada',
    'Removed by Ada: Eve',
  ])
    await phone.getByRole('log').getByText(line).waitFor();
  await page.getByRole('log').getByText('Removed by You: Eve').waitFor();
  await phone.getByText('An administrator deleted this message').waitFor();
  await checkScreen(phone);

  // In a group: how many have read it, and who; and who of them is typing.
  await write(page, 'Who comes?');
  await message(page, 'Who comes?').getByRole('button', { name: 'Read by 1' }).click();
  await page.getByRole('dialog', { name: 'Read by' }).getByText('Bob').waitFor();
  await checkScreen(page, 'any');
  await page.keyboard.press('Escape');
  await phone.getByRole('textbox', { name: 'Write a message' }).pressSequentially('M');
  await page.getByText('Bob is typing…').first().waitFor();
  await phone.getByRole('textbox', { name: 'Write a message' }).fill('');

  // Gestures: a right click opens the menu, ↑ edits the last message of one's own; the list of shortcuts says so.
  await message(page, 'Who comes?').getByText('Who comes?').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Copy text' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('textbox', { name: 'Write a message' }).press('ArrowUp');
  assert.equal(await page.getByRole('textbox', { name: 'Edit message' }).inputValue(), 'Who comes?');
  await page.keyboard.press('Escape');
  await page.getByRole('region', { name: 'Messages' }).press('?');
  await page
    .getByRole('dialog', { name: 'Keyboard shortcuts' })
    .getByText('Edit your last message')
    .waitFor();
  await checkScreen(page);
  await page.keyboard.press('Escape');

  // On a phone, a finger that rests opens the menu, and one that draws a message to the side quotes it.
  const touch = await phone.context().newCDPSession(phone);
  await touch.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  const box = await message(phone, 'Who comes?').getByText('Who comes?').boundingBox();
  assert.ok(box);
  const at = (dx: number) => [{ x: box.x + 10 + dx, y: box.y + 8 }];
  const finger = (type: 'touchStart' | 'touchMove' | 'touchEnd', dx?: number) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: dx === undefined ? [] : at(dx) });
  await finger('touchStart', 0);
  await phone.getByRole('menuitem', { name: 'Copy text' }).waitFor();
  await finger('touchEnd');
  await phone.getByRole('menuitem', { name: 'Copy text' }).click();
  await finger('touchStart', 0);
  for (const dx of [20, 50, 90]) await finger('touchMove', dx);
  await message(phone, 'Who comes?').and(phone.locator('[data-swiped=far]')).waitFor();
  await finger('touchEnd');
  await phone.getByRole('region', { name: 'Replying to' }).getByText('Who comes?').waitFor();
  await phone.getByRole('button', { name: 'Cancel reply' }).click();
  await finger('touchStart', 0);
  for (const dx of [20, 40]) await finger('touchMove', dx);
  await finger('touchEnd');
  await message(phone, 'Who comes?').and(phone.locator(':not([data-swiped])')).waitFor();
  assert.equal(await phone.getByRole('region', { name: 'Replying to' }).count(), 0);
  await touch.send('Emulation.setTouchEmulationEnabled', { enabled: false });
  await touch.detach();

  // From a thread on a phone, Ctrl+K leads to the list and its field.
  await phone.keyboard.press('Control+k');
  await phone.locator('#conversation-filter:focus').waitFor();
  await follow(phone, `/c/${groupId}`);

  // A new picture of somebody reaches open pages.
  const pictureUrl = await uploadImage(phone, scene.origin, PIXEL, 'bob.png');
  await bob.calls.patch('/api/auth/profile', { pictureUrl });
  const bobs = page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name: /Bob/ });
  await bobs.locator(`img[src="${pictureUrl}"]`).first().waitFor();

  // Formatting: by keys, with a help; links, lists and code, which can be copied; lists and quotes show the words alone.
  await page.getByRole('button', { name: 'Formatting' }).click();
  await page.getByRole('dialog', { name: 'Formatting' }).getByText('~~struck~~').waitFor();
  await checkScreen(page);
  await page.keyboard.press('Escape');
  const typing = page.getByRole('textbox', { name: 'Write a message' });
  await typing.fill('Strong');
  await typing.selectText();
  await page.keyboard.press('Control+b');
  await page.keyboard.press('Control+i');
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
  await ada.calls.post('/api/chat/groups/messages', { groupId, type: 'text', content: marked.join('\n') });
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
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'const tea = "**hot**";');
  await choose(phone, 'Strong', 'Reply');
  await phone.getByRole('region', { name: 'Replying to' }).getByText('Strong', { exact: true }).waitFor();
  await phone.getByRole('button', { name: 'Cancel reply' }).click();

  // Reactions: from the menu, by a click on what is there, and from all emoji with a search.
  await ada.calls.post('/api/chat/groups/messages', { groupId, type: 'text', content: 'Tea?' });
  await choose(phone, 'Tea?', 'React with 👍');
  await page.getByRole('button', { name: '👍 1: Bob' }).click();
  await phone.getByRole('button', { name: '👍 2: You and Ada' }).waitFor();
  await choose(page, 'Tea?', 'More emoji');
  const picker = page.getByRole('dialog', { name: 'Emoji' });
  await picker.getByText('🖐🏽').click();
  await picker.getByRole('searchbox', { name: 'Search emoji' }).fill('waving');
  await checkScreen(page);
  await picker.getByRole('button', { name: 'waving hand' }).click();
  await phone.getByRole('button', { name: '👋🏽 1: Ada' }).waitFor();
  await phone.getByRole('button', { name: '👍 2: You and Ada' }).click();
  await page.getByRole('button', { name: '👍 1: You' }).waitFor();
  await checkScreen(phone);

  // One emoji alone is large; the picker of the field remembers what was used last.
  await page.getByRole('button', { name: 'Emoji', exact: true }).click();
  await page.getByRole('heading', { name: 'Recently used' }).waitFor();
  await page
    .getByRole('dialog', { name: 'Emoji' })
    .getByRole('button', { name: 'waving hand' })
    .first()
    .click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await phone.locator('[data-large]').getByText('👋🏽').waitFor();

  // How one keeps a conversation: pinned, muted for a time, put away; on phones the details do the same.
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
  const details = phone.getByRole('dialog', { name: 'Details' });
  await details
    .getByRole('combobox', { name: 'Notifications' })
    .selectOption('Only messages that mention me');
  await details.getByRole('switch', { name: 'Pinned to the top of the list' }).click({ force: true });
  await details.getByRole('switch', { name: 'Notifications with a sound' }).click({ force: true });
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
  const kept = await bob.calls.get<Record<string, unknown>>(`/api/chat/conversations/${groupId}`);
  assert.deepEqual([kept['notifyOf'], kept['hasSound']], ['mentions', false]);

  // A sound tells of a message in another conversation than the one that is read, where the conversation has one.
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

  // Several messages go to several conversations; what is pinned leads to its place.
  await phone.goto(`/c/${conversationId}`);
  await follow(page, `/c/${groupId}`);
  await choose(page, '@Bob come!', 'Select');
  await page.getByRole('article').filter({ hasText: 'Tea?' }).first().waitFor();
  await page.getByText('1 selected').waitFor();
  await page.getByRole('checkbox', { name: 'Choose this message', checked: false }).last().check();
  await page.getByText('2 selected').waitFor();
  await checkScreen(page);
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
  await choose(phone, 'Really?', 'Pin');
  await page.goto(`/c/${conversationId}`);
  await message(page, 'Really?').waitFor();
  await page.getByRole('region', { name: 'Pinned messages' }).getByText('Really?').click();
  await page.locator('article[data-marked]', { hasText: 'Really?' }).waitFor();
  await checkScreen(phone);
  await page.getByRole('button', { name: 'Unpin this message' }).click();
  await phone.getByRole('region', { name: 'Pinned messages' }).waitFor({ state: 'detached' });

  // Found by a username, seen with what both share, and reported with the messages that one chooses.
  await follow(page, '/settings/account');
  const username = `ada_${crypto.randomUUID().slice(0, 8)}`;
  await page.getByRole('textbox', { name: 'Username' }).fill(`@${username}`);
  await page.getByRole('button', { name: 'Save the username' }).click();
  await page.getByText('Saved').first().waitFor();
  await checkScreen(page);
  await follow(phone, `/new/bot?username=${username}`);
  await phone.getByText(`@${username}`).waitFor();
  await phone.getByRole('link', { name: 'Write a message' }).click();
  await phone.getByRole('link', { name: 'Details' }).click();
  await details.getByText('Last seen').waitFor();
  await details.getByText('1 group in common').waitFor();
  await details.getByRole('link', { name: 'Tea at five' }).waitFor();
  await checkScreen(phone);
  await details.getByRole('button', { name: 'Report' }).click();
  const report = phone.getByRole('dialog', { name: 'Report to the operator' });
  await report.getByRole('combobox', { name: 'Reason' }).selectOption('Insults or harassment');
  await report.getByRole('checkbox').first().check();
  await report.getByRole('switch', { name: 'Block this account, too' }).click({ force: true });
  await checkScreen(phone);
  await report.getByRole('button', { name: 'Send the report' }).click();
  await phone.getByText('Reported. Thank you.').waitFor();
  await phone.getByText('You blocked this account.').waitFor();
});
