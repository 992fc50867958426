import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { privateConversationId } from '#platform/ids.ts';
import type { Visit } from '../chromium.ts';
import {
  choose,
  createBot,
  createGroup,
  introduce,
  listening,
  message,
  openChat,
  say,
  sayInGroup,
  showTyping,
  write,
} from './chat-scene.ts';
import {
  checkScreen,
  chooseByKey,
  follow,
  type Person,
  startWebScene,
  VIEWS,
  type WebScene,
} from './web-scene.ts';

const kept = new AsyncDisposableStack();
let scene: WebScene;
/** On desktop and phone: each test continues in the conversations of the one before. */
let ada: Visit & Person;
let bob: Visit & Person;
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
  ({ conversationId } = await introduce(bob.calls, ada.calls, 'Shall we?'));
  for (const window of [page, phone]) await openChat(window, conversationId);
});
after(() => kept.disposeAsync());

test('sent, delivered, read, typing: on both sides, unless one of them hides it', async () => {
  // Delivered once a page has it, read once it was seen, and neither once one of them hides receipts.
  const mark = (text: string, name: string) => message(page, text).getByRole('img', { name, exact: true });
  await follow(phone, '/settings/privacy');
  const switched = phone.getByRole('switch', { name: 'Read receipts' });
  await switched.waitFor();
  await write(page, 'Are you there?');
  await mark('Are you there?', 'Delivered').waitFor();
  await checkScreen(phone, 'any');
  await switched.click();
  await mark('Are you there?', 'Sent').waitFor();
  await switched.click();
  await mark('Are you there?', 'Delivered').waitFor();
  await follow(phone, `/c/${conversationId}`);
  await mark('Are you there?', 'Read').waitFor();
  await listening(page, () => page.reload());
  await mark('Are you there?', 'Read').waitFor();

  // Typing is shown in the header and in the list until the message is sent, also before the own profile is loaded.
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await phone.route('**/api/auth/profile', async (route) => {
    await released;
    await route.continue();
  });
  await listening(phone, () => phone.reload());
  await showTyping(
    [
      page.getByRole('heading', { name: 'Bob' }).locator('..').getByText('typing…'),
      page.getByRole('link', { name: /Bob/ }).getByText('typing…').first(),
    ],
    () => phone.getByRole('textbox', { name: 'Write a message' }).pressSequentially('Yes'),
  );
  release();
  await checkScreen(page);
  await phone.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('typing…').first().waitFor({ state: 'detached' });
});

test('messages are edited and deleted, for everybody or for oneself', async () => {
  // An edit shows on both sides, in the quote and in the list; Escape cancels it.
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

  // The answer to an edit leaves the field of the next one open.
  const answered = Promise.withResolvers<void>();
  const changes = '**/api/chat/conversations/*/messages/*';
  await page.route(changes, (route) => answered.promise.then(() => route.continue()), { times: 1 });
  await say(ada.calls, bob.accountId, 'One more');
  await choose(page, 'One more', 'Edit');
  await field.fill('Two more');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await choose(page, 'At nine', 'Edit');
  await field.fill('At ten');
  answered.resolve();
  await message(page, 'Two more').waitFor();
  assert.equal(await field.inputValue(), 'At ten');
  await page.keyboard.press('Escape');

  // On a phone, too.
  await choose(phone, 'Fine by me', 'Edit');
  await phone.getByRole('textbox', { name: 'Edit message' }).fill('Fine by us');
  await checkScreen(phone, 'any');
  await phone.keyboard.press('Enter');
  await message(page, 'Fine by us').getByText('edited').waitFor();

  // Deleted for everybody, with a placeholder; quotes show it, too.
  await choose(page, 'At nine', 'Delete');
  await page.getByRole('dialog').waitFor();
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

  // What is deleted meanwhile is neither quoted nor edited any more; what was written stays.
  const late = await say(ada.calls, bob.accountId, 'Or at ten?');
  await choose(phone, 'Or at ten?', 'Reply');
  await phone.getByRole('textbox', { name: 'Write a message' }).fill('Better not');
  await choose(page, 'Or at ten?', 'Edit');
  await ada.calls.delete(`/api/chat/conversations/${conversationId}/messages/${late['msgId']}`);
  for (const [window, name] of [
    [phone, 'Replying to'],
    [page, 'Edit message'],
  ] as const)
    await window.getByRole('region', { name }).waitFor({ state: 'detached' });
  await phone.getByRole('button', { name: 'Send', exact: true }).click();
  await message(page, 'Better not').waitFor();

  // Deleted for oneself: the others keep it. Messages of others have no other option.
  await choose(phone, 'Shall we?', 'Delete');
  const forMe = phone.getByRole('button', { name: 'Delete for me' });
  await forMe.waitFor();
  assert.equal(await phone.getByRole('button', { name: 'Delete for everybody' }).count(), 0);
  await forMe.click();
  await message(phone, 'Shall we?').waitFor({ state: 'detached' });
  await message(page, 'Shall we?').waitFor();
  await phone.reload();
  await message(phone, 'Really?').waitFor();
  assert.equal(await message(phone, 'Shall we?').count(), 0);
});

test('notices in a group’s thread; who has read, and who is typing', async () => {
  // In a group: notices appear in the thread of every member.
  const eve = await scene.person('Eve');
  await introduce(ada.calls, eve.calls);
  const made = await ada.calls.post('/api/chat/groups', { name: 'Tea', members: [bob.accountId] });
  groupId = String(made['groupId']);
  for (const window of [page, phone]) await follow(window, `/c/${groupId}`);
  await ada.calls.post('/api/chat/groups/members', { groupId, memberIds: [eve.accountId] });
  await ada.calls.patch('/api/chat/groups/details', { groupId, name: 'Tea at five' });
  await sayInGroup(eve.calls, groupId, 'Buy now');
  await choose(page, 'Buy now', 'Delete');
  await page.getByRole('button', { name: 'Delete for everybody' }).click();
  await ada.calls.post('/api/chat/groups/members/remove', { groupId, memberId: eve.accountId });
  for (const line of [
    'Ada added Eve',
    'Ada changed the name to “Tea at five”',
    'Ada deleted a message from Eve',
    'Ada removed Eve',
  ])
    await phone.getByRole('log').getByText(line).waitFor();
  await page.getByRole('log').getByText('You removed Eve').waitFor();
  await phone.getByText('An administrator deleted this message').waitFor();
  await checkScreen(phone);

  // In a group: how many have read it, and who; and who is typing.
  await write(page, 'Who comes?');
  await message(page, 'Who comes?').getByRole('button', { name: 'Read by 1' }).click();
  await page.getByRole('dialog', { name: 'Read by' }).getByText('Bob').waitFor();
  await checkScreen(page, 'any');
  await page.keyboard.press('Escape');
  await showTyping([page.getByText('Bob is typing…').first()], () =>
    phone.getByRole('textbox', { name: 'Write a message' }).pressSequentially('M'),
  );
  await phone.getByRole('textbox', { name: 'Write a message' }).fill('');
});

test('gestures and keys: right click, long press, swipe, ↑, the list of shortcuts', async () => {
  // A right click opens the menu, ↑ edits the last own message; the list of shortcuts mentions it.
  await message(page, 'Who comes?').getByText('Who comes?').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Copy text' }).waitFor();
  await checkScreen(page, 'any');
  await page.keyboard.press('Escape');
  await page.getByRole('textbox', { name: 'Write a message' }).press('ArrowUp');
  assert.equal(await page.getByRole('textbox', { name: 'Edit message' }).inputValue(), 'Who comes?');
  await page.keyboard.press('Escape');
  await page.getByRole('region', { name: 'Messages' }).press('Control+/');
  await page
    .getByRole('dialog', { name: 'Keyboard shortcuts' })
    .getByText('Edit your last message')
    .waitFor();
  await checkScreen(page);
  await page.keyboard.press('Escape');

  // On a phone, a long press opens the menu, and a swipe quotes the message.
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
  await checkScreen(phone, 'any');
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

  // From a thread on a phone, Ctrl+K goes to the list and its filter. Safari reports no right click for a long press there.
  await phone.keyboard.press('Control+k');
  await phone.locator('#conversation-filter:focus').waitFor();
  await phone.evaluate("addEventListener('contextmenu', (event) => event.stopImmediatePropagation(), true)");
  const entry = await phone.getByRole('link', { name: /Ada/ }).first().boundingBox();
  assert.ok(entry);
  const touchPoints = [{ x: entry.x + 80, y: entry.y + 20 }];
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  await phone.getByRole('menuitem', { name: 'Archive' }).waitFor();
  await finger('touchEnd');
  await phone.keyboard.press('Escape');
  await touch.send('Emulation.setTouchEmulationEnabled', { enabled: false });
  await touch.detach();
  await follow(phone, `/c/${groupId}`);
});

test('the Enter that completes a word of an input method neither sends nor opens anything', async () => {
  const typing = page.getByRole('textbox', { name: 'Write a message' });
  const filter = page.locator('#conversation-filter');
  for (const field of [typing, filter]) {
    await field.fill('今日');
    // Before the composition ends, or, in Safari, after it.
    for (const how of [{ isComposing: true }, { keyCode: 229 }])
      await field.dispatchEvent('keydown', { key: 'Enter', ...how });
    assert.equal(await field.inputValue(), '今日');
  }
  await filter.fill('');
  await typing.press('Enter');
  await message(page, '今日').waitFor();
});

test('menus, dialogs, the selection and the search return the focus to what opened them', async () => {
  const actions = message(page, 'Who comes?').getByRole('button', { name: 'Message actions' });
  const pick = async (item: string) => {
    await actions.press('Enter');
    await chooseByKey(page, page.getByRole('menuitem', { name: item }));
  };
  const focused = (name: string) => page.locator(`[aria-label="${name}"]:focus`).waitFor();
  await actions.press('Enter');
  await page.locator('[role=menu] :focus').waitFor();
  await page.keyboard.press('Escape');
  await focused('Message actions');
  for (const [item, dialog] of [
    ['Delete', 'Delete this message?'],
    ['Forward', 'Forward a message'],
  ] as const) {
    await pick(item);
    await page.getByRole('dialog', { name: dialog }).locator(':focus').waitFor();
    await page.keyboard.press('Escape');
    await focused('Message actions');
  }
  await pick('Select');
  await focused('Select this message');
  await page.keyboard.press('Escape');
  await focused('Message actions');
  await page.getByRole('button', { name: 'Attach' }).press('Enter');
  await chooseByKey(page, page.getByRole('menuitem', { name: 'Poll' }));
  await page.getByRole('dialog', { name: 'New poll' }).locator(':focus').waitFor();
  await page.keyboard.press('Escape');
  await focused('Attach');
  await page.getByRole('link', { name: 'Search in this conversation' }).press('Enter');
  await page.getByRole('searchbox', { name: 'Search in this conversation' }).press('Escape');
  await page.locator('a[aria-label="Search in this conversation"]:focus').waitFor();
  await page
    .getByRole('button', { name: /^Actions for the conversation/ })
    .first()
    .press('Enter');
  await page.locator('[role=menu] :focus').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('[aria-label^="Actions for the conversation"]:focus').waitFor();
  // What disappears with the focus in it hands it on: a conversation to the next one, the last pinned message to the thread.
  const entries = page.getByRole('navigation', { name: 'Conversations' }).getByRole('listitem');
  await entries.filter({ hasText: 'Tea at five' }).getByRole('button').press('Enter');
  await chooseByKey(page, page.getByRole('menuitem', { name: 'Archive' }));
  await entries.getByRole('link').and(page.locator(':focus')).waitFor();
  await pick('Pin');
  await page.getByRole('button', { name: 'Unpin this message' }).press('Enter');
  await focused('Messages');
  // Escape in the field cancels the reply.
  await pick('Reply');
  await page.getByRole('region', { name: 'Replying to' }).waitFor();
  await page.getByRole('textbox', { name: 'Write a message' }).press('Escape');
  await page.getByRole('region', { name: 'Replying to' }).waitFor({ state: 'detached' });
  await focused('Write a message');
});

test('the buttons of a bot’s question: pressed once by one person, they are gone for both', async () => {
  const bot = await createBot(scene.origin, { name: 'Kitchen', username: 'kitchen_bot' });
  for (const person of [ada, bob]) await say(person.calls, bot.userId, '/start');
  const groupId = await createGroup(ada.calls, 'Lunch', bob.accountId, bot.userId);
  for (const window of [page, phone]) await openChat(window, groupId);
  const asks = (content: string, quickReplies: object) =>
    bot.posts('/v1/messages/group', { groupId, type: 'text', content, quickReplies });
  const menu = { label: 'Today’s menu, with everything that may be in it', url: 'https://example.com/menu' };
  await asks('Soup today?', {
    buttons: [{ label: 'Soup', value: 'dish-1' }, { label: 'Nothing' }, menu],
    once: true,
  });
  const answersIn = (window: Page) => window.getByRole('group', { name: 'Answers' });
  for (const window of [page, phone]) {
    await answersIn(window).getByRole('button', { name: 'Nothing' }).waitFor();
    const link = answersIn(window).getByRole('link', { name: menu.label });
    assert.equal(await link.getAttribute('href'), menu.url);
    await checkScreen(window, 'any');
  }
  await answersIn(phone).getByRole('button', { name: 'Soup' }).press('Enter');
  for (const window of [page, phone]) {
    await answersIn(window).waitFor({ state: 'detached' });
    await message(window, 'Soup').getByText('Soup today?').waitFor();
  }
  // They are for Ada alone, and stay.
  await bot.posts('/v1/messages/group', {
    groupId,
    type: 'text',
    content: 'Who cooks?',
    mentionedUserIds: [ada.accountId],
    quickReplies: { buttons: [{ label: 'Me' }], mentionedOnly: true },
  });
  await answersIn(page).getByRole('button', { name: 'Me' }).click();
  await message(phone, 'Me').getByText('Who cooks?').waitFor();
  await answersIn(phone).getByRole('button', { name: 'Me', disabled: true }).waitFor();
  await answersIn(page).getByRole('button', { name: 'Me', disabled: false }).waitFor();
});

const drafts = (window: Page) => window.locator('article[aria-busy=true]');

test('an answer grows while its bot writes it, for those who read along, and becomes a message', async () => {
  const bot = await createBot(scene.origin, { name: 'Poet', username: 'poet_bot' });
  for (const person of [ada, bob]) await say(person.calls, bot.userId, '/start');
  const groupId = await createGroup(ada.calls, 'Verses', bob.accountId, bot.userId);
  for (const window of [page, phone]) await openChat(window, groupId);
  await write(page, 'A verse, please');
  await message(phone, 'A verse, please').waitFor();
  /** The end of the last message is on screen. */
  const isAtEnd = (window: Page) =>
    window.waitForFunction(
      `[...document.querySelectorAll('article')].some((one, i, all) =>
        i === all.length - 1 && one.getBoundingClientRect().bottom <= innerHeight && one.getBoundingClientRect().bottom > 0)`,
    );
  await bot.drafts(groupId, 'Roses are **re');
  for (const window of [page, phone]) {
    await drafts(window).locator('strong', { hasText: /^re$/ }).waitFor();
    await checkScreen(window, 'any');
  }
  // Who comes in the middle sees all of it with the next update; so does who was away.
  await listening(phone, () => phone.reload());
  await message(phone, 'A verse, please').waitFor();
  assert.equal(await drafts(phone).count(), 0);
  const verses = Array.from({ length: 60 }, (_, i) => `line ${i}`);
  const text = `Roses are **red**.\n${verses.join('\n')}`;
  await bot.drafts(groupId, text);
  for (const window of [page, phone]) {
    const last = drafts(window).getByText('line 59');
    await last.waitFor();
    await isAtEnd(window);
  }
  await bot.posts('/v1/messages/group', { groupId, type: 'text', content: text });
  for (const window of [page, phone]) {
    await drafts(window).waitFor({ state: 'detached' });
    await window.getByRole('article').getByText('line 59').waitFor();
    await isAtEnd(window);
  }
  // A late update of what has been sent is not shown again: the next message is the last one.
  await bot.posts('/v1/messages/group', { groupId, type: 'text', content: 'Done.' });
  for (const window of [page, phone]) {
    await message(window, 'Done.').waitFor();
    assert.equal(await drafts(window).count(), 0);
  }
});

test('what a bot was writing disappears with the bot: once it is removed, disabled or blocked', async () => {
  const bot = await createBot(scene.origin, { name: 'Bard', username: 'bard_bot' });
  await say(ada.calls, bot.userId, '/start');
  const groupId = await createGroup(ada.calls, 'Songs', bob.accountId, bot.userId);
  for (const window of [page, phone]) await openChat(window, groupId);
  await bot.drafts(groupId, 'Greensleeves was');
  for (const window of [page, phone]) await drafts(window).waitFor();
  await ada.calls.post('/api/chat/groups/members/remove', { groupId, memberId: bot.userId });
  for (const window of [page, phone]) {
    await window.getByRole('log').getByText('removed Bard').waitFor();
    assert.equal(await drafts(window).count(), 0);
  }
  await openChat(page, privateConversationId(ada.accountId, bot.userId));
  await bot.drafts(ada.accountId, 'Alas, my love');
  await drafts(page).waitFor();
  await bot.disabled();
  await drafts(page).waitFor({ state: 'detached' });
  await bot.reactivated();
  await bot.drafts(ada.accountId, 'Alas, my love');
  await drafts(page).waitFor();
  await ada.calls.post('/api/chat/blocks', { userId: bot.userId });
  await page.getByRole('button', { name: 'Unblock' }).waitFor();
  assert.equal(await drafts(page).count(), 0);
});

test('the reaction of a bot is there at once, with the name of the bot', async () => {
  const bot = await createBot(scene.origin, { name: 'Minstrel', username: 'minstrel_bot' });
  const { msgId } = await say(ada.calls, bot.userId, 'Applause!');
  await openChat(page, privateConversationId(ada.accountId, bot.userId));
  await message(page, 'Applause!').waitFor();
  await bot.reacts(ada.accountId, String(msgId), '👏');
  await page.getByRole('button', { name: '👏 1: Minstrel' }).waitFor();
  await choose(page, 'Applause!', 'Who reacted');
  await page.getByRole('dialog').getByText('Minstrel').waitFor();
  await bot.reacts(ada.accountId, String(msgId));
  await page.getByRole('button', { name: '👏 1: Minstrel' }).waitFor({ state: 'detached' });
});
