import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '#testing/waits.ts';
import { uploadFile } from './chat-people.ts';
import { createGroup, introduce, listening, PIXEL, sayInGroup } from './chat-scene.ts';
import {
  checkEveryView,
  checkScreen,
  checkWidth,
  chooseByKey,
  countClicks,
  openScreen,
  press,
  startWebScene,
  VIEWS,
} from './web-scene.ts';

const scene = await startWebScene();
after(() => scene[Symbol.asyncDispose]());

test('groups and broadcast lists: adding, editing, writing, leaving', async () => {
  await using ada = await scene.enter('/', { name: 'Ada Lovelace' });
  await using bob = await scene.enter('/', { name: 'Bob Kahn' });
  const eve = await scene.person('Eve');
  for (const { calls } of [bob, eve]) await introduce(ada.calls, calls);
  await eve.calls.patch('/api/auth/profile', { whoMayAddMe: 'nobody' });
  const { page } = ada;
  await listening(page, () => page.reload());

  // The profile picture; on a phone, only the list; a mistyped URL gets a page, a program the envelope.
  const pictureUrl = await uploadFile(page, scene.origin, 'image', PIXEL, 'ada.png');
  await ada.calls.patch('/api/auth/profile', { pictureUrl });
  await page.getByRole('button', { name: 'Menu' }).locator('img').waitFor();
  await page
    .getByRole('link', { name: /Your story/ })
    .locator('img')
    .waitFor();
  await page.setViewportSize(VIEWS[2].viewport);
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Menu' }).locator('img').waitFor();
  assert.equal((await page.goto('/nope'))?.status(), 404);
  await page.getByText('Page not found').waitFor();
  await checkEveryView(page);
  assert.match(await (await page.request.get('/nope')).text(), /"code":"not-found"/);

  // The button is in view without scrolling, and says what is missing when it is pressed too early.
  await page.goto('/new/broadcast');
  const create = page.getByRole('button', { name: 'Create the list' });
  await page.getByRole('checkbox', { name: 'Bob Kahn' }).waitFor();
  const box = await create.boundingBox();
  assert.ok(box && box.y + box.height <= VIEWS[0].viewport.height);
  const letters = page.getByRole('textbox', { name: 'Name', exact: true });
  await page.getByLabel('Description').focus();
  await create.click();
  await page.waitForFunction("document.activeElement.matches('input:invalid')");
  await letters.fill(' ');
  await create.click();
  await page.getByRole('alert').filter({ hasText: 'Name must' }).waitFor();
  await checkScreen(page, 'any');

  // All or nobody: Eve lets nobody add her.
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Letters');
  await page.getByRole('checkbox', { name: 'Bob Kahn' }).check();
  await page.getByRole('checkbox', { name: 'Eve' }).check();
  await page.getByRole('button', { name: 'Create the list' }).click();
  await page.getByText('Somebody you chose does not allow you to add them').waitFor();
  await checkScreen(page);
  await page.getByRole('checkbox', { name: 'Eve' }).uncheck();
  await page.getByRole('button', { name: 'Create the list' }).click();
  await page.getByRole('heading', { name: 'Letters' }).waitFor();

  // Only the creator of a broadcast list can write, and cannot leave; a subscriber can. The creator does not report it.
  await page.getByRole('link', { name: 'Details' }).click();
  await page.getByText('The creator of a broadcast list cannot leave it.').waitFor();
  for (const name of ['Leave the list', 'Report'])
    assert.equal(await page.getByRole('button', { name }).count(), 0);
  await page.getByRole('link', { name: 'Letters 2 members' }).waitFor();
  await checkScreen(page);
  await bob.page.goto('/');
  await bob.page.getByRole('link', { name: /Letters/ }).click();
  await bob.page.getByText('Only the creator can write in this broadcast list.').waitFor();
  await bob.page.getByRole('heading', { name: 'No messages yet' }).waitFor();
  assert.equal(await bob.page.getByText('Write the first one').count(), 0);
  await bob.page.getByRole('link', { name: 'Details' }).click();
  await bob.page
    .getByRole('complementary', { name: 'Details' })
    .getByText('Only the creator can write')
    .waitFor();
  await bob.page.getByRole('button', { name: 'Leave the list' }).click();
  await bob.page.getByRole('dialog', { name: 'Leave Letters?' }).waitFor();
  await checkScreen(bob.page, 'any');
  await press(bob.page.getByRole('dialog', { name: 'Leave Letters?' }), 'Leave the list');
  await bob.page.getByText('You left').waitFor();
  await bob.page.waitForURL('**/');
  await bob.page.getByText('Letters', { exact: true }).first().waitFor({ state: 'detached' });
  await bob.page.goBack();
  // Whether the page dropped the list before or after he navigated away from it.
  await bob.page.getByText(/You are no longer in Letters|Page not found/).waitFor();
  await page.getByRole('link', { name: 'Letters 1 member' }).waitFor();
  // His row disappears after the count changes, and the button moves up.
  await page
    .getByRole('complementary', { name: 'Details' })
    .getByText('Bob Kahn')
    .first()
    .waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Delete for everybody' }).click();
  await press(page.getByRole('dialog', { name: 'Delete Letters?' }), 'Delete for everybody');
  await page.getByText('Deleted', { exact: true }).waitFor();
  await page.waitForURL('**/');
  await page.getByText('Letters', { exact: true }).first().waitFor({ state: 'detached' });

  // In a group, members can edit once they may.
  const groupId = await createGroup(ada.calls, 'Tea', bob.accountId);
  await bob.page.goto(`/c/${groupId}/info`);
  await bob.page.getByRole('button', { name: 'Leave the group' }).waitFor();
  assert.equal(await bob.page.getByRole('button', { name: 'Change name and photo' }).count(), 0);
  await page.goto(`/c/${groupId}/info`);
  // The menu of a member passes axe; Escape closes it, but not the details under it, even if nothing in it can be chosen.
  const open = (window: Page, name: string) =>
    window.getByRole('button', { name: `Actions for ${name}` }).click();
  await open(page, 'Bob Kahn');
  await page.getByRole('menuitem', { name: 'Make administrator' }).waitFor();
  await checkEveryView(page);
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await open(page, 'Ada Lovelace');
  await page.getByRole('menuitem', { name: /^The only administrator/ }).waitFor();
  await checkScreen(page, 'any');
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await bob.page.route('**/api/chat/profiles/**', () => {});
  await open(bob.page, 'Ada Lovelace');
  await chooseByKey(bob.page, bob.page.getByRole('menuitem', { name: 'Write a message' }));
  await checkScreen(bob.page);
  await bob.page.keyboard.press('Escape');
  await bob.page.getByRole('menu').waitFor({ state: 'detached' });
  await bob.page.unrouteAll();
  await page.getByRole('switch', { name: /Members can change/ }).click();
  await bob.page.getByRole('button', { name: 'Change name and photo' }).click();
  await bob.page.getByRole('textbox', { name: 'Name' }).fill('Tea and cake');
  await bob.page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('complementary', { name: 'Details' }).getByText('Tea and cake').waitFor();

  // The keyboard finds a conversation and moves between them; the title shows the unread count.
  await bob.page.keyboard.press('Control+k');
  await bob.page.keyboard.type('nobody of that name');
  await bob.page.getByText('No conversation has this name.').waitFor();
  await bob.page
    .getByRole('region', { name: 'Messages' })
    .getByText(/^None of the \d+ messages matches/)
    .waitFor();
  await bob.page.getByRole('searchbox', { name: 'Search' }).fill('ada l');
  const list = bob.page.getByRole('navigation', { name: 'Conversations' });
  await list.getByRole('link', { name: /^Tea and cake/ }).waitFor({ state: 'detached' });
  await bob.page.keyboard.press('Enter');
  await bob.page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
  await bob.page.evaluate(
    'navigator.setAppBadge = async (count) => void (document.documentElement.dataset.badge = count)',
  );
  await sayInGroup(ada.calls, groupId, 'Tea?');
  await titled(bob.page, /^\(1\) Ada Lovelace/);
  await bob.page.locator('html[data-badge="1"]').waitFor();
  await bob.page.setViewportSize(VIEWS[2].viewport);
  await sayInGroup(ada.calls, groupId, 'Or cake?');
  await titled(bob.page, /^\(2\) Ada Lovelace/);
  await bob.page.locator('html[data-badge="2"]').waitFor();
  await bob.page.setViewportSize(VIEWS[0].viewport);
  // A busy server refuses the mark at first.
  const busy = { status: 503, headers: { 'retry-after': '1' }, body: '' };
  await bob.page.route('**/read', (route) => route.fulfill(busy), { times: 1 });
  await bob.page.keyboard.press('Alt+ArrowUp');
  await bob.page.getByRole('article').getByText('Tea?').waitFor();
  await titled(bob.page, /^Tea and cake/);
  await bob.page.getByRole('link', { name: 'Details' }).click();

  // A rename reaches open pages, and so does being removed while reading.
  await bob.calls.patch('/api/auth/profile', { name: 'Bob Ng' });
  await page.getByRole('complementary', { name: 'Details' }).getByText('Bob Ng').waitFor();
  const bobs = { groupId, memberId: bob.accountId };
  await ada.calls.post('/api/chat/groups/members/remove', bobs);
  await bob.page.getByText('You are no longer in Tea and cake').waitFor();
  await checkEveryView(bob.page);
  await ada.calls.post('/api/chat/groups/members', { groupId, memberIds: [bob.accountId] });
  await bob.page.getByRole('heading', { name: 'Tea and cake' }).waitFor();
  await bob.calls.patch('/api/auth/profile', { name: 'Bob Kahn' });

  // The name of somebody who writes for the first time comes with the message.
  await page.getByRole('complementary', { name: 'Details' }).getByText('Bob Kahn').waitFor();
  const asked: string[] = [];
  page.on('request', (request) => request.url().includes('/people?') && asked.push(request.url()));
  await sayInGroup(bob.calls, groupId, 'Cake first!');
  await page.getByRole('article').getByText('Cake first!').waitFor();
  assert.equal(await page.getByText('Former member').count(), 0);
  await page.getByRole('status').getByText('Bob Kahn: Cake first!').waitFor();
  assert.deepEqual(asked, []);

  // The last administrator leaves: the dialog says who succeeds.
  await page.getByRole('button', { name: 'Leave the group' }).click();
  await page.getByText('You are the only administrator').waitFor();
  await press(page.getByRole('dialog', { name: 'Leave Tea and cake?' }), 'Leave the group');
  await bob.page.getByRole('button', { name: 'Add members' }).waitFor();
  await checkScreen(bob.page);
});

test('one field finds conversations, messages, and people by their username', async () => {
  await using ada = await scene.enter('/', { name: 'Ada Lovelace' });
  const [bob, eve] = [await scene.person('Bob Kahn'), await scene.person('Eve')];
  await introduce(ada.calls, bob.calls);
  await eve.calls.patch('/api/auth/profile', { username: 'eve_online' });
  const words = 'The parcel leaves on Tuesday.';
  await bob.calls.post('/api/chat/messages', { to: ada.accountId, type: 'text', content: words });
  const { page } = ada;
  const list = page.getByRole('navigation', { name: 'Conversations' });
  const field = page.getByRole('searchbox', { name: 'Search' });
  await list.getByRole('link', { name: /^Bob Kahn/ }).waitFor();

  const clicks = await countClicks(page);
  await field.click();
  await field.fill('parcel');
  const found = page.getByRole('region', { name: 'Messages' }).getByRole('link', { name: /Bob Kahn/ });
  await found.waitFor();
  // Beside what was found, it would read like "nothing was found".
  assert.equal(await page.getByText('No conversation has this name.').count(), 0);
  await checkEveryView(page);
  await found.click();
  await page.getByRole('article').getByText(words).waitFor();
  assert.equal(await clicks(), 2);

  await field.fill('@Eve_Online');
  await page.getByRole('region', { name: 'People and bots' }).getByRole('link', { name: /Eve/ }).click();
  await page.waitForURL('**/new/bot?username=eve_online');
  // Its own field takes the focus, and with it what is being typed.
  await page.locator('main input:focus').waitFor();

  await field.fill('bob');
  await list.getByRole('link', { name: /^Bob Kahn/ }).waitFor();
  await page.getByRole('region', { name: 'People and bots' }).waitFor({ state: 'detached' });
  await field.fill('nothing of that kind');
  await field.press('Enter');
  await page.waitForURL('**/search?words=nothing+of+that+kind');
});

/** Waits for the window's title by polling; the page's policy does not let a script wait for it. */
async function titled(page: Page, title: RegExp): Promise<void> {
  await eventually(async () => title.test(await page.title()));
}

test('stories: an uploaded picture, keyboard navigation, pausing, adding and deleting', async () => {
  await using ada = await scene.enter('/stories/new', { name: 'Ada Lovelace' });
  await using bob = await scene.enter('/', { name: 'Bob Kahn' });
  await introduce(bob.calls, ada.calls);
  const { page } = ada;
  await page.getByText('Picture', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Or a link to it' }).fill('http://example.com/a.png');
  await page.getByText('The link must begin with https://.').waitFor();
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a picture' }).click();
  await (await choosing).setFiles({ name: 'cake.png', mimeType: 'image/png', buffer: PIXEL });
  await page.getByRole('img', { name: 'Picture of the story' }).waitFor();
  await checkScreen(page);
  await page.getByRole('button', { name: 'Publish' }).click();
  // Without the hint for an empty list, the avatar is the first of the two.
  await page.getByRole('link', { name: 'Your story', exact: true }).waitFor();
  await ada.calls.post('/api/chat/stories', { type: 'text', text: 'Eaten.' });

  await bob.page.emulateMedia({ reducedMotion: 'reduce' });
  await bob.page.getByRole('link', { name: 'Ada Lovelace (new)' }).waitFor();
  // The event of the second element may arrive just as somebody clicks.
  await bob.page.reload();
  await bob.page.getByRole('link', { name: 'Ada Lovelace (new)' }).click();
  await bob.page.getByRole('img', { name: 'Picture of the story' }).waitFor();
  await bob.page.getByText('1 of 2').waitFor();
  await bob.page.keyboard.press('ArrowRight');
  await bob.page.getByText('Eaten.').waitFor();
  await checkScreen(bob.page);
  await bob.page.keyboard.press('ArrowLeft');
  await bob.page.getByText('1 of 2').waitFor();
  // With reduced motion, the story does not advance by itself; the space bar starts it.
  await bob.page.getByRole('button', { name: 'Resume' }).waitFor();
  const devtools = await bob.page.context().newCDPSession(bob.page);
  await devtools.send('Animation.enable');
  // On a slow machine, the element must not change before it was checked.
  await devtools.send('Animation.setPlaybackRate', { playbackRate: 0 });
  await bob.page.keyboard.press('Space');
  await bob.page.getByRole('button', { name: 'Pause' }).waitFor();
  await devtools.send('Animation.setPlaybackRate', { playbackRate: 1 });
  await bob.page.getByText('Eaten.').waitFor();
  await devtools.send('Animation.setPlaybackRate', { playbackRate: 0 });
  await bob.page.keyboard.press('ArrowRight');
  await bob.page.waitForURL('**/');
  await bob.page.getByRole('link', { name: 'Ada Lovelace (seen)' }).waitFor();

  // The stories of blocked people disappear at once, and return after unblocking.
  await bob.calls.post('/api/chat/blocks', { userId: ada.accountId });
  await bob.page.getByRole('link', { name: /^Ada Lovelace \(/ }).waitFor({ state: 'detached' });
  await bob.calls.delete('/api/chat/blocks', { userId: ada.accountId });
  await bob.page.getByRole('link', { name: 'Ada Lovelace (seen)' }).waitFor();

  await bob.page.goto(`/stories/${ada.accountId}`);
  await bob.page.getByRole('button', { name: 'React with ❤️' }).click();
  await page.getByRole('link', { name: /Bob Kahn.*Your story of/ }).waitFor();
  await bob.page.goto('/');

  await page.getByRole('link', { name: 'Your story', exact: true }).click();
  await page.getByRole('button', { name: 'Seen by 1' }).click();
  const viewers = page.getByRole('dialog', { name: 'Seen by 1' });
  await viewers.getByText('Bob Kahn').waitFor();
  await checkScreen(page);
  await page.goBack();
  await viewers.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Delete' }).click();
  await press(page.getByRole('dialog', { name: 'Delete your story?' }), 'Delete');
  await page.getByText('The story is deleted').waitFor();
  await bob.page.getByRole('link', { name: /^Ada Lovelace \(/ }).waitFor({ state: 'detached' });
  await bob.page.goto(`/stories/${ada.accountId}`);
  await bob.page.getByText('This story has ended.').waitFor();
  await checkScreen(bob.page);
});

test('with text of twice the size, the details cover the thread instead of leaving the window', async () => {
  await using ada = await scene.enter('/', { name: 'Ada' });
  const { page } = ada;
  const groupId = await createGroup(ada.calls, 'Tea');
  await openScreen(page, `/c/${groupId}/info`);
  const composer = page.getByRole('textbox', { name: 'Write a message' });
  await composer.waitFor();
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  await composer.waitFor({ state: 'hidden' });
  await checkWidth(page);
});
