import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { Bot, type FileToUpload, OAuthClient, ParleyError } from './index.ts';

type Answer = { status: number; body?: object | string; headers?: Record<string, string> } | 'no answer';

const SENT = { status: 201, body: { status: 'success', data: { msgId: 'msg_1' } } };
const BAD_GATEWAY = { status: 502, body: '<h1>Bad gateway</h1>' };
const BUSY = { status: 503, body: { status: 'error', code: 'INTERNAL_ERROR', message: 'busy' } };
const TEXT = { to: 'usr_1', type: 'text', content: 'Hello' } as const;

const NO_RETRY = { baseUrl: 'https://chat.example.com', apiKey: 'xk_live_1', retries: 0 };

/** A bot whose service gives these responses in turn, repeating the last; its waits take no time. */
function botWith(answers: Answer[], options: { retries?: number } = {}) {
  const requests: { url: string; init: RequestInit }[] = [];
  const waits: number[] = [];
  const bot = new Bot({
    baseUrl: 'https://chat.example.com/',
    apiKey: 'xk_live_secret',
    sleep: async (ms) => void waits.push(ms),
    fetch: async (url, init) => {
      requests.push({ url: String(url), init: init ?? {} });
      const answer = answers[Math.min(requests.length, answers.length) - 1] as Answer;
      if (answer === 'no answer') throw new TypeError('fetch failed');
      const { status, body = '', headers = {} } = answer;
      return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });
    },
    ...options,
  });
  return { bot, requests, waits };
}

function failed(call: Promise<unknown>): Promise<ParleyError> {
  return call.then(
    () => assert.fail('it succeeded'),
    (error: ParleyError) => error,
  );
}

function header({ init }: { init: RequestInit }, name: string): string | null {
  return new Headers(init.headers).get(name);
}

test('a setting that is missing or cannot be right is explained before any request', () => {
  const baseUrl = 'https://chat.example.com';
  const bot = (settings: object) => () =>
    new Bot({ baseUrl, apiKey: 'xk_live_1', ...settings }).nodeHandler();
  const oauth = (clientSecret: string | undefined) => () =>
    new OAuthClient({ baseUrl, clientId: 'a', clientSecret, redirectUri: 'c' });
  const strange = 'apiKey must be an API key (xk_live_…), without spaces or special characters';
  for (const [make, message] of [
    [bot({ baseUrl: undefined }), 'baseUrl is required, and is not set'],
    [bot({ apiKey: process.env['NOT_SET'] }), 'apiKey is required, and is not set'],
    [bot({ apiKey: '' }), 'apiKey is required, and is empty'],
    [bot({ webhookSecret: ' \n' }), 'webhookSecret is required, and is empty'],
    [oauth(undefined), 'clientSecret is required, and is not set'],
    ...['localhost:3000', 'chat.example.com', 'ftp://chat.example.com', 'https://', `${baseUrl}/v1/`].map(
      (address) =>
        [
          bot({ baseUrl: address }),
          `baseUrl must be an address such as http://localhost:3000, and is ${address}`,
        ] as const,
    ),
    [bot({ apiKey: 'xcs_1' }), 'apiKey must be an API key (xk_live_…), and is a client secret (xcs_…)'],
    [bot({ apiKey: 'xat_1' }), 'apiKey must be an API key (xk_live_…), and is an access token (xat_…)'],
    [
      bot({ webhookSecret: 'xk_live_1' }),
      'webhookSecret must be a webhook secret (whsec_…), and is an API key (xk_live_…)',
    ],
    [oauth('whsec_1'), 'clientSecret must be a client secret (xcs_…), and is a webhook secret (whsec_…)'],
    ...['xk_live_1\nxk_live_2', 'Bearer xk_live_1', 'xk_live_…'].map(
      (apiKey) => [bot({ apiKey }), strange] as const,
    ),
  ] as const)
    assert.throws(make, { name: 'TypeError', message });
});

test('the line break at the end of a file with a secret does not belong to it', async () => {
  const fetched: string[] = [];
  const bot = new Bot({
    baseUrl: 'https://chat.example.com',
    apiKey: 'xk_live_secret\n',
    webhookSecret: 'whsec_c2VjcmV0\r\n',
    fetch: async (_url, init) => {
      fetched.push(String(new Headers(init?.headers).get('authorization')));
      return Response.json(SENT.body, { status: 201 });
    },
  });
  await bot.sendMessage(TEXT);
  assert.deepEqual(fetched, ['Bearer xk_live_secret']);
  const body = JSON.stringify({ type: 'ping', data: { appId: 'app_1', sentAt: 1, message: 'Hello' } });
  const seconds = Math.floor(Date.now() / 1000);
  const v1 = createHmac('sha256', 'whsec_c2VjcmV0').update(`${seconds}.${body}`).digest('hex');
  const headers = { 'x-service-signature': `t=${seconds},v1=${v1}` };
  const request = new Request('https://bot.example.com/', { method: 'POST', headers, body });
  assert.equal((await bot.fetchHandler()(request)).status, 204);
});

test('an event that no application can choose is refused at once', () => {
  const { bot } = botWith([SENT]);
  const events =
    'group.joined, group.left, member.joined, member.left, message.edited, message.deleted, reaction.changed, poll.voted, bot.blocked';
  for (const type of ['reaction', 'message.received'])
    assert.throws(() => bot.onEvent(type as 'group.left', () => undefined), {
      name: 'TypeError',
      message: `there is no event ${type} to choose: there are ${events}`,
    });
});

test('what is no file is refused, instead of its description being uploaded', async () => {
  const { bot, requests } = botWith([SENT]);
  const wrongs: unknown[] = [
    undefined,
    'list.txt',
    Buffer.from('tea'),
    { data: { path: 'list.txt' }, name: 'list.txt' },
  ];
  for (const wrong of wrongs)
    await assert.rejects(bot.upload(wrong as FileToUpload), {
      name: 'TypeError',
      message: 'upload() takes a Blob, or { data, name } with a Blob, bytes or a string as data',
    });
  assert.equal(requests.length, 0);
  await bot.upload({ data: new Uint8Array([116, 101, 97]).buffer, name: 'list.txt' });
  const sent = requests.map(({ init }) => (init.body as FormData).get('file') as File);
  assert.deepEqual(await Promise.all(sent.map((file) => file.text())), ['tea']);
});

test('a request carries the key, JSON, and a new idempotency key for each creation', async () => {
  const { bot, requests } = botWith([SENT]);
  assert.deepEqual(await bot.sendMessage(TEXT), { msgId: 'msg_1' });
  await bot.sendMessage(TEXT);
  await bot.sendMessage(TEXT, { idempotencyKey: 'mine' });
  const [first, second, third] = requests as [
    (typeof requests)[0],
    (typeof requests)[0],
    (typeof requests)[0],
  ];
  assert.deepEqual(
    [first.url, first.init.method, first.init.body, first.init.redirect],
    ['https://chat.example.com/v1/messages', 'POST', JSON.stringify(TEXT), 'manual'],
  );
  assert.equal(header(first, 'authorization'), 'Bearer xk_live_secret');
  assert.equal(header(first, 'content-type'), 'application/json');
  assert.match(header(first, 'idempotency-key') ?? '', /^[0-9a-f-]{36}$/);
  assert.notEqual(header(first, 'idempotency-key'), header(second, 'idempotency-key'));
  assert.equal(header(third, 'idempotency-key'), 'mine');
});

test('a key that no request can carry is refused at once', async () => {
  const { bot, requests, waits } = botWith([SENT]);
  await assert.rejects(bot.sendMessage(TEXT, { idempotencyKey: 'заказ-17' }), TypeError);
  assert.deepEqual([requests, waits], [[], []]);
});

test('503, no response and a proxy’s 502 or 504 are retried after 1, 2, 4 and 8 s, with the same key and body', async () => {
  const { bot, requests, waits } = botWith([BUSY, 'no answer', BAD_GATEWAY, { status: 504 }, SENT]);
  assert.deepEqual(await bot.sendMessage(TEXT), { msgId: 'msg_1' });
  assert.deepEqual(waits, [1000, 2000, 4000, 8000]);
  assert.equal(new Set(requests.map((request) => header(request, 'idempotency-key'))).size, 1);
  assert.equal(new Set(requests.map(({ init }) => init.body)).size, 1);
});

test('after the last try the error is thrown unchanged', async () => {
  const busy = await failed(botWith([BUSY]).bot.sendMessage(TEXT));
  assert.deepEqual([busy.status, busy.code, busy.message], [503, 'INTERNAL_ERROR', 'busy']);
  const { bot, requests } = botWith(['no answer'], { retries: 1 });
  const unreachable = await failed(bot.sendMessage(TEXT));
  assert.deepEqual([unreachable.status, unreachable.code, requests.length], [0, 'unreachable', 2]);
  assert.equal((unreachable.cause as Error).message, 'fetch failed');
});

test('why there was no answer is told: refused, no TLS there, or too late', async () => {
  const at = async (fault: Error) =>
    (await failed(new Bot({ ...NO_RETRY, fetch: () => Promise.reject(fault) }).getMe())).message;
  const start = 'GET https://chat.example.com/v1/me got no answer: ';
  const refused = Object.assign(new Error(''), { code: 'ECONNREFUSED' });
  assert.equal(await at(new TypeError('fetch failed', { cause: refused })), `${start}ECONNREFUSED`);
  assert.equal(await at(new TypeError('fetch failed', { cause: new Error('bad port') })), `${start}bad port`);
  assert.equal(await at(new DOMException('too late', 'TimeoutError')), `${start}too late`);
});

const limited = (seconds: string): Answer => ({
  status: 429,
  body: { status: 'error', code: 'RATE_LIMIT_EXCEEDED', message: 'slow down' },
  headers: { 'retry-after': seconds },
});

test('Retry-After lengthens a wait and never shortens one; what ends later than any quota is not waited for', async () => {
  const longer = botWith([limited('37'), limited('1'), limited('soon'), SENT]);
  await longer.bot.sendMessage(TEXT);
  assert.deepEqual(longer.waits, [37_000, 2000, 4000]);
  const { bot, waits } = botWith([limited('60'), limited('61'), SENT]);
  const { status, retryAfterSeconds } = await failed(bot.sendMessage(TEXT));
  assert.deepEqual([status, retryAfterSeconds, waits], [429, 61, [60_000]]);
});

test('a fleeting call is tried once, and does not wait for the quota', async () => {
  const usedUp = { 'ratelimit-remaining': '0', 'ratelimit-reset': '60' };
  const { bot, requests, waits } = botWith([BUSY, { ...SENT, headers: usedUp }]);
  const draft = { conversationId: 'usr_1', content: 'Hel' };
  await assert.rejects(bot.showDraft(draft, { isFleeting: true }), { status: 503 });
  await bot.showDraft(draft, { isFleeting: true });
  await assert.rejects(bot.showDraft(draft, { isFleeting: true }), { status: 429, retryAfterSeconds: 60 });
  assert.deepEqual([requests.length, waits], [2, []]);
});

test('errors that a retry cannot fix are not retried', async () => {
  const lasting = [
    [400, 'invalid-argument'],
    [401, 'unauthenticated'],
    [403, 'permission-denied'],
    [404, 'not-found'],
    [409, 'already-exists'],
    [422, 'failed-precondition'],
    [429, 'resource-exhausted'],
    [500, 'INTERNAL_ERROR'],
  ] as const;
  for (const [status, code] of lasting) {
    const headers = { 'x-request-id': 'req_1' };
    const { bot, waits } = botWith([{ status, body: { status: 'error', code, message: 'no' }, headers }]);
    const error = await failed(bot.sendMessage(TEXT));
    assert.ok(error instanceof ParleyError);
    const { message, requestId, retryAfterSeconds } = error;
    assert.deepEqual(
      [error.status, error.code, message, requestId, retryAfterSeconds, waits.length],
      [status, code, 'no', 'req_1', undefined, 0],
    );
  }
});

test('a vote, which is a toggle, is retried only when it certainly did not count', async () => {
  const vote = { messageId: 'msg_1', optionId: 'opt_1' };
  for (const answer of [BUSY, 'no answer'] as const) {
    const { bot, requests } = botWith([answer]);
    await failed(bot.votePoll(vote));
    assert.equal(requests.length, 1);
  }
  const { bot, requests } = botWith([
    limited('1'),
    { status: 200, body: { data: { poll: { totalVotes: 1 } } } },
  ]);
  assert.equal((await bot.votePoll(vote)).totalVotes, 1);
  assert.equal(requests.length, 2);
});

test('a response that is not from the service, such as a proxy’s, is an error too', async () => {
  const pages: Answer[] = [
    BAD_GATEWAY,
    { status: 302 },
    { status: 404, body: '[]' },
    { status: 200, body: '<h1>Welcome</h1>' },
  ];
  for (const page of pages) {
    const { status } = page as { status: number };
    const error = await failed(botWith([page]).bot.getMe());
    assert.deepEqual([error.status, error.code], [status, 'INTERNAL_ERROR']);
    assert.equal(error.message, `the response was ${status} and did not come from Parley`);
  }
});

test('an aborted call ends at once, and so does its wait', async () => {
  const aborted = AbortSignal.abort(new Error('enough'));
  const { bot, requests } = botWith([SENT]);
  await assert.rejects(bot.sendMessage(TEXT, { signal: aborted }), /enough/);
  assert.equal(requests.length, 0);
  const stop = new AbortController();
  const waiting = new Bot({
    baseUrl: 'https://chat.example.com',
    apiKey: 'key',
    fetch: async () => {
      setImmediate(() => stop.abort(new Error('enough')));
      return new Response('{}', { status: 503, headers: { 'retry-after': '3600' } });
    },
  });
  await assert.rejects(waiting.getMe({ signal: stop.signal }), /enough/);
});

test('printing a bot shows no credentials', async () => {
  const { inspect } = await import('node:util');
  const bot = new Bot({
    baseUrl: 'https://chat.example.com',
    apiKey: 'xk_live_secret',
    webhookSecret: 'whsec_x',
  });
  assert.doesNotMatch(inspect(bot, { depth: 9, showHidden: true }), /secret|whsec/);
});
