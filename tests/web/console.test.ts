import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { Bot } from '../../sdk/index.ts';
import { openWindow } from '../chromium.ts';
import { checkEveryView, checkScreen, PASSWORD, startWebScene, type WebScene } from './web-scene.ts';

let scene: WebScene;

before(async () => {
  scene = await startWebScene();
});

after(() => scene?.[Symbol.asyncDispose]());

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

test('a newcomer signs up, creates a bot, sees the first event, and the bot answers in the simulator', async () => {
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

  await page.getByLabel('Username').fill('weather_diary_bot');
  await page.getByRole('button', { name: 'Add a command' }).click();
  await page.getByLabel('Command 1', { exact: true }).fill('today');
  await page.getByLabel('What command 1 does').fill('The weather today');
  await checkEveryView(page);
  await page.goBack();
  await page.getByLabel('Name').waitFor();
  assert.equal(await page.getByLabel('Name').inputValue(), 'Weather Diary');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.reload();
  assert.equal(await page.getByLabel('What command 1 does').inputValue(), 'The weather today');
  assert.equal(await countApplications(page), 0, 'nothing is made before the step that shows the secrets');
  await page.getByRole('button', { name: 'Create' }).click();

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

  await page.getByText('Waiting for the first event').waitFor();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('The first event has arrived').waitFor();
  await page.getByText('"textMsg": "Hello!"').waitFor();
  await checkEveryView(page);

  const bot = new Bot({ baseUrl: scene.origin, apiKey });
  const stop = new AbortController();
  bot.on('message', async (message) => {
    await message.reply(`You said: ${message.textMsg}`);
    stop.abort();
  });
  await bot.poll({ signal: stop.signal });
  await page.getByRole('link', { name: 'Open the simulator' }).click();
  await page.getByRole('log').getByText('You said: Hello!').waitFor();
  await checkScreen(page, 'any');
  assert.deepEqual(
    complaints.filter((text) => !text.includes('401')),
    [],
  );
});
