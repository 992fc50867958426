import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { eventually } from '#testing/waits.ts';
import { Browser } from './browser.ts';
import { openWindow, startChromium } from './chromium.ts';
import { startClientApplication } from './client-application.ts';
import { startParley } from './processes.ts';
import { until } from './web/web-scene.ts';

const STATE = '&#"<%00é'.repeat(228);
const PASSWORD = 'correct horse battery';

const made = new AsyncDisposableStack();
after(() => made.disposeAsync());
const scratch = await mkdtemp(join(tmpdir(), 'parley-oauth-'));
made.defer(() => rm(scratch, { recursive: true, force: true }));
const server = made.use(await startParley({ DATA_DIR: join(scratch, 'data') }));
const chromium = made.adopt(await startChromium(), (browser) => browser.close());
const origin = server.url.replace('127.0.0.1', 'localhost');
const client = made.use(await startClientApplication(origin, 'Weather Diary'));

/** A person who has an account already. */
async function signUp(name: string, browser = new Browser(origin)): Promise<string> {
  const email = `${crypto.randomUUID()}@example.com`;
  await browser.post('/api/auth/sign-up', { email, password: PASSWORD, name });
  return email;
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').first().fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Whether nothing is wider than the window. */
function isFitting(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth <= innerWidth');
}

test('a person without an account signs up, sees who requests what, and denies', async () => {
  await using visit = await openWindow(chromium);
  const { page, complaints } = visit;
  await page.goto(client.authorizeUrl('profile stories:read', STATE));
  await page.getByText('You decide about the application that sent you here in the next step.').waitFor();
  assert.equal(await page.title(), 'Sign in – Parley');
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('Name').fill('Grace Hopper');
  await page.getByLabel('E-mail address').fill(await signUp('Grace'));
  await page.getByLabel('Password').first().fill(PASSWORD);
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.getByText('Email already has an account').waitFor();
  const faulty = page.locator('[name=email][aria-invalid=true]:focus');
  await faulty.fill(`${crypto.randomUUID()}@example.com`);
  await page.getByRole('button', { name: 'Create an account' }).click();

  await page.getByRole('heading', { name: 'Let Weather Diary act for you?', level: 1 }).waitFor();
  assert.match((await page.locator('main').textContent()) ?? '', /Signed in as Grace Hopper/);
  assert.deepEqual(await page.locator('.scopes b').allTextContents(), [
    'See who you are',
    'See your stories',
  ]);
  assert.equal(await page.locator('.host').textContent(), new URL(client.redirectUri).host);
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.waitForURL('**/welcome');
  assert.deepEqual(Object.fromEntries(client.returns.at(-1) ?? []), {
    tenant: '7',
    error: 'access_denied',
    state: STATE,
    iss: origin,
  });
  // Chromium reports the one unsuccessful response: the address that is taken.
  assert.equal(complaints.length, 1, complaints.join('\n'));
});

test('a person signs in with the keyboard and approves; the application exchanges, calls, refreshes and revokes', async () => {
  const email = await signUp('Ada');
  await using visit = await openWindow(chromium, {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  });
  const { page, complaints } = visit;
  await page.goto(client.authorizeUrl('profile stories:read', STATE));
  // The page is there before its first field has the focus.
  await page.locator('input:focus').waitFor();
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await page.keyboard.type('not the password');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  assert.equal(await page.getByLabel('E-mail address').inputValue(), email);
  // What is typed then replaces the wrong one.
  await until(page, 'document.activeElement.selectionEnd > document.activeElement.selectionStart');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  const approve = page.getByRole('button', { name: 'Approve' });
  await approve.waitFor();
  for (const _ of ['Use another account', 'Deny', 'Approve']) await page.keyboard.press('Tab');
  assert.equal(await page.locator(':focus').textContent(), 'Approve');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/welcome');
  const { code = '', ...rest } = Object.fromEntries(client.returns.at(-1) ?? []);
  assert.deepEqual(rest, { tenant: '7', state: STATE, iss: origin });
  // Chromium reports the one unsuccessful response: the wrong password.
  assert.equal(complaints.length, 1, complaints.join('\n'));

  const first = await client.posts('/oauth/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirectUri,
  });
  assert.equal(first.status, 200, JSON.stringify(first.body));
  assert.equal(first.body['scope'], 'profile stories:read');
  const userinfo = await client.gets('/oauth/userinfo', String(first.body['access_token']));
  assert.equal(userinfo.body['name'], 'Ada');
  const stories = await client.gets('/v1/stories/mine', String(first.body['access_token']));
  assert.deepEqual([stories.status, stories.body['data']], [200, []]);

  const second = await client.posts('/oauth/token', {
    grant_type: 'refresh_token',
    refresh_token: String(first.body['refresh_token']),
  });
  assert.equal(second.status, 200, JSON.stringify(second.body));
  const accessToken = String(second.body['access_token']);
  assert.equal((await client.gets('/oauth/userinfo', String(first.body['access_token']))).status, 401);
  assert.equal((await client.gets('/oauth/userinfo', accessToken)).status, 200);
  assert.equal((await client.posts('/oauth/revoke', { token: accessToken })).status, 200);
  assert.equal((await client.gets('/oauth/userinfo', accessToken)).status, 401);
});

test('a page of the application can neither frame the consent page nor submit it', async () => {
  const email = await signUp('Ada');
  await using visit = await openWindow(chromium);
  const { page, complaints } = visit;
  const question = client.authorizeUrl('profile', 'x');
  await page.goto(question);
  await signIn(page, email);
  const consent = (await page.locator('input[name=consent]').getAttribute('value')) ?? '';
  assert.notEqual(consent, '');

  client.pages.set('/frame', `<iframe src="${question.replaceAll('&', '&amp;')}"></iframe>`);
  await page.goto(`${client.url}/frame`);
  assert.equal(await page.frameLocator('iframe').getByRole('button').count(), 0);
  await eventually(() => complaints.join().includes('frame-ancestors'));

  // The browser sends the session along, because another port of localhost is the same site.
  client.pages.set(
    '/forge',
    `<form method="post" action="${origin}/oauth/consent"><input name="consent" value="${consent}">
     <button name="decision" value="approve">Win a prize</button></form>`,
  );
  const returnsBefore = client.returns.length;
  await page.goto(`${client.url}/forge`);
  await page.getByRole('button', { name: 'Win a prize' }).click();
  await page.getByRole('heading', { name: 'Request refused' }).waitFor();
  assert.equal(client.returns.length, returnsBefore);
});

test('on a phone nothing overflows, however long the names are', async () => {
  await using other = await startClientApplication(origin, 'W'.repeat(64));
  const email = await signUp('M'.repeat(64));
  await using visit = await openWindow(chromium, {
    viewport: { width: 320, height: 640 },
  });
  const { page } = visit;
  await page.goto(other.authorizeUrl('profile stories:read stories:write polls:write groups:manage', 'x'));
  await page.getByLabel('E-mail address').waitFor();
  assert.ok(await isFitting(page));
  await signIn(page, email);
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  assert.ok(await isFitting(page));
});

test('with two-factor sign-in the code is asked for on the way to the consent', async () => {
  const ada = new Browser(origin);
  const email = await signUp('Ada', ada);
  const { secret } = await ada.post<{ secret: string }>('/api/auth/two-factor/enrol', {});
  const codes = new TOTP({ secret });
  await ada.post('/api/auth/two-factor/confirm', { code: codes.generate() });
  await using visit = await openWindow(chromium);
  const { page } = visit;
  await page.goto(client.authorizeUrl('profile', 'x'));
  await page.getByRole('button', { name: 'Use a passkey' }).waitFor();
  await page.goto(`${page.url()}&email=${encodeURIComponent(email)}`);
  await page.locator('[name=password]:focus').waitFor();
  assert.equal(await page.getByLabel('E-mail address').inputValue(), email);
  await signIn(page, email);
  await page.getByLabel('Code').fill('000000');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('alert').waitFor();
  // The current code was used to turn it on.
  await page.getByLabel('Code').fill(codes.generate({ timestamp: Date.now() + 30_000 }));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Let Weather Diary act for you?', level: 1 }).waitFor();
});

test('the consent itself needs no scripts', async () => {
  const email = await signUp('Ada');
  await using visit = await openWindow(chromium, { javaScriptEnabled: false });
  const { page, complaints } = visit;
  await page.request.post(`${origin}/api/auth/sign-in`, { data: { email, password: PASSWORD } });
  await page.goto(client.authorizeUrl('profile', 'without scripts'));
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.waitForURL('**/welcome');
  assert.equal(client.returns.at(-1)?.get('state'), 'without scripts');
  assert.deepEqual(complaints, []);
});

test('an application that requests consent in a popup gets a message from it when the person returns', async () => {
  const email = await signUp('Ada');
  await using visit = await openWindow(chromium);
  client.pages.set('/popup', '<button onclick="window.open(this.dataset.to)">Sign in</button>');
  await visit.page.goto(`${client.url}/popup`);
  await visit.page.locator('button').evaluate(
    (button, to) => {
      button.dataset['to'] = to;
    },
    client.authorizeUrl('profile', 'x'),
  );
  const opening = visit.page.waitForEvent('popup');
  await visit.page.getByRole('button').click();
  const popup = await opening;
  await signIn(popup, email);
  await popup.getByRole('button', { name: 'Approve' }).click();
  await popup.waitForURL('**/welcome');
  assert.equal(await popup.evaluate('window.opener !== null'), true);
});
