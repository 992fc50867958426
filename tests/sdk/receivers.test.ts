import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import fastify from 'fastify';
import { signedHeaders } from '#features/webhooks/delivery/attempt.ts';
import { Bot, GiveUp, MemoryEventStore, ParleyError } from '../../sdk/index.ts';

const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const NOW = 1_795_236_845_210;

type Post = (body: string | Buffer, headers?: Record<string, string>, method?: string) => Promise<number>;

/** A bot that never leaves this process, and its messages. */
function createBot(handle: (text: string) => unknown = () => undefined) {
  const heard: string[] = [];
  const errors: unknown[] = [];
  const clock = { now: NOW };
  const bot = new Bot({
    baseUrl: 'https://chat.example.com',
    apiKey: 'key',
    webhookSecret,
    now: () => clock.now,
    onError: (error) => errors.push(error),
    store: new MemoryEventStore(),
  });
  bot.on('message', async ({ textMsg }) => {
    heard.push(textMsg);
    await handle(textMsg);
  });
  return { bot, heard, errors, clock };
}

function event(msgId: string, textMsg: string): string {
  const data = { msgId, type: 'text', textMsg, from: 'usr_1', chatId: 'usr_1', sentAt: NOW };
  // Escapes and spaces that no serializer would reproduce.
  return JSON.stringify({ type: 'message.received', data })
    .replace('{', '{ ')
    .replace('Hello', '\\u0048ello');
}

function sign(body: string, at = NOW): Record<string, string> {
  const signing = {
    secrets: [webhookSecret] as const,
    eventId: 'evt_1',
    type: 'message.received',
    at,
    serviceName: undefined,
  };
  return signedHeaders({ ...signing, body: Buffer.from(body) });
}

/** Posts to the handler of a bot as a service does that has signed the body. */
function hookOf(bot: Bot) {
  const handle = bot.fetchHandler();
  return (body: string, headers = sign(body)) =>
    handle(new Request('https://bot.example.com/', { method: 'POST', body, headers }));
}

/** The same requirements for each adapter: genuine events are handled once, everything else is refused. */
async function checkReceiver(post: Post, heard: string[]): Promise<void> {
  const genuine = event('msg_1', 'Hello é 😀');
  assert.equal(await post(genuine, sign(genuine)), 204);
  assert.equal(await post(genuine, sign(genuine)), 204, 'again');
  assert.deepEqual(heard, ['Hello é 😀']);
  const other = event('msg_2', 'Hello');
  assert.equal(await post(other, sign(genuine)), 401, 'forged');
  assert.equal(await post(other), 401, 'unsigned');
  assert.equal(await post(other, sign(other, NOW - 301_000)), 401, 'stale');
  assert.equal(await post(other, sign(other, NOW + 301_000)), 401, 'from the future');
  assert.equal(await post(JSON.stringify(JSON.parse(other)), sign(other)), 401, 'written again');
  assert.deepEqual(heard, ['Hello é 😀']);
  const ping = '{"type":"ping","data":{"appId":"app_1","sentAt":1,"message":"ping"}}';
  assert.equal(await post(ping, sign(ping)), 204);
}

async function withServer(listener: RequestListener, use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
  } finally {
    server.close();
  }
}

function postTo(url: string): Post {
  return async (body, headers = {}, method = 'POST') =>
    (await fetch(url, { method, headers, ...(method === 'POST' && { body }) })).status;
}

test('node:http', async () => {
  const { bot, heard } = createBot();
  await withServer(bot.nodeHandler(), async (url) => {
    await checkReceiver(postTo(url), heard);
    assert.equal(await postTo(url)('', {}, 'GET'), 405);
  });
});

test('Express, before a body parser and after one that keeps the bytes', async () => {
  const { bot, heard, errors } = createBot();
  const handler = bot.nodeHandler();
  const behind =
    (parse: (raw: Buffer) => unknown): RequestListener =>
    async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const parsed = { body: parse(Buffer.concat(chunks)) };
      handler(Object.assign(request as IncomingMessage, parsed), response);
    };
  await withServer(
    behind((raw) => raw),
    (url) => checkReceiver(postTo(url), heard),
  );
  await withServer(
    behind((raw) => JSON.parse(raw.toString())),
    async (url) => {
      const genuine = event('msg_3', 'Hello');
      const response = await fetch(url, { method: 'POST', headers: sign(genuine), body: genuine });
      const reason = 'the raw body is needed: mount the webhook handler before any body parser';
      assert.deepEqual([response.status, await response.text()], [500, reason]);
      assert.equal(String(errors.at(-1)), `Error: ${reason}`);
    },
  );
});

test('Fastify, without changing the parsers of other routes', async () => {
  const { bot, heard } = createBot();
  const app = fastify();
  await app.register(bot.fastifyPlugin({ path: '/hook' }));
  app.post('/echo', async ({ body }) => body);
  await checkReceiver(async (payload, headers = {}) => {
    const answer = await app.inject({ method: 'POST', url: '/hook', payload, headers });
    return answer.statusCode;
  }, heard);
  assert.deepEqual((await app.inject({ method: 'POST', url: '/echo', payload: { a: 1 } })).json(), { a: 1 });
  await app.close();
});

test('fetch handlers', async () => {
  const { bot, heard } = createBot();
  const handle = bot.fetchHandler();
  const post: Post = async (body, headers = {}, method = 'POST') => {
    const init = { method, headers, ...(method === 'POST' && { body }) };
    return (await handle(new Request('https://bot.example.com/hook', init))).status;
  };
  await checkReceiver(post, heard);
  assert.equal(await post('', {}, 'GET'), 405);
  let sent = 0;
  const body = new ReadableStream({
    pull(controller) {
      sent += 65_536;
      controller.enqueue(new Uint8Array(65_536));
    },
  });
  const endless = { method: 'POST', body, duplex: 'half' } as const;
  assert.equal((await handle(new Request('https://bot.example.com/hook', endless))).status, 413);
  assert.ok(sent < 1_200_000, `${sent} bytes`);
});

test('a handler that throws is reported and retried; a running one is not disturbed', async () => {
  let attempts = 0;
  const [begun, working] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { bot, errors } = createBot(async () => {
    if (++attempts === 1) throw new Error('out of tea');
    begun.resolve();
    await working.promise;
  });
  const hook = hookOf(bot);
  const post = async () => (await hook(event('msg_4', 'Hello'))).status;
  assert.equal(await post(), 500);
  assert.deepEqual(errors.map(String), ['Error: out of tea']);
  const second = post();
  // Signatures are checked in threads, in any order.
  await begun.promise;
  assert.equal(await post(), 503, 'while the second is at work');
  working.resolve();
  assert.equal(await second, 204);
  assert.equal(await post(), 204);
  assert.equal(attempts, 2);
});

test('a refused webhook is answered with the reason, and reported at most once a minute', async () => {
  const { bot, heard, errors, clock } = createBot();
  const reason =
    'the signature does not match the body and the secret: probably another secret, or the body was parsed before it was verified';
  const body = event('msg_5', 'Hello');
  const init = { method: 'POST', body: `${body} `, headers: sign(body) } as const;
  const refused = async (answer: Response) =>
    assert.deepEqual([answer.status, await answer.text()], [401, reason]);
  const hook = hookOf(bot);
  for (let i = 0; i < 3; i++) await refused(await hook(init.body, init.headers));
  assert.deepEqual(errors.map(String), [`WebhookRefused: ${reason}`]);
  await withServer(bot.nodeHandler(), async (url) => refused(await fetch(url, init)));
  const app = fastify();
  await app.register(bot.fastifyPlugin({ path: '/hook' }));
  const answer = await app.inject({ ...init, url: '/hook' });
  assert.deepEqual([answer.statusCode, answer.body], [401, reason]);
  await app.close();
  const reported = errors.length;
  clock.now += 60_000;
  await hook(init.body, init.headers);
  assert.deepEqual([errors.length, heard], [reported + 1, []]);
});

test('an event that the handler gives up is not sent again; what the service refuses is', async () => {
  const { bot, errors } = createBot((text) => {
    if (text === 'give up') throw new GiveUp('nothing to say');
    throw new ParleyError('content is too long', { status: 400, code: 'invalid-argument' });
  });
  const hook = hookOf(bot);
  assert.equal((await hook(event('msg_6', 'give up'))).status, 204);
  assert.equal((await hook(event('msg_7', 'long'))).status, 500);
  assert.deepEqual(errors.map(String), ['GiveUp: nothing to say', 'ParleyError: content is too long']);
});

test('a message to a bot without handlers is reported', async () => {
  const errors: unknown[] = [];
  const bot = new Bot({
    baseUrl: 'https://chat.example.com',
    apiKey: 'key',
    webhookSecret,
    now: () => NOW,
    onError: (error) => errors.push(error),
  });
  const hook = hookOf(bot);
  assert.equal((await hook(event('msg_8', 'Hello'))).status, 204);
  assert.deepEqual(errors.map(String), [
    'Error: a message came, and the bot has no handler: add one, such as bot.on()',
  ]);
  bot.onEvent('group.joined', () => undefined);
  assert.equal((await hook(event('msg_9', 'Hello'))).status, 204);
  assert.equal(errors.length, 1);
});
