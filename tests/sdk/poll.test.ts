import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Bot, type BotOptions, type PollOptions } from '../../sdk/index.ts';
import { FileCursor } from '../../sdk/node/index.ts';
import { createSdkScene, type SdkScene } from './sdk-scene.ts';

/** A bot that notes what it hears; `hears(n)` waits until it has heard so much, then stops it. */
function listener({ baseUrl, bot, world }: SdkScene, options: Partial<BotOptions> = {}) {
  const heard: string[] = [];
  const waits: number[] = [];
  const errors: string[] = [];
  const stop = new AbortController();
  let wake = () => {};
  const note = (text: string) => {
    heard.push(text);
    wake();
  };
  const own = new Bot({
    baseUrl,
    apiKey: bot.key,
    now: () => world.clock.now(),
    sleep: async (ms) => void waits.push(ms),
    onError: (error) => errors.push(String(error)),
    ...options,
  });
  return {
    ...{ bot: own, heard, waits, errors, note },
    async hears(count: number, poll: PollOptions = {}) {
      const polling = own.poll({ ...poll, signal: stop.signal });
      while (heard.length < count) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await Promise.race([promise, polling]);
      }
      stop.abort();
      await polling;
      return heard;
    },
  };
}

test('a bot that polls hears everything in order, what was before it and what comes, and answers', async () => {
  await using scene = await createSdkScene();
  const { ada, bot } = scene;
  const { bot: own, note, hears, errors } = listener(scene);
  own.on('message', async (message) => {
    await message.reply(`re: ${message.textMsg}`);
    if (message.textMsg === 'two') await ada.writes(bot, 'three');
    note(message.textMsg);
  });
  await ada.writes(bot, 'two');
  assert.deepEqual(await hears(3), ['Hello', 'two', 'three']);
  const answers = (await ada.reads(bot)).filter(({ from }) => from === bot.accountId);
  assert.deepEqual(answers.map(({ content }) => content).reverse(), ['re: Hello', 're: two', 're: three']);
  assert.deepEqual(errors, []);
});

test('group messages come too', async () => {
  await using scene = await createSdkScene();
  const { ada, bot } = scene;
  const { bot: own, note, hears } = listener(scene);
  own.on('groupMessage', async (message) => {
    await message.reply('Here.');
    note(`${message.groupId} ${message.isMentioned}`);
  });
  const { groupId } = await own.createGroup({ name: 'Hikers', members: [ada.accountId] });
  const content = { type: 'text', content: '@bot', mentionedUserIds: [bot.accountId] };
  assert.equal((await ada.calls('POST', '/api/chat/groups/messages', { groupId, ...content })).status, 201);
  assert.deepEqual(await hears(1), [`${groupId} true`]);
});

test('with a cursor it goes on where it stopped', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-sdk-cursor-'));
  t.after(() => rmSync(directory, { recursive: true }));
  await using scene = await createSdkScene();
  const cursor = new FileCursor(join(directory, 'new', 'cursor'));
  for (const text of ['Hello', 'second', 'third']) {
    const one = listener(scene);
    one.bot.on('message', (message) => one.note(message.textMsg));
    assert.deepEqual(await one.hears(1, { cursor }), [text]);
    await scene.ada.writes(scene.bot, text === 'Hello' ? 'second' : 'third');
  }
});

test('outages are waited for, longer each time', async () => {
  await using scene = await createSdkScene();
  let outages = 0;
  const { bot, note, hears, waits } = listener(scene, {
    fetch: async (url, init) => {
      outages++;
      if (outages === 1) throw new TypeError('fetch failed');
      if (outages === 2) return new Response('{}', { status: 503 });
      if (outages === 3) return new Response('{}', { status: 503, headers: { 'retry-after': '30' } });
      if (outages === 4) return new Response(': connected\n\n');
      return fetch(url, init);
    },
  });
  bot.on('message', (message) => note(message.textMsg));
  assert.deepEqual(await hears(1), ['Hello']);
  assert.deepEqual(waits.slice(0, 4), [1000, 2000, 30_000, 8000]);
});

test('a handler that fails holds the feed up for 8 tries, then the event is abandoned', async () => {
  await using scene = await createSdkScene();
  await scene.ada.writes(scene.bot, 'next');
  const { bot, note, hears, waits, errors } = listener(scene);
  bot.on('message', (message) => {
    if (message.textMsg === 'Hello') throw new Error('out of tea');
    note(message.textMsg);
  });
  assert.deepEqual(await hears(1), ['next']);
  assert.deepEqual(waits.slice(0, 7), [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000]);
  assert.deepEqual(errors, Array(8).fill('Error: out of tea'));
});

test('a bot that the service refuses stops polling with the error', async () => {
  await using scene = await createSdkScene();
  const { bot } = listener(scene, { apiKey: 'xk_live_none' });
  await assert.rejects(bot.poll(), { name: 'ParleyError', status: 401, code: 'unauthenticated' });
  const { bot: lost } = listener(scene);
  await assert.rejects(lost.poll({ after: '999' }), { status: 400, code: 'invalid-argument' });
});
