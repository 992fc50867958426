import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { createTestDatabase } from '#testing/database.ts';
import { Bot } from '../sdk/index.ts';
import { Browser } from './browser.ts';
import { createPair, PASSWORD } from './chaos/population.ts';
import { settingsOn, startParley } from './processes.ts';
import { buildSdk } from './sdk/built-sdk.ts';
import { createSdkScene } from './sdk/sdk-scene.ts';

test('of a bot that is killed while it streams an answer, what it had shown is kept', async () => {
  await using scene = await createSdkScene();
  using sdk = buildSdk();
  const { world, ada, bot, baseUrl } = scene;
  const { promise: shown, resolve } = Promise.withResolvers<void>();
  const unfollow = world.live.subscribe(ada.accountId, ({ type }) => type === 'message.draft' && resolve());
  const child = fork('tests/sdk/streaming-bot.mjs', [
    JSON.stringify({ sdk: sdk.url, baseUrl, apiKey: bot.key }),
  ]);
  await shown;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
  unfollow();
  const texts = async () => (await ada.reads(bot)).map(({ content }) => content).toReversed();
  world.clock.advance({ seconds: 29 });
  await world.messages.sendLostDrafts();
  assert.deepEqual(await texts(), ['Hello']);
  world.clock.advance({ seconds: 1 });
  await world.messages.sendLostDrafts();
  assert.deepEqual(await texts(), ['Hello', 'Tomorrow will be']);
});

test('a server that is killed while it shows a draft has stored nothing of it, and the bot goes on with the next one', async () => {
  await using database = await createTestDatabase();
  const settings = settingsOn(database);
  await using first = await startParley(settings);
  const pair = await createPair(first.url, 1, 'https://hooks.example.com/x');
  const draft = { conversationId: pair.userId, content: 'Tomorrow will be', keepIfLost: true };
  await new Bot({ baseUrl: first.url, apiKey: pair.apiKey }).showDraft(draft);
  await first.kill();

  await using second = await startParley(settings);
  const browser = new Browser(second.url);
  await browser.post('/api/auth/sign-in', { email: pair.email, password: PASSWORD });
  const texts = async () => {
    const path = `/api/chat/conversations/${pair.conversationId}/messages`;
    const { messages } = await browser.get<{ messages: { content: string }[] }>(path);
    return messages.map(({ content }) => content).toReversed();
  };
  assert.deepEqual(await texts(), ['first']);
  const bot = new Bot({ baseUrl: second.url, apiKey: pair.apiKey });
  await bot.showDraft({ ...draft, content: 'Tomorrow will be sunny' });
  assert.deepEqual(await texts(), ['first']);
  await bot.sendMessage({ to: pair.userId, type: 'text', content: 'Tomorrow will be sunny.' });
  assert.deepEqual(await texts(), ['first', 'Tomorrow will be sunny.']);
});
