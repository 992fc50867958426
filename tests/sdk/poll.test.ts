import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { scratchFolder } from '#testing/scratch-folder.ts';
import {
  Bot,
  type BotOptions,
  type CursorStore,
  type DeadLetter,
  GiveUp,
  MemoryEventStore,
  type PollOptions,
} from '../../sdk/index.ts';
import { FileCursor } from '../../sdk/node/index.ts';
import { createSdkScene, type SdkScene } from './sdk-scene.ts';

const STREAM = { headers: { 'content-type': 'text/event-stream' } };

/** A bot that records its messages; `hears(n)` waits until there are n, then stops it. */
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

test('a polling bot gets all events in order, older and new ones, and answers', async () => {
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

test('events that the application chose reach their handlers, once; a handler that throws gets them again', async () => {
  await using scene = await createSdkScene();
  const { ada, bot, world } = scene;
  const own = { actorId: bot.owner.accountId, appId: bot.appId };
  await world.applications.switchExtension(own, { extension: 'bot.blocked', isOn: true });
  await world.applications.switchExtension(own, { extension: 'reaction.changed', isOn: true });
  const { bot: polled, note, hears, errors } = listener(scene);
  const seen: string[] = [];
  polled.onEvent('bot.blocked', ({ userId, isBlocked, eventId }) => {
    assert.equal(userId, ada.accountId);
    seen.push(eventId);
    if (seen.length === 1) throw new Error('not ready');
    note(isBlocked ? 'blocked' : 'unblocked');
  });
  await ada.blocks(bot);
  await ada.unblocks(bot);
  assert.deepEqual((await hears(2)).sort(), ['blocked', 'unblocked']);
  assert.equal(seen.filter((eventId) => eventId === seen[0]).length, 2);
  assert.equal(new Set(seen).size, 2);
  assert.deepEqual(errors, ['Error: not ready']);
});

test('with a cursor it continues where it stopped; without one, after the last acknowledged event', async (t) => {
  const directory = await scratchFolder(t);
  for (const cursor of [new FileCursor(join(directory, 'new', 'cursor')), undefined]) {
    await using scene = await createSdkScene();
    for (const text of ['Hello', 'second', 'third']) {
      const one = listener(scene);
      one.bot.on('message', (message) => one.note(message.textMsg));
      assert.deepEqual(await one.hears(1, cursor ? { cursor } : {}), [text]);
      await scene.ada.writes(scene.bot, text === 'Hello' ? 'second' : 'third');
    }
  }
});

test('events that were open at the end are delivered again, and no others', async () => {
  await using scene = await createSdkScene();
  const { world, bot } = scene;
  let saved: string | undefined;
  const cursor: CursorStore = {
    read: async () => saved,
    async write(text) {
      saved = text;
    },
  };
  for (const name of ['Ben', 'Cid']) await (await world.person(name)).writes(bot, name);
  // The second attempt never happens.
  const sleep = (_ms: number, signal?: AbortSignal) =>
    new Promise<void>((_resolve, reject) => {
      if (signal?.aborted) reject(signal.reason);
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  const first = listener(scene, { sleep });
  first.bot.on('message', ({ textMsg }) => {
    first.note(textMsg);
    if (textMsg === 'Ben') throw new Error('out of tea');
  });
  const heard = await first.hears(3, { cursor });
  assert.deepEqual(heard.toSorted(), ['Ben', 'Cid', 'Hello']);
  assert.equal(saved, '3 !2');
  await (await world.person('Dan')).writes(bot, 'Dan');
  const second = listener(scene);
  second.bot.on('message', ({ textMsg }) => second.note(textMsg));
  assert.deepEqual(await second.hears(2, { cursor }), ['Ben', 'Dan']);
  assert.equal(saved, '4');
});

test('a cursor whose store throws is reported, and polling goes on', async () => {
  await using scene = await createSdkScene();
  const { bot, note, hears, errors } = listener(scene);
  bot.on('message', ({ textMsg }) => note(textMsg));
  const cursor: CursorStore = {
    read: async () => undefined,
    write() {
      throw new Error('disk full');
    },
  };
  assert.deepEqual(await hears(1, { cursor }), ['Hello']);
  assert.deepEqual(errors, ['Error: disk full']);
});

test('outages are waited out with increasing delays', async () => {
  await using scene = await createSdkScene();
  let outages = 0;
  const { bot, note, hears, waits, errors } = listener(scene, {
    fetch: async (url, init) => {
      outages++;
      if (outages === 1) throw new TypeError('fetch failed');
      if (outages === 2) return new Response('{}', { status: 503 });
      if (outages === 3) return new Response('{}', { status: 503, headers: { 'retry-after': '30' } });
      if (outages === 4) return new Response(': connected\n\n', STREAM);
      return fetch(url, init);
    },
  });
  bot.on('message', (message) => note(message.textMsg));
  assert.deepEqual(await hears(1), ['Hello']);
  assert.deepEqual(waits.slice(0, 4), [1000, 2000, 30_000, 8000]);
  // The second failure, once for the outage.
  assert.deepEqual(errors, ['ParleyError: the response was 503 and did not come from Parley']);
});

test('a proxy that ends idle streams does not make the bot deaf for longer and longer', async () => {
  await using scene = await createSdkScene();
  const { clock } = scene.world;
  let streams = 0;
  const { bot, note, hears, waits, errors } = listener(scene, {
    fetch: async (url, init) => {
      if (++streams > 5) return fetch(url, init);
      const body = new ReadableStream(
        {
          pull(controller) {
            clock.advance({ minutes: 1 });
            if (streams % 2 === 0) controller.error(new Error('terminated'));
            else controller.close();
          },
        },
        { highWaterMark: 0 },
      );
      return new Response(body, STREAM);
    },
  });
  bot.on('message', (message) => note(message.textMsg));
  assert.deepEqual(await hears(1), ['Hello']);
  assert.deepEqual(waits.slice(0, 5), [1000, 1000, 1000, 1000, 1000]);
  assert.deepEqual(errors, []);
});

test('an address where nobody answers, or a web page does, is reported', async () => {
  const page = new Response('<h1>Welcome</h1>', { headers: { 'content-type': 'text/html' } });
  for (const [fetched, message] of [
    [undefined, 'GET https://chat.example.com/v1/events?after=acknowledged got no answer: fetch failed'],
    [page, 'the response was 200 and did not come from Parley'],
  ] as const) {
    const errors: string[] = [];
    const stop = new AbortController();
    const bot = new Bot({
      ...{ baseUrl: 'https://chat.example.com', apiKey: 'xk_live_1' },
      fetch: async () => fetched?.clone() ?? Promise.reject(new TypeError('fetch failed')),
      async sleep(ms) {
        if (ms > 2000) stop.abort();
      },
      onError: (error) => errors.push(String(error)),
    });
    await bot.poll({ signal: stop.signal });
    assert.deepEqual(errors, [`ParleyError: ${message}`]);
  }
});

test('an event that another process handles is waited for, and never given up', async () => {
  await using scene = await createSdkScene();
  let claims = 0;
  const store = new MemoryEventStore();
  const { bot, note, hears } = listener(scene, {
    store: {
      claim: async (id) => (++claims < 10 ? 'busy' : store.claim(id)),
      done: (id) => store.done(id),
      release: (id) => store.release(id),
    },
  });
  bot.on('message', ({ textMsg }) => note(textMsg));
  assert.deepEqual(await hears(1), ['Hello']);
});

test('a failing handler delays nobody: 8 attempts on their own schedule, then a dead letter', async () => {
  await using scene = await createSdkScene();
  const { world, ada } = scene;
  await ada.writes(scene.bot, 'next');
  await (await world.person('Ben')).writes(scene.bot, 'from Ben');
  const { bot, note, hears, heard, waits, errors } = listener(scene);
  const failures: [attempt: number | undefined, isLast: boolean | undefined][] = [];
  const isGivenUp = Promise.withResolvers<void>();
  bot.on('message', (message) => {
    if (message.textMsg === 'Hello' && failures.length < 8) throw new TypeError('out of tea');
    note(message.textMsg);
  });
  bot.catch(({ error, message, attempt, isLast }) => {
    assert.equal(message.textMsg, 'Hello');
    assert.match(String(error), /out of tea/);
    failures.push([attempt, isLast]);
    if (isLast) isGivenUp.resolve();
  });
  const hearing = hears(4);
  await isGivenUp.promise;
  const letters: DeadLetter[] = [];
  while (letters.length === 0) for await (const one of bot.deadLetters()) letters.push(one);
  const [letter] = letters;
  assert.equal(letter?.attempts, 8);
  assert.partialDeepStrictEqual(letter?.event, { data: { textMsg: 'Hello' } });
  assert.match(letter?.message ?? '', /after 8 attempts: TypeError/);
  assert.deepEqual(heard.toSorted(), ['from Ben', 'next']);
  assert.deepEqual(failures, [...Array.from({ length: 7 }, (_, i) => [i + 1, false]), [8, true]]);
  // Acknowledgements in between wait 2000 each time.
  const retries = waits.filter((ms) => ms !== 2000);
  assert.deepEqual(retries, [1000, 4000, 8000, 16_000, 32_000, 60_000]);
  assert.deepEqual(await bot.replayEvents([letter?.eventId ?? '']), { replayed: 1 });
  await ada.writes(scene.bot, 'last');
  assert.deepEqual((await hearing).slice(2).toSorted(), ['Hello', 'last']);
  assert.deepEqual(errors, []);
});

test('an outage is never the last attempt of an event', async () => {
  await using scene = await createSdkScene();
  let refused = 0;
  const { bot, note, hears, waits } = listener(scene, {
    retries: 0,
    fetch: async (url, init) => {
      if (String(url).endsWith('/v1/messages') && refused++ < 9) throw new TypeError('fetch failed');
      return fetch(url, init);
    },
  });
  const attempts: unknown[] = [];
  bot.on('message', async (message) => {
    await message.reply('Hi');
    note('answered');
  });
  bot.catch(({ attempt, isLast }) => {
    attempts.push([attempt, isLast]);
    if (isLast) note('given up');
  });
  assert.deepEqual(await hears(1), ['answered']);
  assert.deepEqual(
    attempts,
    [1, 2, 3, 4, 5, 6, 7, 7, 7].map((attempt) => [attempt, false]),
  );
  assert.deepEqual(
    waits.filter((ms) => ms !== 2000),
    [1000, 4000, 8000, 16_000, 32_000, 32_000, 32_000, 32_000],
  );
});

test('what the service refuses for good, and what a handler gives up, is not tried again', async () => {
  await using scene = await createSdkScene();
  const { ada, bot } = scene;
  const { bot: own, note, hears, waits, errors } = listener(scene);
  const calls: Record<string, number> = {};
  own.on('message', async (message) => {
    const text = message.textMsg;
    calls[text] = (calls[text] ?? 0) + 1;
    if (text === 'long') await message.reply('x'.repeat(5000));
    if (text === 'unknown') await own.sendMessage({ to: 'usr_nobody', type: 'text', content: 'x' });
    if (text === 'give up') throw new GiveUp('nothing to say');
    note(text);
  });
  const failures: unknown[][] = [];
  own.catch(async ({ error, message, attempt, isLast }) => {
    failures.push([message.textMsg, (error as Error).name, attempt, isLast]);
    note(message.textMsg);
    if (message.textMsg === 'long') throw new Error('the handler of failures fails, too');
  });
  for (const text of ['long', 'unknown', 'give up', 'last']) await ada.writes(bot, text);
  assert.deepEqual(await hears(5), ['Hello', 'long', 'unknown', 'give up', 'last']);
  assert.deepEqual(calls, { Hello: 1, long: 1, unknown: 1, 'give up': 1, last: 1 });
  assert.deepEqual(failures, [
    ['long', 'ParleyError', 1, true],
    ['unknown', 'ParleyError', 1, true],
    ['give up', 'GiveUp', 1, true],
  ]);
  assert.deepEqual(errors, ['Error: the handler of failures fails, too']);
  assert.ok(
    waits.every((ms) => ms === 2000),
    'only acknowledgements wait',
  );
  const letters: DeadLetter[] = [];
  for await (const letter of own.deadLetters()) letters.push(letter);
  assert.deepEqual(
    letters.map(({ attempts }) => attempts),
    [1, 1, 1],
  );
});

test('conversations are handled concurrently, each in order, up to the configured number', async () => {
  await using scene = await createSdkScene();
  const { world, bot } = scene;
  const people = await Promise.all(['Ben', 'Cid', 'Dan'].map((name) => world.person(name)));
  for (const round of [1, 2])
    for (const person of people) await person.writes(bot, `${person.name} ${round}`);
  for (const concurrency of [1, 3]) {
    const { bot: own, note, hears } = listener(scene);
    let [running, most] = [0, 0];
    const allRun = Promise.withResolvers<void>();
    own.on('message', async ({ textMsg }) => {
      most = Math.max(most, ++running);
      if (running === concurrency) allRun.resolve();
      await allRun.promise;
      running--;
      note(textMsg);
    });
    const heard = await hears(7, { concurrency, after: '0' });
    assert.equal(most, concurrency);
    for (const { name } of people) {
      assert.deepEqual(
        heard.filter((text) => text.startsWith(name)),
        [`${name} 1`, `${name} 2`],
      );
    }
  }
  await assert.rejects(listener(scene).bot.poll({ concurrency: 0 }), TypeError);
});

test('an answer waits neither for its drafts nor for being shown as typing', async () => {
  await using scene = await createSdkScene();
  const refused: string[] = [];
  const { bot, note, hears, waits, errors } = listener(scene, {
    fetch: async (url, init) => {
      const { pathname } = new URL(String(url));
      if (!/\/(typing|draft)$/.test(pathname)) return fetch(url, init);
      refused.push(pathname);
      const body = JSON.stringify({ code: 'RATE_LIMIT_EXCEEDED', message: 'quota exceeded' });
      return new Response(body, { status: 429, headers: { 'retry-after': '60' } });
    },
  });
  async function* words() {
    yield 'Sunny.';
  }
  bot.on('message', async (message) => {
    await message.typing();
    await message.stream(words());
    note('answered');
  });
  assert.deepEqual(await hears(1), ['answered']);
  assert.deepEqual(refused, ['/v1/messages/typing', '/v1/messages/draft']);
  assert.deepEqual([waits.filter((ms) => ms !== 2000), errors], [[], []]);
});

test('a proxy that answers 404 while the service is away stops neither polling nor the attempts of an event', async () => {
  await using scene = await createSdkScene();
  const page = () => new Response('<h1>No such route</h1>', { status: 404 });
  let [streams, sends] = [0, 0];
  const { bot, note, hears, errors } = listener(scene, {
    fetch: async (url, init) => {
      const isStream = String(url).includes('/v1/events?');
      if (isStream && ++streams === 1) return new Response(': connected\n\n', STREAM);
      if (isStream && streams <= 3) return page();
      if (String(url).endsWith('/v1/messages') && ++sends === 1) return page();
      return fetch(url, init);
    },
  });
  bot.on('message', async (message) => {
    await message.reply('Hi');
    note('answered');
  });
  bot.catch(({ isLast }) => assert.equal(isLast, false));
  assert.deepEqual(await hears(1), ['answered']);
  assert.deepEqual(errors, ['ParleyError: the response was 404 and did not come from Parley']);
  const lost = listener(scene, { fetch: async () => page() });
  await assert.rejects(lost.bot.poll(), { status: 404 });
});

test('a bot refused by the service stops polling with the error', async () => {
  await using scene = await createSdkScene();
  const { bot } = listener(scene, { apiKey: 'xk_live_none' });
  await assert.rejects(bot.poll(), { name: 'ParleyError', status: 401, code: 'unauthenticated' });
  const { bot: lost } = listener(scene);
  await assert.rejects(lost.poll({ after: '999' }), { status: 400, code: 'invalid-argument' });
});
