import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { choose, createGroup, introduce, openChat } from './chat-scene.ts';
import { chooseByKey, follow, PASSWORD, startWebScene } from './web-scene.ts';

const scene = await startWebScene();
after(() => scene[Symbol.asyncDispose]());

/** Waits until this has the focus. */
const focused = (page: Page, role: 'button' | 'link', name: string | RegExp) =>
  page.getByRole(role, { name }).and(page.locator(':focus')).waitFor();

test('another screen begins at its own beginning, not at the link that skips it', async () => {
  const { email } = await scene.person('Ada');
  await using stranger = await scene.visit('/');
  const { page } = stranger;
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').first().fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByText('Welcome to Parley').waitFor();
  assert.equal(await page.evaluate('document.activeElement.localName'), 'body');
});

test('the row of a list that disappears under its button hands the focus on', async () => {
  await using ada = await scene.enter('/', { name: 'Ada' });
  const { page } = ada;
  for (const name of ['Bob', 'Cy', 'Dot']) {
    const { calls, accountId } = await scene.person(name);
    await introduce(ada.calls, calls);
    await ada.calls.post('/api/chat/blocks', { userId: accountId });
  }
  await page.goto('/settings/blocked');
  // To the next row, to the one before, and from the last one to what is around the list.
  const rows = page.getByRole('button', { name: /^Unblock / });
  await rows.nth(2).waitFor();
  const names = await rows.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));
  const [first = '', second = '', third = ''] = names;
  for (const [unblocked, next] of [
    [second, third],
    [third, first],
  ] as const) {
    await page.getByRole('button', { name: unblocked }).press('Enter');
    await page.getByRole('button', { name: unblocked }).waitFor({ state: 'detached' });
    await focused(page, 'button', next);
  }
  await page.getByRole('button', { name: first }).press('Enter');
  await page.getByText('Nobody is blocked').waitFor();
  await focused(page, 'link', 'Back');
});

test('a session that is ended, and a member who is removed, hand the focus on', async () => {
  await using ada = await scene.enter('/', { name: 'Ada' });
  const { page } = ada;
  const [bob, cy] = [await scene.person('Bob'), await scene.person('Cy')];
  for (const { calls } of [bob, cy]) await introduce(ada.calls, calls);
  const members = [bob.accountId, cy.accountId];
  const made = await ada.calls.post('/api/chat/groups', { name: 'Tea', members });
  await follow(page, '/settings/account');
  // The other session is the one of the calls.
  const end = page.getByRole('button', { name: 'End', exact: true });
  await end.press('Enter');
  await end.waitFor({ state: 'detached' });
  await focused(page, 'button', 'Sign out everywhere');

  await openChat(page, String(made['groupId']));
  await page.getByRole('link', { name: 'Details' }).click();
  const actions = page.getByRole('button', { name: /^Actions for (Bob|Cy)/ });
  await actions.nth(1).waitFor();
  const [gone = ''] = await actions.evaluateAll((all) =>
    all.map((one) => one.getAttribute('aria-label') ?? ''),
  );
  const row = page.getByRole('button', { name: gone });
  await row.press('Enter');
  // Its row is gone, by the live event, before the dialog is closed by the response.
  await page.route('**/groups/members/remove', async (route) => {
    const response = await route.fetch();
    await row.waitFor({ state: 'detached' });
    await route.fulfill({ response });
  });
  const answered = page.waitForResponse('**/groups/members/remove');
  await chooseByKey(page, page.getByRole('menuitem', { name: 'Remove member' }));
  await chooseByKey(page, page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }));
  await answered;
  await focused(page, 'button', /^Actions for (Ada|Bob|Cy)/);
});

test('a dialog begins at its first field; a warning without one, at the button that does no harm', async () => {
  await using ada = await scene.enter('/settings/account', { name: 'Ada' });
  const { page } = ada;
  await page.getByRole('button', { name: 'Sign out everywhere' }).press('Enter');
  await focused(page, 'button', 'Cancel');
  await page.keyboard.press('Enter');
  await focused(page, 'button', 'Sign out everywhere');

  const { calls, accountId } = await scene.person('Bob');
  await introduce(ada.calls, calls);
  const { conversationId } = await ada.calls.get<{ conversationId: string }>(
    `/api/chat/profiles/${accountId}`,
  );
  await openChat(page, conversationId);
  await page.getByRole('link', { name: 'Details' }).click();
  await page.getByRole('button', { name: 'Report' }).press('Enter');
  await page.getByRole('dialog').getByLabel('Reason').and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Escape');

  await choose(page, 'Hello, it is me.', 'Delete');
  await focused(page, 'button', 'Cancel');
});

test('what stands in the place of a button has the focus after it', async () => {
  await using ada = await scene.enter('/', { name: 'Ada' });
  const { page } = ada;
  const { calls } = await scene.person('Bob');
  const { conversationId } = await introduce(ada.calls, calls);
  await openChat(page, conversationId);
  await page.getByRole('link', { name: 'Details' }).click();
  const details = page.getByRole('complementary', { name: 'Details' });
  await details.getByRole('button', { name: 'Block' }).press('Enter');
  await chooseByKey(page, page.getByRole('dialog').getByRole('button', { name: 'Block' }));
  await details.getByRole('button', { name: 'Unblock' }).and(page.locator(':focus')).waitFor();
});

test('the details of a group are edited from the name on, and end at the button that began it', async () => {
  await using ada = await scene.enter('/', { name: 'Ada' });
  const { page } = ada;
  const groupId = await createGroup(ada.calls, 'Tea');
  await openChat(page, groupId);
  await page.getByRole('link', { name: 'Details' }).click();
  for (const end of ['Cancel', 'Save']) {
    await page.getByRole('button', { name: 'Change name and photo' }).press('Enter');
    await page.getByLabel('Name').and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: end }).press('Enter');
    await focused(page, 'button', 'Change name and photo');
  }
});
