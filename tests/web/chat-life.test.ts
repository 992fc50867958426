import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openWindow } from '../chromium.ts';
import { allSent, createBot, PIXEL, write } from './chat-scene.ts';
import {
  checkEveryView,
  checkScreen,
  PASSWORD,
  press,
  startWebScene,
  VIEWS,
  type WebScene,
} from './web-scene.ts';

/** A first-time visitor, at `path`. */
async function signUp(
  scene: WebScene,
  path: string,
  name: string,
  viewport: { width: number; height: number } = VIEWS[0].viewport,
) {
  const visit = await openWindow(scene.chromium, {
    baseURL: scene.origin,
    reducedMotion: 'reduce',
    viewport,
  });
  const { page } = visit;
  const email = `${crypto.randomUUID()}@example.com`;
  await page.goto(path);
  const toSignUp = page.getByRole('main').getByRole('button', { name: 'Create an account' });
  if (path.startsWith('/i/')) await page.getByText('Ada Lovelace invites you to Parley').waitFor();
  if ((await page.getByRole('heading', { level: 1 }).innerText()) !== 'Create an account')
    await toSignUp.click();
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').first().fill(PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'Create an account' }).first().click();
  return { ...visit, email };
}

async function choose(page: Page, menu: string, item: string): Promise<void> {
  await page.getByRole('button', { name: menu }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

test('a day of two people and a bot, from sign-up to account deletion', async () => {
  await using scene = await startWebScene();
  const bot = await createBot(scene.origin, { name: 'Tea Timer', username: 'tea_timer_bot' });
  await using ada = await signUp(scene, '/', 'Ada Lovelace');
  const { page } = ada;

  // Ada creates an invite link, and Bob finds her with it, on a phone.
  await page.getByText('Welcome to Parley').waitFor();
  await checkEveryView(page);
  await page
    .getByRole('link', { name: /^Invite people/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Create a link' }).click();
  await page.getByRole('img', { name: 'QR code of your link' }).waitFor();
  await checkScreen(page);
  const link = await page.locator('code').innerText();
  await using bob = await signUp(scene, new URL(link).pathname, 'Bob Kahn', VIEWS[2].viewport);
  await bob.page.getByRole('link', { name: 'Write a message' }).waitFor();
  await checkScreen(bob.page);
  await bob.page.getByRole('link', { name: 'Write a message' }).click();
  await write(bob.page, 'Good morning, Ada!');
  await bob.page.setViewportSize(VIEWS[0].viewport);
  await page.getByRole('link', { name: /Bob Kahn/ }).click();
  await page.getByRole('article').getByText('Good morning, Ada!').waitFor();
  await write(page, 'Good morning, Bob!');

  // Both write to the bot; only then can it be added to groups.
  for (const { page: window } of [ada, bob]) {
    await window.goto('/new/bot?username=tea_timer_bot&start=from-poster');
    await window.getByText('Starting sends it the message “/start from-poster”.').waitFor();
    await checkScreen(window);
    await window.getByRole('link', { name: 'Start' }).click();
    await window.getByRole('article').getByText('/start from-poster').waitFor();
    await allSent(window);
  }

  // A group with a photo, made by Ada.
  await choose(page, 'New chat', 'New group');
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a photo' }).click();
  await (await choosing).setFiles({ name: 'tea.png', mimeType: 'image/png', buffer: PIXEL });
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Tea at five');
  await page.getByLabel('Description').fill('Every day.');
  await page.getByRole('checkbox', { name: /Bob Kahn/ }).check();
  await page.getByRole('checkbox', { name: /Tea Timer/ }).check();
  await page.getByRole('button', { name: 'Remove the photo' }).waitFor();
  await checkScreen(page);
  await page.getByRole('button', { name: 'Create the group' }).click();
  await page.getByRole('heading', { name: 'Tea at five' }).waitFor();

  // A mention, chosen from the members of the group.
  const field = page.getByRole('textbox', { name: 'Write a message' });
  await field.pressSequentially('Are you coming, @Bo');
  await page.getByRole('option', { name: /Bob Kahn/ }).click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await bob.page.getByRole('link', { name: /Tea at five/ }).click();
  await bob.page.getByRole('article').getByText('@Bob Kahn').waitFor();

  // A poll from the menu, with results on both sides.
  await choose(page, 'Attach', 'Poll');
  await page.getByLabel('Question').fill('Which tea?');
  await page.getByRole('textbox', { name: 'Answer 1' }).fill('Assam');
  await page.getByRole('textbox', { name: 'Answer 2' }).fill('Assam');
  await page.getByText('Two answers are the same.').waitFor();
  await page.getByRole('textbox', { name: 'Answer 2' }).fill('Darjeeling');
  await page.getByRole('button', { name: 'Add an answer' }).click();
  await page.getByRole('textbox', { name: 'Answer 3' }).fill('None');
  await checkScreen(page);
  await page.getByRole('button', { name: 'Create the poll' }).click();
  await bob.page.getByRole('button', { name: /^Darjeeling/ }).click();
  await page.getByText('1 person voted').waitFor();
  // The second click of a double click would retract the vote.
  await page.getByRole('button', { name: /^Assam/ }).dblclick();
  await bob.page.getByText('2 people voted').waitFor();
  // Both want less motion.
  const share = "document.querySelector('.mantine-Progress-section')";
  assert.equal(await page.evaluate(`getComputedStyle(${share}).transitionDuration`), '0s');

  // Announcement mode: from now on Bob can only read.
  await page.getByRole('link', { name: 'Details' }).click();
  const details = page.getByRole('complementary', { name: 'Details' });
  await details.getByRole('switch', { name: 'Only administrators can write' }).click();
  await bob.page.getByText('Only administrators can write in this group.').waitFor();
  await checkScreen(page);

  await details.getByRole('button', { name: 'Actions for Bob Kahn' }).click();
  await page.getByRole('menuitem', { name: 'Make administrator' }).click();
  await bob.page.getByRole('textbox', { name: 'Write a message' }).waitFor();
  // "Back" leads neither to the closed details nor to the form of the created group.
  await details.getByRole('button', { name: 'Close' }).click();
  await details.waitFor({ state: 'detached' });
  await page.goBack();
  await page.getByRole('heading', { name: 'Tea Timer' }).waitFor();

  // A story, seen by Bob.
  await page.goto('/');
  await choose(page, 'New chat', 'New story');
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('The kettle is on.');
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.waitForURL('**/');
  await page.goBack();
  assert.equal(
    new URL(page.url()).pathname,
    '/',
    'the form of a story that is published is not there any more',
  );
  await bob.page.getByRole('link', { name: 'Ada Lovelace (new)' }).click();
  await bob.page.getByText('The kettle is on.').waitFor();
  await checkScreen(bob.page);
  await bob.page.keyboard.press('Escape');
  await bob.page.getByRole('link', { name: 'Ada Lovelace (seen)' }).waitFor();

  // Bob blocks the bot.
  await bob.page
    .getByRole('link', { name: /^Tea Timer/ })
    .first()
    .click();
  await bob.page.getByRole('link', { name: 'Details' }).click();
  await bob.page.getByRole('button', { name: 'Block' }).click();
  await press(bob.page.getByRole('dialog', { name: 'Block this account?' }), 'Block');
  await bob.page.getByText('You blocked this account.').waitFor();
  const session = await (await bob.page.request.get('/api/auth/session')).json();
  await assert.rejects(bot.writes(session.data.account.accountId, 'Tea!'), /block/);
  await bob.page.goto('/settings/blocked');
  await bob.page.getByRole('button', { name: 'Unblock Tea Timer' }).waitFor();
  await checkScreen(bob.page);

  // Ada deletes her account; her messages stay, without a name, and she is no longer online.
  await bob.page.goto('/');
  await bob.page.getByRole('link', { name: /^Ada Lovelace .*Good morning, Bob!/ }).click();
  // On a busy machine, she was last there some minutes ago.
  await bob.page.getByRole('link', { name: /^Ada Lovelace (Online|Last seen)/ }).waitFor();
  await page.goto('/settings/account');
  await page.getByRole('button', { name: 'Delete the account' }).waitFor();
  // The part above the button is still loading until then.
  await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Delete the account' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill(ada.email);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the account' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await bob.page.getByText('This account was deleted.').waitFor();
  await bob.page.getByRole('link', { name: 'Deleted account', exact: true }).waitFor();
  await bob.page.getByRole('article').getByText('Good morning, Ada!').waitFor();
  await checkScreen(bob.page);
});
