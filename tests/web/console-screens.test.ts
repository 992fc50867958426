import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Locator, Page, Route } from 'playwright-core';
import type { Profile } from '#contract/chat.ts';
import { eventually } from '#testing/waits.ts';
import {
  ageSignIn,
  callsApi,
  createApplication,
  FAULT,
  fillAlerts,
  fillFailures,
  fillGrants,
  fillRequests,
  fillUsage,
  startConsoleScene,
} from './console-scene.ts';
import { checkScreen, openScreen, PASSWORD, VIEWS } from './web-scene.ts';

const scene = await startConsoleScene();
after(() => scene[Symbol.asyncDispose]());
const owner = await scene.enter('/console');
const { page } = owner;
const diary = await createApplication(owner.calls, 'Weather Diary');
const commands = [{ command: 'today', description: 'The weather today' }];
const bot = await owner.calls.post(`${diary.api}/bot`, { username: 'weather_diary_bot', commands });
const botId = String(bot['userId']);
await owner.calls.put(`${diary.api}/webhook-url`, { webhookUrl: scene.takes });
const text = { event: 'message.received', type: 'text' };
const eventId = String((await owner.calls.post(`${diary.api}/webhook/simulate`, text))['eventId']);
await owner.calls.post(`${diary.api}/alert-contacts`, { kind: 'email', target: 'oncall@example.com' });
await owner.calls.post(`${diary.api}/simulator/messages`, { type: 'text', content: '/today' });
const { testPerson } = await owner.calls.get<{ testPerson: { userId: string } }>(`${diary.api}/simulator`);
const answer = { to: testPerson.userId, type: 'text', content: 'Sunny, 21 degrees' };
assert.equal(await callsApi(scene, diary, '/messages', answer), 201);
const now = Date.now();
await fillUsage(scene.db, diary.appId, now);
await fillGrants(scene.db, { appId: diary.appId, accountId: botId, now });
await fillAlerts(scene.db, diary.appId, now);

async function told(text: string): Promise<void> {
  await page.getByRole('alert').filter({ hasText: text }).first().waitFor();
}

async function press(name: string, within: Pick<Page, 'getByRole'> = page): Promise<void> {
  await within.getByRole('button', { name, exact: true }).click();
}

/** Confirms the dialog of a {@link ConfirmButton}. */
async function confirm(name: string): Promise<void> {
  await press(name, page.getByRole('dialog'));
}

/** Loaded by URL; the others are navigated to within the page, and the tests below load each of them. */
const LOADED = ['/console', '/console/nothing-here'];

const goTo = (path: string) => openScreen(page, path);

test('every screen: no axe violations, light and dark, English and German, no wider than a phone, even with long names', async () => {
  await fillRequests(scene.db, diary.appId, 60, Date.now());
  const screens = [
    ['/console', 'weather_diary_bot'],
    ['/console/new', 'Name'],
    [diary.path, 'Failing now'],
    [`${diary.path}/settings`, 'Delete this application'],
    [`${diary.path}/team`, 'Members'],
    [`${diary.path}/credentials`, 'fingerprint'],
    [`${diary.path}/bot`, 'As people see it'],
    [`${diary.path}/events`, 'message.received'],
    [`${diary.path}/events/${eventId}`, 'Attempt 1'],
    [`${diary.path}/simulator`, 'Weather Diary wrote'],
    [`${diary.path}/requests`, 'not-found'],
    [`${diary.path}/usage`, '/v1/messages'],
    [`${diary.path}/requests?view=errors`, 'not-found'],
    [`${diary.path}/oauth`, 'a refresh token was used twice'],
    [`${diary.path}/integrations`, 'Incoming webhooks'],
    [`${diary.path}/alerts`, 'were abandoned'],
    [`${diary.path}/audit`, 'created the application'],
    ['/console/account', 'No passkeys yet'],
    ['/console/nothing-here', 'Page not found'],
  ] as const;
  const looks = [
    { width: 1280, height: 800, language: 'en', name: 'Weather Diary' },
    { width: 390, height: 844, language: 'de', name: 'Wettertagebuch'.repeat(4) },
  ] as const;
  for (const { width, height, language, name } of looks) {
    await owner.calls.patch(diary.api, { name });
    await page.setViewportSize({ width, height });
    await page.evaluate(`document.cookie = 'parley-language=${language}; Path=/'`);
    for (const [path, shown] of screens) {
      if (LOADED.includes(path)) await page.goto(path);
      else await goTo(path);
      if (language === 'en') await page.getByText(shown).first().waitFor();
      else await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
      await checkScreen(page, 'any');
    }
  }
  assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Seite nicht gefunden');
  await owner.calls.patch(diary.api, { name: looks[0].name });
  await page.evaluate("document.cookie = 'parley-language=en; Path=/'");
  await page.setViewportSize(looks[0]);
});

test('the settings rename, disable and reactivate; deletion asks for the name', async () => {
  await page.goto(`${diary.path}/settings`);
  await page.getByLabel('Name').fill('Weather Journal');
  await press('Save');
  await told('Renamed');
  await press('Disable');
  await confirm('Disable');
  await told('Application disabled');
  assert.equal(await callsApi(scene, diary, '/me'), 403);
  await press('Reactivate');
  await told('Application reactivated');
  const doomed = await createApplication(owner.calls, 'Doomed');
  await goTo(`${doomed.path}/settings`);
  await press('Delete');
  const dialog = page.getByRole('dialog');
  assert.equal(await dialog.getByRole('button', { name: 'Delete' }).isEnabled(), false);
  await dialog.getByRole('textbox').fill('Doomed');
  await confirm('Delete');
  await page.waitForURL('**/console');
  await page.getByText('weather_diary_bot').waitFor();
  await page.getByText('Doomed').waitFor({ state: 'detached' });
  await page.goBack();
  await page.getByText('Weather Journal').first().waitFor();
  assert.ok(page.url().endsWith(`${diary.path}/settings`), '"back" does not lead to what was deleted');
});

test('credentials: a secret is shown once, after the person has confirmed their identity', async () => {
  await ageSignIn(scene.db, owner.accountId);
  await page.goto(`${diary.path}/credentials`);
  await press('Regenerate', page.locator('section').filter({ hasText: 'SHA-256' }));
  await confirm('Regenerate');
  const question = page.getByRole('dialog', { name: 'Is it you?' });
  await question.waitFor();
  await page.goBack();
  await question.waitFor({ state: 'detached' });
  assert.equal(await callsApi(scene, diary, '/me'), 200, 'nothing was done');
  await press('Regenerate', page.locator('section').filter({ hasText: 'SHA-256' }));
  await confirm('Regenerate');
  await question.getByLabel('Password', { exact: false }).first().fill('wrong');
  await press('Confirm', question);
  await question.getByRole('alert').waitFor();
  const offered = await question.getByRole('button').allInnerTexts();
  assert.deepEqual(
    offered.filter(Boolean),
    ['Cancel', 'Confirm'],
    'neither a passkey nor a code, of which there is none',
  );
  await checkScreen(page, 'any');
  await question.getByLabel('Password', { exact: false }).first().fill(PASSWORD);
  await press('Confirm', question);
  const shown = page.getByRole('dialog', { name: 'New API key' });
  const apiKey = await shown.locator('code').innerText();
  assert.match(apiKey, /^xk_live_/);
  assert.notEqual(apiKey, diary.apiKey);
  assert.equal(await callsApi(scene, diary, '/me'), 401);
  diary.apiKey = apiKey;
  assert.equal(await callsApi(scene, diary, '/me'), 200);
  await press('I have saved it', shown);
  await press('Create a key');
  const form = page.getByRole('dialog', { name: 'Create a key' });
  await form.getByLabel('Name').fill('Second server');
  await form.getByLabel('polls:write').check();
  await checkScreen(page, 'any');
  await press('Create a key', form);
  const second = page.getByRole('dialog', { name: 'New API key' });
  const secondKey = await second.locator('code').innerText();
  await press('I have saved it', second);
  assert.equal(await callsApi(scene, { ...diary, apiKey: secondKey }, '/me'), 200);
  assert.equal(await callsApi(scene, diary, '/me'), 200, 'both work');
  await press('Revoke', page.getByRole('article', { name: 'default' }));
  await confirm('Revoke');
  await told('API key revoked');
  assert.equal(await callsApi(scene, diary, '/me'), 401);
  diary.apiKey = secondKey;
  await press('Regenerate', page.locator('section').filter({ hasText: 'Signs every event' }));
  await page.getByRole('combobox', { name: 'The old secret also signs' }).click();
  await page.getByRole('option', { name: '4 h', exact: true }).click();
  await confirm('Regenerate');
  await press('I have saved it', page.getByRole('dialog', { name: 'New webhook secret' }));
  await page.getByText('also signs webhook-signature until').waitFor();
  await press('End the overlap now');
  await confirm('End the overlap now');
  await told('Only the newest secret');
});

test('bot: input is previewed as people will see it, limits are counted, and it is saved', async () => {
  await page.goto(`${diary.path}/bot`);
  const icon = fileURLToPath(new URL('../../web/public/icon-192.png', import.meta.url));
  await page.locator('input[type=file]').setInputFiles(icon);
  await told('Saved');
  const picture = page.locator('section').filter({ hasText: 'As people see it' }).locator('img');
  const pictureUrl = await picture.getAttribute('src');
  const seen = await owner.calls.get<Profile>('/api/chat/profiles?username=weather_diary_bot');
  assert.equal(seen.pictureUrl, pictureUrl);
  const quiet = page.getByRole('switch', { name: 'Quiet in groups' });
  await Promise.all([page.waitForResponse(`${scene.origin}${diary.api}/extensions`), quiet.click()]);
  await page.reload();
  await quiet.and(page.locator(':checked')).waitFor();
  await page.getByLabel('Description').fill('x'.repeat(513));
  await page.getByText('1 character too many').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Save' }).isEnabled(), false);
  await page.getByLabel('Description').fill('Tells the weather.');
  await page.getByLabel('Start parameter').fill('order 17');
  await page.getByText(/\/new\/bot\?username=\w+&start=order17$/).waitFor();
  await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
  await press('Add a command');
  await page.getByLabel('Command 2', { exact: true }).fill('Bad Name');
  await page.getByText('Lowercase letters, digits and _, at most 32.').waitFor();
  await page.getByLabel('Command 2', { exact: true }).fill('tomorrow');
  await page.getByLabel('What command 2 does').fill('The weather tomorrow');
  await page.getByText('/tomorrow').waitFor();
  await press('Save');
  await told('Saved');
});

test('events: ping, simulation, signature check, audit, filters in the URL, live tail, replay', async () => {
  await page.goto(`${diary.path}/events`);
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByLabel('Webhook URL').fill('http://localhost:4000/hook');
  await press('Save');
  const forward = `npx --allow-remote=root ${scene.origin}/sdk/parley-sdk.tgz listen --forward-to http://localhost:4000/hook`;
  await page.getByText(forward).waitFor();
  await checkScreen(page, 'any');
  await press('Send a ping');
  await page.getByText('The receiver accepted the ping').waitFor();
  await page.getByRole('tab', { name: 'Simulate an event' }).click();
  await press('Send', page.getByRole('tabpanel'));
  await told('Event simulated');
  await page.getByRole('tab', { name: 'Check a signature' }).click();
  await page.getByLabel('X-Service-Signature').fill(`t=1,v1=${'0'.repeat(64)}`);
  await page.getByLabel('Raw body').fill('{}');
  await press('Check');
  await page.getByRole('alert').filter({ hasText: 'Timestamp' }).waitFor();
  await page.getByRole('tab', { name: 'Check the endpoint' }).click();
  await press('Run the check');
  await page.getByText('The receiver failed').waitFor();
  await checkScreen(page, 'any');
  await page.getByRole('tab', { name: 'Log', exact: true }).click();
  await page.getByRole('cell', { name: 'ping', exact: true }).waitFor();

  await owner.calls.post('/api/auth/confirm', { password: PASSWORD });
  await owner.calls.put(`${diary.api}/webhook-url`, { webhookUrl: scene.fails });
  const simulated = { event: 'group_message.received', type: 'poll' };
  const failing = String((await owner.calls.post(`${diary.api}/webhook/simulate`, simulated))['eventId']);
  const row = page.getByRole('row').filter({ hasText: 'group_message.received' });
  await row.filter({ hasText: 'retrying' }).filter({ hasText: 'HTTP 500' }).waitFor();
  await page.getByRole('combobox', { name: 'State' }).click();
  await page.getByRole('option', { name: 'retrying', exact: true }).click();
  await page.waitForURL(/state=retrying/);
  await page.getByRole('cell', { name: 'ping', exact: true }).waitFor({ state: 'detached' });
  await page.goto(`${diary.path}/events?since=${Date.now() + 3_600_000}`);
  await page.getByText('No events match these filters').waitFor();
  await page.goto(`${diary.path}/events`);
  await row.click();
  await page.waitForURL(`**/events/${failing}`);
  await page.goBack();
  await page.getByLabel('Find an event, message or user ID').fill(owner.accountId);
  await row.waitFor();
  await page.getByRole('cell', { name: 'ping', exact: true }).waitFor({ state: 'detached' });

  await page.goto(`${diary.path}/events/${failing}`);
  await page.getByText('The receiver answered 500', { exact: false }).waitFor();
  await owner.calls.put(`${diary.api}/webhook-url`, { webhookUrl: scene.takes });
  await page.getByText(`to ${new URL(scene.fails).host}`).waitFor();
  await press('Send again');
  await told('The event will be sent again');
  await page.getByText('HTTP 204').waitFor();
  await page.getByText('Attempt 2').waitFor();
  await page.getByText('delivered').first().waitFor();

  // No retry is due, which a late click would coincide with.
  const delivered = String((await owner.calls.post(`${diary.api}/webhook/simulate`, simulated))['eventId']);
  await page.goto(`${diary.path}/events/${delivered}`);
  await page.getByText('HTTP 204').waitFor();
  await press('Send again');
  await page.getByText('Attempt 2').waitFor();
  await page.getByText('manual', { exact: true }).waitFor();
});

test('why a webhook fails is at most three clicks away from the application, in the words of its receiver', async () => {
  const { path, api } = await createApplication(owner.calls, 'Tenants');
  await owner.calls.post(`${api}/bot`, { username: 'tenants_bot' });
  await owner.calls.put(`${api}/webhook-url`, { webhookUrl: scene.fails });
  await owner.calls.post(`${api}/webhook/simulate`, { event: 'message.received', type: 'text' });
  await eventually(async () => (await owner.calls.get<unknown[]>(`${api}/events?state=failed`))[0]);
  await page.goto(path);
  let clicks = 0;
  const click = async (link: Locator) => {
    clicks++;
    await link.click();
  };
  await click(page.getByRole('link', { name: '1 event in the log has not been delivered' }));
  const row = page.getByRole('row').filter({ hasText: 'HTTP 500' });
  await row.waitFor();
  await page.waitForURL(/state=failed$/);
  await click(row.getByRole('link'));
  await page.getByRole('region', { name: 'Body of the response' }).waitFor();
  assert.ok(clicks <= 3);
  assert.equal(await page.getByRole('region', { name: 'Body of the response' }).textContent(), FAULT);
  const headers = page.getByRole('table', { name: 'Headers of the response' });
  await headers.getByRole('row', { name: 'x-trace hooks-7' }).waitFor();
  assert.equal((await page.title()).includes('hacked'), false);
  await checkScreen(page, 'any');

  await page.goto(`${path}/events?tab=settings`);
  await press('Send a ping');
  await page.getByText('The ping failed').waitFor();
  await page.getByRole('region', { name: 'Body of the response' }).getByText('no such tenant').waitFor();

  await owner.calls.put(`${api}/webhook-url`, { webhookUrl: 'https://nowhere.invalid/hook' });
  await page.goto(`${path}/events?tab=audit`);
  await press('Run the check');
  await page
    .getByText('A genuine event is not accepted, so the others were not sent. The host name')
    .waitFor();
  const { eventId } = await owner.calls.post<{ eventId: string }>(`${api}/webhook/ping`, {});
  await page.goto(`${path}/events/${eventId}`);
  await page.getByText('failed during: DNS').waitFor();
});

test('events: everything that failed is sent again', async () => {
  await page.goto(`${diary.path}/events`);
  await press('Send all failed events again');
  await confirm('Send all failed events again');
  await page.getByRole('alert').filter({ hasText: 'queued' }).waitFor();
});

test('API log: follows live, finds by request id and endpoint, groups errors', async () => {
  await page.goto(`${diary.path}/requests`);
  await page.getByText('not-found').first().waitFor();
  const body = { to: 'usr_00000000000000000000000000', type: 'text', content: 'Hi' };
  assert.equal(await callsApi(scene, diary, '/messages', body), 404);
  const row = page.getByRole('row').nth(1).filter({ hasText: 'no account has the id in `to`' });
  await row.waitFor();
  const requestId = /req_\w+/.exec(await row.innerText())?.[0] ?? '';
  await page.getByLabel('Find a request ID').fill(requestId);
  await page.waitForURL(`**requestId=${requestId}`);
  await page.getByRole('row').nth(2).waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'Errors, grouped' }).click();
  await page.getByRole('link', { name: requestId }).click();
  await page.getByRole('row').nth(2).waitFor({ state: 'detached' });
  await page.goto(`${diary.path}/requests`);
  await page.getByPlaceholder('All endpoints').click();
  await page.getByRole('option', { name: '/v1/me', exact: true }).click();
  await page.waitForURL('**route=%2Fv1%2Fme');
  await page.getByRole('row').filter({ hasText: '/v1/messages' }).first().waitFor({ state: 'detached' });
  await page.getByRole('row').filter({ hasText: '/v1/me' }).first().waitFor();
});

test('a log of which several pages are loaded follows without requesting all of them all the time', async () => {
  const busy = await createApplication(owner.calls, 'Busy Diary');
  await fillRequests(scene.db, busy.appId, 400, Date.now());
  await page.goto(`${busy.path}/requests`);
  const pages = 4;
  let asked = 0;
  page.on('request', (request) => {
    if (/\/api\/.*\/requests(\?|$)/.test(request.url())) asked++;
  });
  const rows = page.getByRole('row');
  for (let loaded = 1; loaded < pages; loaded++) {
    await rows.nth(50 * loaded).waitFor();
    await press('Load more');
  }
  await rows.nth(50 * pages).waitFor();
  const [begunAt, before] = [Date.now(), asked];
  for (const [path, body] of [['/me'], ['/messages', {}], ['/me']] as const) {
    await callsApi(scene, busy, path, body);
    await rows
      .nth(1)
      .filter({ hasText: `${body ? 'POST' : 'GET'} /v1${path}` })
      .waitFor();
  }
  const most = pages + (Date.now() - begunAt) / 1_000;
  assert.ok(asked - before <= most, `${asked - before} requests, of at most ${most}`);
});

test('an entry that arrives while a log is first loading is in it', async () => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  const [ready, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const hear = (base64 = '') => {
    const events = Buffer.from(base64, 'base64').toString();
    if (/^event: ready$/m.test(events)) ready.resolve();
    if (/^event: request$/m.test(events)) told.resolve();
  };
  devtools.on('Network.responseReceived', async ({ requestId, response }) => {
    if (response.mimeType !== 'text/event-stream') return;
    hear((await devtools.send('Network.streamResourceContent', { requestId })).bufferedData);
  });
  devtools.on('Network.dataReceived', ({ data }) => hear(data));
  // The response is older than an event that arrives before it.
  const hold = async (route: Route) => {
    const response = await route.fetch();
    await ready.promise;
    await callsApi(scene, diary, '/messages', {});
    await told.promise;
    await route.fulfill({ response });
  };
  await page.route(/\/api\/.*\/requests(\?|$)/, hold, { times: 1 });
  await page.goto(`${diary.path}/requests`);
  await page.getByRole('row').filter({ hasText: 'type is required' }).waitFor();
  await devtools.detach();
});

test('from any screen to another application, a screen or the documentation by Ctrl-K, and by the switcher', async () => {
  await createApplication(owner.calls, 'Tide Tables');
  await page.goto(`${diary.path}/events`);
  await page.getByRole('button', { name: /^Application: / }).click();
  await page.getByRole('menuitem', { name: 'Tide Tables' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').locator('input:focus').waitFor();
  await page.keyboard.type('usa');
  await page.getByRole('option', { name: /^Usage/ }).waitFor();
  await checkScreen(page, 'any');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').locator('input:focus').waitFor();
  await page.keyboard.type('webhooks');
  await page.getByRole('option', { name: /^Webhooks/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/guide/webhooks');
});

test('usage: an hour, a week or a range, and as CSV', async () => {
  await page.goto(`${diary.path}/usage`);
  await page.getByRole('img', { name: /^Requests: / }).waitFor();
  await page.getByText('7 days', { exact: true }).click();
  await page.getByRole('cell', { name: 'POST /v1/messages' }).first().waitFor();
  await page.getByText('Range', { exact: true }).click();
  const hoursAgo = (hours: number) => {
    const at = new Date(Date.now() - hours * 3_600_000);
    return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  };
  await page.getByLabel('From').fill(hoursAgo(5));
  await page.waitForURL(/from=/);
  const found = page.waitForResponse(/[?&]from=\d+&to=\d+/);
  await page.getByLabel('To', { exact: true }).fill(hoursAgo(2));
  await page.waitForURL(/from=.*&to=/);
  await found;
  await checkScreen(page, 'any');
  const saved = page.waitForEvent('download');
  await press('Export as CSV');
  const [head, ...lines] = (await readFile(await (await saved).path(), 'utf8')).trim().split('\n');
  assert.equal(head, 'startedAt,requests,clientErrors,serverErrors,p50Ms,p95Ms');
  assert.ok(lines.length >= 3 && lines.length <= 4, lines.join('\n'));
});

test('OAuth: redirect URIs are added and refused with a reason, and the consent page is previewed', async () => {
  await page.goto(`${diary.path}/oauth`);
  await page.getByLabel('Redirect URI').first().fill('http://example.com/callback');
  await press('Add');
  await told('https');
  await page.getByLabel('Redirect URI').first().fill('https://diary.example/callback');
  await press('Add');
  await told('Redirect URI added');
  await page.getByRole('switch', { name: 'OpenID Connect' }).click();
  await page.getByRole('checkbox', { name: 'openid' }).check();
  const asked = page.getByRole('region', { name: 'What people are asked' });
  await asked.getByRole('heading', { name: 'Sign in to Weather Journal?' }).waitFor();
  const openid = await page.getByRole('link', { name: 'Open the consent page' }).getAttribute('href');
  assert.match(String(openid), /scope=openid\+profile/);
  assert.match(
    await (await page.request.get(String(openid))).text(),
    /Sign in to <bdi>Weather Journal<\/bdi>\?/,
  );
  await checkScreen(page, 'any');
  await page.getByRole('switch', { name: 'OpenID Connect' }).click();
  await page.getByRole('checkbox', { name: 'openid' }).waitFor({ state: 'detached' });
  await page.getByLabel('polls:write').check();
  const preview = page.getByRole('region', { name: 'What people are asked' });
  await preview.getByText('Create polls and vote in them').waitFor();
  await preview.getByText('diary.example').waitFor();
  const consentPage = await page.getByRole('link', { name: 'Open the consent page' }).getAttribute('href');
  const answer = await page.request.get(String(consentPage));
  assert.match(await answer.text(), /Let <bdi>Weather Journal<\/bdi> act for you\?/);
  await page.getByRole('button', { name: 'Remove https://diary.example/callback' }).click();
  await told('Redirect URI removed');
});

test('integrations: switched on, with settings to copy; an incoming webhook of a group is revoked', async () => {
  await goTo(`${diary.path}/integrations`);
  await page.getByRole('switch', { name: 'MCP' }).click();
  await page.getByText(`"url": "${scene.origin}/mcp"`).first().waitFor();
  await page.getByRole('switch', { name: 'Incoming webhooks' }).click();
  await page.getByText(`- url: ${scene.origin}/hooks/xih_…`).waitFor();
  await page.getByText('No addresses yet.').waitFor();
  await owner.calls.post('/api/chat/messages', { to: botId, type: 'text', content: 'Hi' });
  const { groupId } = await owner.calls.post('/api/chat/groups', { name: 'On call', members: [botId] });
  for (const name of ['Alertmanager', 'Grafana'])
    await owner.calls.post('/api/chat/groups/incoming-webhooks', { groupId, botId, name });
  await page.reload();
  const row = page.getByRole('row').filter({ hasText: 'Grafana' });
  await row.filter({ hasText: 'On call' }).filter({ hasText: 'never' }).waitFor();
  await checkScreen(page, 'any');
  await press('Revoke', row);
  await confirm('Revoke');
  await told('Incoming webhook revoked');
  await row.waitFor({ state: 'detached' });
  await page.getByRole('switch', { name: 'MCP' }).click();
  await page.getByText(`"url": "${scene.origin}/mcp"`).first().waitFor({ state: 'detached' });
});

test('simulator: the test person writes, blocks and starts over; the bot’s messages appear at once', async () => {
  await page.goto(`${diary.path}/simulator`);
  await page.getByLabel('Your message').fill('Good morning');
  await press('Send');
  const chat = page.getByRole('log');
  await chat.getByText('Good morning').waitFor();
  assert.equal(await callsApi(scene, diary, '/messages', answer), 201);
  await chat.getByText(answer.content).nth(1).waitFor();
  await page.getByText('POST /v1/messages', { exact: false }).first().waitFor();
  await page.getByText('Event: message.received').first().waitFor();
  await page.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'image' }).click();
  await page.getByText('Other machines cannot fetch uploaded files').waitFor();
  await checkScreen(page, 'any');
  await press('Block the bot');
  await page.getByText('The test person has blocked the bot').waitFor();
  assert.equal(await callsApi(scene, diary, '/messages', answer), 403);
  await press('Start over');
  await confirm('Start over');
  await told('Started over');
  await chat.getByText('Nothing yet').waitFor();
});

test('alerts: contacts are added, tested and muted, and so are all alerts at once', async () => {
  await page.goto(`${diary.path}/alerts`);
  await page.getByLabel('E-mail address').fill('night@example.com');
  await press('Add');
  await told('This server has no mail server');
  await page.getByText('not confirmed').first().waitFor();
  await page.getByRole('button', { name: 'Send the link again' }).first().click();
  await page.getByRole('alert').first().waitFor();
  await page.getByRole('button', { name: 'Mute', exact: true }).first().click();
  await page.getByText('muted', { exact: true }).waitFor();
  await press('8 h');
  await page.getByText('All alerts are muted until').waitFor();
  await page.getByRole('button', { name: 'Remove night@example.com' }).click();
  await told('Contact removed');
});

/** Screens with buttons that change something, and their contents. */
const CHANGING = [
  ['credentials', 'fingerprint'],
  ['bot', 'As people see it'],
  ['events', 'message.received'],
  ['simulator', 'Start over'],
  ['oauth', 'Authorize URL'],
  ['integrations', 'Alertmanager'],
  ['alerts', 'oncall@example.com'],
  ['settings', 'People see it'],
] as const;

test('team: an invitation link leads a second person into the application, as far as the role goes', async () => {
  await page.goto(`${diary.path}/team`);
  await press('Invite');
  await press('Invite', page.getByRole('dialog', { name: 'Invite a teammate' }));
  const shown = page.getByRole('dialog', { name: 'Invitation link' });
  const link = await shown.locator('code').innerText();
  await checkScreen(page, 'any');
  await shown.getByText('Send it to the person you invite').waitFor();
  await press('I have copied it', shown);
  await page.getByText('Open invitations').waitFor();
  const name = 'Grace Brewster Murray Hopper, Rear Admiral of the United States';
  await using guest = await scene.enter(new URL(link).pathname + new URL(link).hash, { name });
  await guest.page.getByText('Ada Lovelace invites you').waitFor();
  await checkScreen(guest.page, 'any');
  await guest.page.getByRole('button', { name: 'Join the team' }).click();
  await guest.page.getByText('Failing now').waitFor();
  await guest.page.getByRole('link', { name: 'Settings' }).click();
  await guest.page.getByLabel('Name').waitFor();
  assert.equal(await guest.page.getByRole('button', { name: 'Disable' }).count(), 0);
  await page.setViewportSize(VIEWS[2].viewport);
  await page.reload();
  await page.getByRole('combobox', { name: `Role of ${name}` }).waitFor();
  await checkScreen(page, 'any');
  await page.setViewportSize(VIEWS[0].viewport);
  await page.getByRole('combobox', { name: `Role of ${name}` }).click();
  await page.getByRole('option', { name: 'Viewer' }).click();
  await told('Role changed');
  await guest.page.getByRole('button', { name: 'Save' }).click();
  await guest.page.getByRole('alert').filter({ hasText: 'needs the role developer' }).waitFor();
  await guest.page.reload();
  await guest.page.getByText('You are a viewer').waitFor();
  for (const [screen, shown] of CHANGING) {
    await openScreen(guest.page, `${diary.path}/${screen}`);
    await guest.page.getByText(shown).first().waitFor();
    const content = guest.page.locator('main');
    const isChange = {
      name: /^(Save|Add|Send|Remove|Revoke|Edit|Mute|Block|Create|Regenerate|Send a ping|Choose)/,
    };
    const buttons = content.getByRole('button', isChange);
    await buttons.first().waitFor();
    for (const button of await buttons.all()) {
      assert.ok(await button.isDisabled(), `${screen}: ${await button.innerText()}`);
    }
    await checkScreen(guest.page, 'any');
  }
  for (const [tab, runs] of Object.entries({
    simulate: 'Send',
    signature: 'Check',
    audit: 'Run the check',
  })) {
    await guest.page.goto(`${diary.path}/events?tab=${tab}`);
    await guest.page.getByRole('button', { name: runs, exact: true, disabled: true }).waitFor();
  }
  await press(`Remove ${name}`);
  await confirm(`Remove ${name}`);
  await told('Removed from the team');
  await guest.page.reload();
  await guest.page.getByText('Page not found').waitFor();
});

test('audit trail: every change is recorded', async () => {
  await page.goto(`${diary.path}/audit`);
  for (const done of [
    'removed a teammate',
    'muted the alerts',
    'removed a redirect URI',
    'regenerated the API key',
    'disabled the application',
  ]) {
    await page.getByText(done).first().waitFor();
  }
});

test('an application whose deliveries fail is not shown as active alone', async () => {
  const name = 'Lost Property Office';
  const { appId } = await createApplication(owner.calls, name);
  await createApplication(owner.calls, 'Reading Room');
  await fillFailures(scene.db, appId, Date.now());
  await page.goto('/console');
  const card = page.getByRole('link').filter({ hasText: name });
  await card.getByText('15,000 deliveries, 10,000 failed').waitFor();
  await card.getByText('active, deliveries fail').waitFor();
  await checkScreen(page, 'any');
  await page.setViewportSize(VIEWS[2].viewport);
  assert.equal(await isCut(card.getByText(name)), false, 'the state leaves room for the name');
  await page.setViewportSize(VIEWS[0].viewport);
  const sound = page.getByRole('link').filter({ hasText: 'Reading Room' });
  await sound.getByText('active', { exact: true }).waitFor();
  await card.click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByText('active, deliveries fail').first().waitFor();
  assert.equal(await isCut(page.getByRole('navigation').getByText(name)), false);
  await checkScreen(page, 'any');
});

function isCut(text: Locator): Promise<boolean> {
  return text.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
}

test('a failed request is reported, with a button to retry', async () => {
  await page.route('**/api/console/home', (route) =>
    route.fulfill({ status: 404, json: { message: 'no such thing' } }),
  );
  await page.goto('/console');
  await page.getByRole('alert').filter({ hasText: 'No such thing' }).waitFor();
  await checkScreen(page, 'any');
  await page.unroute('**/api/console/home');
  await press('Try again');
  await page.getByText('weather_diary_bot').waitFor();
});

test('without a connection the console says so, and continues by itself', async () => {
  await using other = await scene.enter(diary.path, { as: owner });
  const { page } = other;
  await page.getByRole('link', { name: 'Settings' }).click();
  const save = page.getByRole('button', { name: 'Save' });
  await save.waitFor();
  await page.context().setOffline(true);
  await page.getByRole('status').filter({ hasText: 'No connection' }).waitFor();
  await checkScreen(page, 'any');
  // A change is refused at once.
  await save.click();
  const unreachable = page.getByText('The server cannot be reached');
  await unreachable.waitFor();
  await page.locator('.mantine-Notification-closeButton').click();
  await unreachable.waitFor({ state: 'detached' });
  // A screen whose code is not loaded yet.
  await page.getByRole('link', { name: 'Team' }).click();
  await page.getByRole('heading', { name: 'No connection' }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole('heading', { name: 'Team' }).waitFor();
});

test('the browser reported no policy violation or error in any of these tests', () => {
  const expected = /status of (400|401|403|404)|no such page/;
  assert.deepEqual(
    owner.complaints.filter((text) => !expected.test(text)),
    [],
  );
});
