import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { ChatMessage } from '#contract/chat.ts';
import { MANAGEMENT_BOT_ID } from '#features/management-bot/index.ts';
import { openWindow } from '../chromium.ts';
import {
  ageSignIn,
  createApplication,
  fillFailures,
  makeOperator,
  nameOperator,
  startConsoleScene,
} from './console-scene.ts';
import {
  changeColorScheme,
  checkScreen,
  chooseByKey,
  openScreen,
  PASSWORD,
  signInByForm,
  turnOnTwoFactor,
  VIEWS,
} from './web-scene.ts';

const scene = await startConsoleScene();
after(() => scene[Symbol.asyncDispose]());
const grace = await scene.enter('/operate', { name: 'Grace Hopper' });
const { page } = grace;

const press = (name: string, within: Pick<Page, 'getByRole'> = page) =>
  within.getByRole('button', { name, exact: true }).click();

async function give(reason: string, button: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill(reason);
  await press(button, dialog);
}

async function search(text: string): Promise<void> {
  await page.getByRole('search').getByRole('textbox').fill(text);
  await press('Search');
}

test('the page exists only for operators with a second factor', async () => {
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await nameOperator(scene, grace);
  await page.reload();
  await page.getByRole('heading', { name: 'A second factor is needed' }).waitFor();
  await checkScreen(page, 'any');
  await turnOnTwoFactor(grace, page);
  await page.goto('/operate');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByText('Open reports').waitFor();
  await checkScreen(page, 'any');
  await page.getByRole('link', { name: 'People', exact: true }).first().click();
  await page.getByText('Search for a person').waitFor();
});

test('a person is found, suspended for a time, and let in again; every action is in the trail', async () => {
  await using ada = await scene.enter('/', { name: 'Ada Lovelace' });
  await search('ada l');
  await page.getByRole('link', { name: 'Ada Lovelace' }).click();
  await page.getByText(ada.email).waitFor();
  await page.getByText('Chrome, Linux').first().waitFor();
  await page.getByLabel('New groups per day').fill('3');
  await press('Save');
  await page.getByText('Limits changed').waitFor();
  await press('Suspend');
  await page.getByLabel('Days').fill('7');
  const reason = `spam in three groups: ${'coins'.repeat(40)}`;
  await give(reason, 'Suspend');
  await page.getByText('Suspended until').waitFor();
  await ada.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  await checkScreen(page, 'any');

  await press('Create: Link to set a new password');
  const link = await page.getByText('/reset#').innerText();
  await checkScreen(page, 'any');
  await press('Close', page.getByRole('dialog').locator('form, .mantine-Modal-body'));

  await press('Lift the suspension');
  await give('it was somebody else', 'Lift the suspension');
  await page.getByRole('button', { name: 'Suspend', exact: true }).waitFor();
  await ada.calls.post('/api/auth/sign-in', { email: ada.email, password: PASSWORD });
  const password = 'a horse of another colour';
  await ada.page.goto(link);
  await ada.page.getByLabel('New password').fill(password);
  await press('Set the password', ada.page);
  await press('Sign in', ada.page);
  await signInByForm(ada.page, ada.email, password);
  await ada.page.getByText('Welcome to Parley').waitFor();

  await page.getByRole('link', { name: 'Audit trail' }).click();
  await page.getByText(`Reason: ${reason}`).waitFor();
  await page.getByText('New groups per day: as for everybody → 3').waitFor();
  assert.deepEqual(await page.locator('.mantine-Timeline-itemTitle').allInnerTexts(), [
    'Grace Hopper lifted a person’s suspension: Ada Lovelace',
    'Grace Hopper created a password link: Ada Lovelace',
    'Grace Hopper suspended a person: Ada Lovelace',
    'Grace Hopper changed a person’s limits: Ada Lovelace',
  ]);
  await checkScreen(page, 'any');
});

test('an application is found, gets a new quota, and is suspended', async () => {
  await using ada = await scene.enter('/console', { name: 'Ada Lovelace' });
  const { appId } = await createApplication(ada.calls, 'Weather');
  await scene.db`insert into open_breakers (app_id, opened_at, owner, owned_until) values (${appId}, ${Date.now()}, '', 0)`;
  await openScreen(page, '/operate/applications');
  await page.getByRole('region', { name: 'Endpoints that do not answer' }).getByText('Weather').waitFor();
  await checkScreen(page, 'any');
  const failing = await createApplication(ada.calls, 'Barometer');
  await fillFailures(scene.db, failing.appId, Date.now());
  await search('barom');
  await page.getByText('deliveries fail', { exact: true }).waitFor();
  await search('weath');
  await page.getByRole('link', { name: 'Weather' }).click();
  await page.getByText(appId).waitFor();
  await page.getByText('Stopped answering').waitFor();
  await page.getByText('Nobody has granted it anything').waitFor();
  await page.getByRole('img', { name: /^Chart: / }).waitFor();
  await page.getByLabel('Requests a minute').fill('600');
  await press('Save');
  await page.getByText('600 requests a minute').waitFor();
  await press('Suspend');
  await give('spam', 'Suspend');
  await page.getByText('suspended', { exact: true }).waitFor();
  await checkScreen(page, 'any');
});

test('a report is decided by removing a message and suspending its author', async () => {
  await using ada = await scene.enter('/', { name: 'Ada Lovelace' });
  const eve = await scene.person('Eve');
  const write = (content: string) =>
    eve.calls.post<ChatMessage>('/api/chat/messages', { to: ada.accountId, type: 'text', content });
  const { conversationId, msgId } = await write('You fool');
  await openScreen(page, '/operate/reports');
  await page.getByText('No open reports').waitFor();
  await checkScreen(page, 'any');
  const report = { conversationId, userId: eve.accountId, reason: 'abuse', msgIds: [msgId] };
  await ada.calls.post('/api/auth/sign-in', { email: ada.email, password: PASSWORD });
  await ada.calls.post('/api/chat/reports', report);
  await page.reload();
  await page.getByText('1 open report').waitFor();
  await checkScreen(page, 'any');
  await page.getByRole('link', { name: 'Eve', exact: true }).click();
  await page.getByLabel('Remove this message from Eve').check();
  await checkScreen(page, 'any');
  await press('Suspend');
  await give('insults', 'Suspend');
  await page.getByText('Decision: suspended').waitFor();
  await checkScreen(page, 'any');
  await ada.page.getByRole('link', { name: /Parley.*acted on it/ }).click();
  await ada.page.getByText('Nobody reads replies here').waitFor();
  await checkScreen(ada.page, 'any');

  // From the chat, a report is decided by four clicks; identity is confirmed before the decision is asked for.
  await ada.calls.post('/api/chat/reports', { ...report, msgIds: [] });
  await ada.calls.post('/api/chat/reports', { ...report, reason: 'spam', msgIds: [] });
  await page.addInitScript(
    "addEventListener('pointerdown', () => { sessionStorage.clicks = Number(sessionStorage.clicks ?? 0) + 1; }, true)",
  );
  await page.goto('/');
  await page.getByRole('button', { name: /Menu$/ }).click();
  await checkScreen(page, 'any');
  await page.getByRole('menuitem', { name: /Open reports/ }).click();
  await page.getByText('2 more reports about this person').waitFor();
  await ageSignIn(scene.db, grace.accountId);
  await press('Dismiss');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password').first().fill(PASSWORD);
  await page.keyboard.press('Enter');
  await dialog.getByText('found nothing to act on').waitFor();
  await press('Dismiss', dialog);
  await page.getByText(/by Grace Hopper$/).waitFor();
  assert.equal(await page.evaluate('sessionStorage.clicks'), '4');
  await checkScreen(page, 'any');
  await page.getByRole('link', { name: 'Next report' }).click();
  await page.getByText('Spam', { exact: true }).first().waitFor();
});

test('what another operator has done meanwhile is shown once an act is refused', async () => {
  const [alan, ada, eve] = [
    await scene.person('Alan Turing'),
    await scene.person('Ada Lovelace'),
    await scene.person('Eve'),
  ];
  await makeOperator(scene, alan);
  const spam = { to: ada.accountId, type: 'text', content: 'Buy my coins' };
  const { conversationId } = await eve.calls.post<ChatMessage>('/api/chat/messages', spam);
  const report = { conversationId, userId: eve.accountId, reason: 'spam', msgIds: [] };
  const { reportId } = await ada.calls.post<{ reportId: string }>('/api/chat/reports', report);
  await openScreen(page, `/operate/reports/${reportId}`);
  await press('Dismiss');
  await alan.calls.post(`/api/operate/reports/${reportId}/decision`, { decision: 'warned', reason: 'spam' });
  await press('Dismiss', page.getByRole('dialog'));
  await page.getByRole('alert').filter({ hasText: 'There is no such open report' }).waitFor();
  await page.getByText('Decision: warned').waitFor();
  await page.getByText(/by Alan Turing$/).waitFor();
});

test('if it cannot be known who may see the console, the page says so and asks again', async () => {
  for (const path of ['**/api/auth/session', '**/api/operate/me']) {
    await page.route(path, (route) => route.fulfill({ status: 500, body: '' }));
    await page.goto('/operate/people');
    const fault = page.getByRole('main').getByRole('alert');
    await fault.waitFor();
    await checkScreen(page);
    await page.unroute(path);
    await fault.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Search for a person').waitFor();
  }
});

test('a refused act keeps what was entered, and by the keyboard alone it is repeated, cancelled and done', async () => {
  const eve = await scene.person('Eve');
  const focused = (name: string) =>
    page.getByRole('button', { name, exact: true }).and(page.locator(':focus')).waitFor();
  const { keyboard } = page;
  const dialog = page.getByRole('dialog');
  await page.goto('/operate/people');
  await page.goto(`/operate/people/${eve.accountId}`);
  await page.getByRole('button', { name: 'Suspend', exact: true }).press('Enter');
  await dialog.getByLabel('Reason').and(page.locator(':focus')).waitFor();
  await keyboard.press('Escape');
  await focused('Suspend');
  await keyboard.press('Enter');
  await dialog.getByLabel('Reason').and(page.locator(':focus')).waitFor();
  await keyboard.type('spam in three groups');
  await page.route('**/suspension', (route) => route.fulfill({ status: 503, body: '' }), { times: 1 });
  await page.setViewportSize({ width: 320, height: 640 });
  await dialog.getByRole('button', { name: 'Suspend', exact: true }).press('Enter');
  // In the dialog: a notification could cover its buttons.
  await dialog.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor();
  await page.setViewportSize({ width: 1280, height: 800 });
  assert.equal(await dialog.getByLabel('Reason').inputValue(), 'spam in three groups');
  await dialog.getByRole('button', { name: 'Suspend', exact: true }).press('Enter');
  await focused('Lift the suspension');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('spam in three groups').waitFor();

  await page.getByRole('button', { name: 'Delete the account', exact: true }).press('Enter');
  await dialog.getByLabel('Reason').and(page.locator(':focus')).waitFor();
  await keyboard.type('on request');
  await dialog.getByRole('button', { name: 'Delete the account', exact: true }).press('Enter');
  await page.getByText('Search for a person').waitFor();
  await page.goBack();
  await page.waitForURL('**/operate/people');
});

test('an announcement, and maintenance that is announced, enforced and ended, live', async () => {
  await using ada = await scene.enter('/', { name: 'Ada Lovelace' });
  const hello = { to: MANAGEMENT_BOT_ID, type: 'text', content: '/cancel' };
  await ada.calls.post('/api/chat/messages', hello);
  await openScreen(page, '/operate/announcements');
  await page.getByText('No announcements yet').waitFor();
  await checkScreen(page, 'any');
  await press('Announce');
  await page.getByText('Write a text in at least one language').waitFor();
  await page.getByLabel('Text (English)').fill('We move on Sunday: https://status.example.com');
  await page.getByLabel('A message to every person').check();
  await press('Announce');
  const line = ada.page.getByRole('region', { name: 'Notices of this server' });
  await line.getByRole('link', { name: 'https://status.example.com' }).waitFor();
  await checkScreen(ada.page, 'any');
  await page
    .getByText(/^Sent to (\d+) of \1 people$/)
    .first()
    .waitFor();
  await ada.page.getByRole('link', { name: /Parley.*We move on Sunday/ }).waitFor();
  await press('Dismiss', line);
  await line.waitFor({ state: 'detached' });

  await press('Start maintenance');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason (English)').fill('A larger machine.');
  await press('Start maintenance', dialog);
  await line.getByText('A larger machine.').waitFor();
  await checkScreen(ada.page, 'any');
  await ada.page.getByRole('link', { name: /Bot Manager/ }).click();
  await ada.page.getByRole('textbox', { name: 'Message' }).fill('/help');
  await ada.page.keyboard.press('Enter');
  await press('End maintenance');
  await line.waitFor({ state: 'detached' });
  await ada.page.getByText('/newbot').first().waitFor();
  await checkScreen(page, 'any');
});

test('an invitation, and a conversation put under a legal hold and released', async () => {
  const { groupId } = await grace.calls.post<{ groupId: string }>('/api/chat/groups', { name: 'Board' });
  await grace.calls.post('/api/chat/groups/messages', { groupId, type: 'text', content: 'hello' });
  await openScreen(page, '/operate/policy');
  await page.getByText('No invitations yet').waitFor();
  await checkScreen(page, 'any');
  await page.getByLabel('For whom').fill('The choir');
  await press('Create an invitation');
  await page.getByText('/?invitation=').waitFor();
  await checkScreen(page, 'any');
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click();
  await page.getByRole('cell', { name: 'The choir' }).waitFor();
  await press('Hold a conversation');
  await page.getByRole('textbox', { name: 'Conversation' }).fill(groupId);
  await give('a court asked for it', 'Hold a conversation');
  await page.getByRole('cell', { name: groupId }).waitFor();
  await checkScreen(page, 'any');
  await press('Release');
  await give('it is over', 'Release');
  await page.getByText('No conversation is held').waitFor();
  await press('Revoke');
  await chooseByKey(page, page.getByRole('dialog').getByRole('button', { name: 'Revoke' }));
  await page.getByText('No invitations yet').waitFor();
  await page.getByRole('button', { name: 'Create an invitation' }).and(page.locator(':focus')).waitFor();
});

test('health shows the checks, the processes and the settings, without their secrets', async () => {
  await openScreen(page, '/operate/health');
  await page.getByText('database version').waitFor();
  await page.getByRole('region', { name: 'Processes' }).getByText('api,worker').waitFor();
  await page.getByText('DATABASE_URL', { exact: true }).waitFor();
  await checkScreen(page, 'any');
});

test('on a touch screen, fields for numbers are within the window', async () => {
  const { viewport } = VIEWS[2];
  const storageState = await page.context().storageState();
  const touch = { baseURL: scene.origin, viewport, hasTouch: true, isMobile: true, storageState };
  await using phone = await openWindow(scene.chromium, touch);
  await phone.page.goto(`/operate/people/${grace.accountId}`);
  await phone.page.getByLabel('New groups per day').waitFor();
  assert.equal(await phone.page.evaluate('innerWidth'), viewport.width);
});

test('the screens also work on a phone, in the dark and in German', async () => {
  await page.setViewportSize({ width: 320, height: 844 });
  await changeColorScheme(page, 'dark');
  await page.evaluate("document.cookie = 'parley-language=de; Path=/'");
  await page.goto('/operate/people?q=ada');
  await page.getByRole('link', { name: 'Ada Lovelace' }).first().waitFor();
  for (const path of [
    undefined,
    '/operate',
    `/operate/people/${grace.accountId}`,
    '/operate/people?q=nobody',
    '/operate/reports?decided=true',
    '/operate/announcements',
    '/operate/policy',
    '/operate/health',
    '/operate/acts',
  ]) {
    if (path) await openScreen(page, path);
    await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
    await checkScreen(page, 'any');
  }
});
