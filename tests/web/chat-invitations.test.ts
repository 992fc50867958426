import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createGroup } from './chat-scene.ts';
import { checkEveryView, checkScreen, countClicks, PASSWORD, press, startWebScene } from './web-scene.ts';

const scene = await startWebScene();
after(() => scene[Symbol.asyncDispose]());

const LONG_NAME =
  'Wanderungen, Radtouren und gemeinsame Abendessen der Hausgemeinschaft Donaudampfschifffahrtsstraße';

const copied = (page: Page) => page.evaluate('navigator.clipboard.readText()') as Promise<string>;
const isIn = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();

test('a group is made, its link copied, and people with and without an account end in it', async () => {
  await using ada = await scene.enter('/', { name: 'Ada Lovelace' });
  const { page } = ada;
  const clicks = await countClicks(page);
  await press(page, 'New chat');
  await page.getByRole('menuitem', { name: 'New group' }).click();
  await page.getByText('You can invite people by a link once it is there.').waitFor();
  await page.getByRole('textbox', { name: 'Name', exact: true }).and(page.locator(':focus')).fill(LONG_NAME);
  await press(page, 'Create the group');
  await page.getByText('Nobody else is here yet').waitFor();
  await checkEveryView(page);
  await press(page, 'Copy invitation link');
  await page.getByRole('button', { name: 'Invitation link copied' }).waitFor();
  assert.equal(await clicks(), 4);
  await press(page, 'Invitation link copied');
  await page.getByRole('status').getByText('/join#').waitFor();
  await checkEveryView(page);
  const link = await copied(page);
  assert.match(link, new RegExp(`^${scene.origin}/join#[A-Za-z0-9_-]{46}$`));

  // Somebody new signs up at the link.
  await using bob = await scene.visit(link);
  await bob.page.getByText('You are invited to').waitFor();
  await bob.page.getByText(LONG_NAME).waitFor();
  await bob.page.getByText('Group · 1 member').waitFor();
  await checkScreen(bob.page, 'any');
  await bob.page.getByLabel('Name').fill('Bob Kahn');
  await bob.page.getByLabel('E-mail address').fill(`${crypto.randomUUID()}@example.com`);
  await bob.page.getByLabel('Password').first().fill(PASSWORD);
  await press(bob.page, 'Create an account');
  await isIn(bob.page, LONG_NAME);
  const joined = (who: Page) => who.getByRole('log').getByText('joined by an invitation link');
  await joined(bob.page).waitFor();
  await joined(page).waitFor();
  assert.ok(!bob.page.url().includes('#'));
  await bob.page.goto('/');
  await bob.page.getByRole('link', { name: new RegExp(`^${LONG_NAME}`) }).waitFor();

  // Somebody who has an account, and is signed in.
  await using cyd = await scene.enter(link.slice(scene.origin.length), { name: 'Cyd Charisse' });
  await cyd.page.getByRole('heading', { name: LONG_NAME }).waitFor();
  await cyd.page.getByText('Group · 2 members').waitFor();
  await checkEveryView(cyd.page);
  await press(cyd.page, 'Join the group');
  await isIn(cyd.page, LONG_NAME);
  await cyd.page.goto(link);
  await cyd.page.reload();
  await cyd.page.getByText('You are already a member.').waitFor();
  await checkScreen(cyd.page, 'any');
  await cyd.page.getByRole('link', { name: 'Open', exact: true }).click();
  await isIn(cyd.page, LONG_NAME);

  // Somebody who has an account, and is not.
  const dan = await scene.person('Dan Dare');
  await using dans = await scene.visit(link);
  await press(dans.page, 'Sign in');
  await dans.page.getByLabel('E-mail address').fill(dan.email);
  await dans.page.getByLabel('Password').first().fill(PASSWORD);
  await press(dans.page, 'Sign in');
  await isIn(dans.page, LONG_NAME);

  // Whom an administrator removes cannot come back.
  const groupId = new URL(page.url()).pathname.split('/')[2] as string;
  await ada.calls.post('/api/chat/groups/members/remove', { groupId, memberId: cyd.accountId });
  await cyd.page.goto(link);
  await cyd.page.reload();
  await press(cyd.page, 'Join the group');
  await cyd.page.getByText('You cannot join this group by a link').waitFor();
  assert.equal(await cyd.page.getByRole('button', { name: 'Join the group' }).count(), 0);
  await checkEveryView(cyd.page);
});

test('links in the details: end and uses, the code, one click to revoke; the dialog for members offers one', async () => {
  await using ada = await scene.enter('/', { name: 'Ada Lovelace' });
  const { page } = ada;
  const groupId = await createGroup(ada.calls, 'Tea');
  await page.goto(`/c/${groupId}/info`);
  const details = page.getByRole('complementary', { name: 'Details' });
  await press(page, 'Add members');
  const adding = page.getByRole('dialog', { name: 'Add members' });
  await adding.getByText('There is nobody to add right now').waitFor();
  await checkEveryView(page);
  await adding.getByRole('button', { name: 'Copy invitation link' }).click();
  await adding.getByText('/join#').waitFor();
  await checkEveryView(page);
  const first = await copied(page);
  await page.keyboard.press('Escape');
  await adding.waitFor({ state: 'detached' });
  await details.getByText('0 joined · ends in 7 days', { exact: true }).waitFor();

  // The same link again, as long as it works.
  await press(page, 'Add members');
  await adding.getByRole('button', { name: 'Copy invitation link' }).click();
  await adding.getByText('/join#').waitFor();
  assert.equal(await copied(page), first);
  await page.keyboard.press('Escape');
  await adding.waitFor({ state: 'detached' });

  await press(page, 'New link');
  const making = page.getByRole('dialog', { name: 'New link' });
  await making.getByLabel('Ends').selectOption('Only when it is revoked');
  await making.getByLabel('How many people can join').selectOption('1 person');
  await checkEveryView(page);
  await making.getByRole('button', { name: 'Create the link' }).click();
  await making.getByRole('img', { name: 'QR code of the invitation link' }).waitFor();
  await checkEveryView(page);
  const second = (await making.getByText('/join#').textContent()) ?? '';
  await press(page, 'Done');
  await details.getByText('0 of 1 joined · no end').waitFor();
  await checkEveryView(page);

  await using bob = await scene.enter(second.slice(scene.origin.length), { name: 'Bob Kahn' });
  await press(bob.page, 'Join the group');
  await isIn(bob.page, 'Tea');
  await details.getByText('0 of 1 joined').waitFor({ state: 'detached' });
  await details.getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('Link revoked').waitFor();
  await details.getByRole('button', { name: 'Revoke' }).waitFor({ state: 'detached' });
  for (const link of [first, second]) {
    await using stranger = await scene.visit(link);
    await stranger.page.getByText('This link no longer works').waitFor();
    await checkScreen(stranger.page, 'any');
  }
  await using cyd = await scene.enter(first.slice(scene.origin.length), { name: 'Cyd Charisse' });
  await cyd.page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
  await checkEveryView(cyd.page);
});

test('a link with approval: people ask, the administrator sees it in the head and decides', async () => {
  await using ada = await scene.enter('/', { name: 'Ada Lovelace' });
  const { page } = ada;
  const groupId = await createGroup(ada.calls, 'Tea');
  await page.goto(`/c/${groupId}/info`);
  await press(page, 'New link');
  const making = page.getByRole('dialog', { name: 'New link' });
  await making.getByRole('switch', { name: 'An administrator approves each person' }).click();
  await checkEveryView(page);
  await making.getByRole('button', { name: 'Create the link' }).click();
  const link = (await making.getByText('/join#').textContent()) ?? '';
  await press(page, 'Done');
  const details = page.getByRole('complementary', { name: 'Details' });
  await details.getByText('0 asked · ends in 7 days · with approval').waitFor();

  await using bob = await scene.enter(link.slice(scene.origin.length), { name: 'Bob Kahn' });
  await bob.page.getByText('An administrator decides who joins.').waitFor();
  await checkEveryView(bob.page);
  await press(bob.page, 'Ask to join');
  await bob.page.getByText('Your request is with the administrators.').waitFor();
  await checkEveryView(bob.page);
  await using cyd = await scene.enter(link.slice(scene.origin.length), { name: LONG_NAME.slice(0, 64) });
  await press(cyd.page, 'Ask to join');
  await page.getByRole('link', { name: 'Details, 2 requests to join' }).waitFor();
  const requests = details.getByRole('region', { name: 'Requests to join' });
  await requests.getByText('Bob Kahn').waitFor();
  await checkEveryView(page);

  await bob.page.goto('/');
  await requests.getByRole('button', { name: 'Accept Bob Kahn' }).click();
  await bob.page.getByRole('link', { name: /^Tea/ }).waitFor();
  await page.getByRole('link', { name: 'Details, 1 request to join' }).waitFor();
  await requests.getByRole('button', { name: `Decline ${LONG_NAME.slice(0, 64)}` }).click();
  await requests.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Details', exact: true }).waitFor();
  await cyd.page.reload();
  await press(cyd.page, 'Ask to join');
  await cyd.page.getByText('You cannot join this group by a link').waitFor();
});
