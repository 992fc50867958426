import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { eventually } from '#testing/waits.ts';
import { Bot } from '../../sdk/index.ts';
import { openWindow } from '../chromium.ts';
import { callsApi } from './console-scene.ts';
import { checkEveryView, checkScreen, PASSWORD, startWebScene } from './web-scene.ts';

const scene = await startWebScene();
after(() => scene[Symbol.asyncDispose]());

/** The value below a label in a copy field. */
function copied(page: Page, label: string): Promise<string> {
  return page
    .getByRole('button', { name: `Copy: ${label}`, exact: true })
    .locator('xpath=preceding-sibling::code')
    .innerText();
}

async function countApplications(page: Page): Promise<number> {
  const { data } = await (await page.request.get('/api/console/home')).json();
  return data.used;
}

test('a newcomer signs up, creates a bot, and sees the first message and the answer of a program', async () => {
  await using visit = await openWindow(scene.chromium, { baseURL: scene.origin });
  const { page, complaints } = visit;
  await page.goto('/console');
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.getByLabel('Your name').fill('Grace Hopper');
  await page.getByLabel('E-mail address').fill(`${crypto.randomUUID()}@example.com`);
  await page.getByLabel('Password', { exact: false }).first().fill(PASSWORD);
  await checkEveryView(page);
  await page.getByRole('button', { name: 'Create an account' }).click();

  await page.getByRole('heading', { name: 'Your first application' }).waitFor();
  await checkEveryView(page);
  await page.getByRole('link', { name: 'New application' }).click();
  await page.getByLabel('Name').fill('Weather Diary');
  await page.getByRole('button', { name: 'Next' }).click();

  await page.getByText('@weather_diary_bot is free.').waitFor();
  await page.locator('[aria-current=step]').getByText('Bot', { exact: true }).waitFor();
  assert.equal(
    await page.getByRole('button', { name: 'Webhook' }).count(),
    0,
    'the steps do nothing when clicked',
  );
  assert.equal(await page.getByLabel('Username').inputValue(), 'weather_diary_bot');
  await page.getByRole('button', { name: 'Add a command' }).click();
  await page.getByLabel('Command 1', { exact: true }).fill('today');
  await page.getByLabel('What command 1 does').fill('The weather today');
  await checkEveryView(page);
  await page.goBack();
  // The page before has a username.
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Weather Diary');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByLabel('What command 1 does').waitFor();
  // The proposed username comes after the click.
  const pressed = Promise.withResolvers<void>();
  await page.route('**/bot-usernames?*', (route) => pressed.promise.then(() => route.continue()));
  await page.reload();
  assert.equal(await page.getByLabel('What command 1 does').inputValue(), 'The weather today');
  assert.equal(await countApplications(page), 0, 'nothing is made before the step that shows the secrets');
  await page.getByRole('button', { name: 'Create' }).click();
  pressed.resolve();

  await page.getByRole('button', { name: 'I have saved them' }).waitFor();
  await checkEveryView(page);
  const lostKey = await copied(page, 'API key');
  assert.match(lostKey, /^xk_live_[0-9a-f]{64}$/);
  await page.goBack();
  const question = page.getByRole('dialog', { name: 'Leave without the secrets?' });
  await question.getByRole('button', { name: 'Stay here' }).click();
  assert.equal(await copied(page, 'API key'), lostKey);
  const asked = page.waitForEvent('dialog');
  const reloaded = page.reload();
  assert.equal((await asked).type(), 'beforeunload');
  await (await asked).accept();
  await reloaded;
  await page.getByText('The secrets were shown once').waitFor();
  await checkEveryView(page);
  await page.getByRole('button', { name: 'Create new secrets' }).click();
  const apiKey = await copied(page, 'API key');
  assert.notEqual(apiKey, lostKey);
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByRole('button', { name: 'Without a webhook for now' }).waitFor();
  await checkEveryView(page);
  await page.goBack();
  assert.equal(await copied(page, 'API key'), apiKey, 'it is still the same visit');
  await page.goForward();
  await page.getByRole('button', { name: 'Without a webhook for now' }).click();
  assert.equal(await countApplications(page), 1);

  await page.getByText('Waiting for the first message').waitFor();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Waiting for the bot’s answer').waitFor();
  await page.getByText('"textMsg": "Hello!"').waitFor();
  await checkEveryView(page);

  const bot = new Bot({ baseUrl: scene.origin, apiKey });
  const stop = new AbortController();
  bot.on('message', async (message) => {
    await message.reply(`You said: ${message.textMsg}`);
    stop.abort();
  });
  await bot.poll({ signal: stop.signal });
  await page.getByRole('log').getByText('You said: Hello!').waitFor();
  await page.getByText('Your bot has answered').waitFor();
  await checkEveryView(page);
  await page.getByRole('link', { name: 'Open the simulator' }).click();
  // The page before has a log, too.
  await page.getByRole('heading', { level: 1, name: 'Simulator' }).waitFor();
  await page.getByRole('log').getByText('You said: Hello!').waitFor();
  await checkScreen(page, 'any');
  assert.deepEqual(
    complaints.filter((text) => !text.includes('401')),
    [],
  );
});

const MOST_CLICKS = 8;

test('an application with a bot that answers takes at most 8 clicks, and no terminal', async () => {
  await using visit = await scene.enter('/console');
  const { page } = visit;
  let clicks = 0;
  const click = async (role: 'link' | 'button', name: string) => {
    clicks += 1;
    await page.getByRole(role, { name, exact: true }).click();
  };
  await click('link', 'New application');
  await page.getByLabel('Name').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('Reading Room');
  await click('button', 'Next');
  await page.getByText('@reading_room_bot is free.').waitFor();
  await click('button', 'Create');
  await page.getByText('With it your program reads its events').waitFor();
  await click('button', 'I have saved them');
  await click('button', 'Without a webhook for now');
  await click('button', 'Send');
  await click('button', 'Answer for me');
  await page.getByText('Your bot has answered').waitFor();
  assert.ok(clicks <= MOST_CLICKS, `${clicks} clicks`);
  const bubbles = page.getByRole('log').locator('> div');
  assert.match((await bubbles.nth(0).innerText()).replace(/\s+/g, ' '), /^Test person Hello! /);
  assert.match(
    (await bubbles.nth(1).innerText()).replace(/\s+/g, ' '),
    /^Reading Room Hello! I am your bot\. /,
  );
  await page.getByRole('link', { name: 'Open the simulator' }).click();
  await page.getByText('POST /v1/messages · ').waitFor();
});

test('a page that no longer has the API key answers with a key of its own, which it revokes; a poll there is voted in', async () => {
  await using visit = await scene.enter('/console');
  const { page, calls } = visit;
  const bot = { username: 'night_owl_bot' };
  const { appId } = await calls.post('/api/console/applications', { name: 'Night Owl', bot });
  const keys = async () =>
    (await calls.get<{ apiKeys: object[] }>(`/api/console/applications/${appId}`)).apiKeys;
  const before = await keys();
  await page.goto(`/console/new?app=${appId}&step=first`);
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('button', { name: 'Answer for me' }).click();
  await page.getByText('Your bot has answered').waitFor();
  // The answer is shown as it comes, the key revoked after it.
  await eventually(async () => isDeepStrictEqual(await keys(), before), 'the end of the key');

  const { testPerson } = await calls.get<{ testPerson: { userId: string } }>(
    `/api/console/applications/${appId}/simulator`,
  );
  const { apiKey } = await calls.post<{ apiKey: string }>(`/api/console/applications/${appId}/api-keys`, {
    name: 'Polls',
    scopes: ['polls:write'],
  });
  const poll = { receiverId: testPerson.userId, question: 'Which bird?', options: ['Owl', 'Lark'] };
  assert.equal(await callsApi(scene, { apiKey }, '/polls', poll), 201);
  await page.getByRole('button', { name: 'Owl · 0 votes' }).click();
  await page.getByRole('button', { name: 'Owl · 1 vote' }).waitFor();
});

test('what is wrong with a name, a username or a webhook URL stands beside the field', async () => {
  await using visit = await scene.enter('/console/new');
  const { page, calls } = visit;
  await calls.post('/api/console/applications', { name: 'Taken', bot: { username: 'tide_bot' } });
  const faultOf = (label: string) =>
    page.getByLabel(label, { exact: true }).and(page.locator('[aria-invalid=true]'));
  await page.getByRole('button', { name: 'Next' }).click();
  await faultOf('Name').waitFor();
  await page.getByText('Enter a name.').waitFor();
  await page.getByLabel('Name').fill('Tide');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('@tidebot is free.').waitFor();
  await page.getByLabel('Username').fill('tide_bot');
  await page.getByText('@tide_bot is taken.').waitFor();
  await checkEveryView(page);
  await page.getByRole('button', { name: 'Create' }).click();
  await faultOf('Username').waitFor();
  assert.equal(await countApplications(page), 1);
  await page.getByLabel('Username').fill('tide');
  await page.getByText('It must have 5 to 32 characters.').waitFor();
  await page.getByRole('button', { name: '@my_tide_bot' }).click();
  await page.getByText('@my_tide_bot is free.').waitFor();
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByLabel('Webhook URL').fill('http://example.com/hook');
  await page.getByRole('button', { name: 'Save and test' }).click();
  await faultOf('Webhook URL').waitFor();
  await page.getByText('Webhook URL must begin with https://').waitFor();
});
