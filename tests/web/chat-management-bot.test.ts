import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { write } from './chat-scene.ts';
import { checkScreen, startWebScene } from './web-scene.ts';

/** Writes to the bot and waits for the last word of its answer. */
async function ask(page: Page, text: string, answer: RegExp): Promise<string> {
  await write(page, text);
  const last = page.getByRole('article').last().filter({ hasText: answer });
  await last.waitFor();
  return last.innerText();
}

function keyIn(text: string): string {
  return /xk_live_[0-9a-f]{64}/.exec(text)?.[0] ?? '';
}

test('the management bot makes a bot with all its commands, and a renewed key ends the old one', async () => {
  await using scene = await startWebScene();
  await using ada = await scene.enter('/');
  const { page } = ada;
  const statusOf = async (key: string) =>
    (await fetch(`${scene.origin}/v1/me`, { headers: { authorization: `Bearer ${key}` } })).status;

  await page.getByRole('link', { name: /Create your own bot/ }).click();
  await ask(page, '/help', /This is what I can do/);
  await ask(page, '/newbot', /What should your bot be called/);
  await ask(page, 'Weather of Ada', /Now send a username/);
  const first = keyIn(await ask(page, 'ada_weather_bot', /This is its API key/));
  assert.equal(await statusOf(first), 200);
  await checkScreen(page);
  await ask(page, '1', /Deleted from our chat/);
  await page.getByText('This message contained a secret').waitFor();
  assert.equal(await page.getByText(first).count(), 0);

  await ask(page, '/mybots', /Weather of Ada \(@ada_weather_bot\)/);
  await ask(page, '/setdescription', /description of @ada_weather_bot/);
  await ask(page, '/cancel', /Cancelled/);
  await ask(page, '/setdescription ada_weather_bot', /description of @ada_weather_bot/);
  await ask(page, 'Tells the weather.', /People who look at @ada_weather_bot now see this/);
  await ask(page, '/setcommands', /Which commands does @ada_weather_bot have/);
  await ask(page, 'today - the weather today', /now has one command/);
  await ask(page, '/setwebhook', /Where should messages to @ada_weather_bot be sent/);
  await ask(page, 'https://localhost/hook', /That address cannot be used/);
  await ask(page, '/cancel', /Cancelled/);

  await ask(page, '/token', /A new API key for @ada_weather_bot\?/);
  const second = keyIn(await ask(page, '1', /The old key of @ada_weather_bot no longer works/));
  assert.notEqual(second, first);
  assert.equal(await statusOf(first), 401);
  assert.equal(await statusOf(second), 200);

  await page.goto('/new/bot?username=ada_weather_bot');
  await page.getByText('Tells the weather.').waitFor();
});
