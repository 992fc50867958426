import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bot, type ParleyError } from './index.ts';

/**
 * A service that admits so many calls in 60 s, counted like the real one, and a bot whose waits move the clock of both. The bot
 * learns only what the headers say.
 */
function scene({ limit, mostWaiting = 1000 }: { limit: number; mostWaiting?: number }) {
  let now = 1_795_236_845_210;
  let window = { endsAt: 0, used: 0 };
  const sent: string[] = [];
  const waits: number[] = [];
  let refused = 0;
  const bot = new Bot({
    baseUrl: 'https://chat.example.com',
    apiKey: 'xk_live_1',
    now: () => now,
    mostWaiting,
    sleep: async (ms, signal) => {
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
      waits.push(ms);
      now += ms;
    },
    fetch: async (_url, init) => {
      if (now >= window.endsAt) window = { endsAt: now + 60_000, used: 0 };
      window.used++;
      const reset = String(Math.ceil((window.endsAt - now) / 1000));
      const left = Math.max(0, limit - window.used);
      const headers = {
        'ratelimit-limit': String(limit),
        'ratelimit-remaining': String(left),
        'ratelimit-reset': reset,
      };
      if (window.used > limit) {
        refused++;
        const body = JSON.stringify({ code: 'RATE_LIMIT_EXCEEDED', message: 'quota exceeded' });
        return new Response(body, { status: 429, headers: { ...headers, 'retry-after': reset } });
      }
      const { content } = JSON.parse(String(init?.body));
      sent.push(content);
      return new Response(JSON.stringify({ data: { msgId: content } }), { status: 201, headers });
    },
  });
  const send = (content: string, signal?: AbortSignal) =>
    bot.sendMessage({ to: 'usr_1', type: 'text', content }, signal && { signal });
  const show = (content: string) => bot.showDraft({ conversationId: 'usr_1', content }, { isFleeting: true });
  const pass = (ms: number) => {
    now += ms;
  };
  return { send, show, pass, sent, waits, refused: () => refused };
}

const NUMBERS = Array.from({ length: 150 }, (_, i) => String(i));

test('150 calls at once wait for the quota of 60 a minute: in order, and none is refused', async () => {
  const { send, sent, waits, refused } = scene({ limit: 60 });
  await Promise.all(NUMBERS.map((content) => send(content)));
  assert.deepEqual(sent, NUMBERS);
  assert.equal(refused(), 0);
  assert.deepEqual(waits, [60_000, 60_000]);
});

test('a waiting call can be aborted, and those behind it go on', async () => {
  const { send, sent } = scene({ limit: 1 });
  await send('first');
  const stop = new AbortController();
  const [aborted, last] = [send('aborted', stop.signal), send('last')];
  stop.abort(new Error('no longer needed'));
  await assert.rejects(aborted, /no longer needed/);
  await last;
  assert.deepEqual(sent, ['first', 'last']);
});

test('no more calls wait than asked; with 0 the service refuses them', async () => {
  const { send, sent } = scene({ limit: 1, mostWaiting: 2 });
  await send('first');
  const waiting = [send('second'), send('third')];
  await assert.rejects(send('fourth'), {
    status: 429,
    code: 'RATE_LIMIT_EXCEEDED',
    retryAfterSeconds: 60,
    message: 'the quota of POST /v1/messages is used up, and 2 calls are waiting for it',
  });
  await Promise.all(waiting);
  assert.deepEqual(sent, ['first', 'second', 'third']);
  const unqueued = scene({ limit: 1, mostWaiting: 0 });
  await Promise.all(['a', 'b'].map((content) => unqueued.send(content)));
  assert.equal(unqueued.refused(), 1);
});

test('fleeting calls are spread over the window: none is refused by the service, and some come through at any time', async () => {
  const { show, pass, sent, refused } = scene({ limit: 600 });
  const inTenSeconds: number[] = [];
  for (let second = 0; second < 120; second++) {
    const before = sent.length;
    for (let i = 0; i < 40; i++) {
      await show('x').catch((error: ParleyError) => assert.equal(error.retryAfterSeconds, 1));
      pass(25);
    }
    const part = Math.floor(second / 10);
    inTenSeconds[part] = (inTenSeconds[part] ?? 0) + sent.length - before;
  }
  assert.equal(refused(), 0);
  assert.ok(
    inTenSeconds.every((count) => count >= 80 && count <= 170),
    String(inTenSeconds),
  );
});
