import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failure } from '#testing/answers.ts';
import { rawRequest } from '#testing/raw-request.ts';
import { createWorld } from '#testing/world.ts';

const MESSAGE = { to: 'usr_00000000000000000000000a', type: 'text', content: 'x' };
const INVALID = failure('unauthenticated', 'the token is invalid, revoked or expired');

function denied(message: string) {
  return failure('permission-denied', message);
}

test('a missing token is 401 with a challenge, before the body is read', async () => {
  await using world = await createWorld();
  for (const payload of [JSON.stringify(MESSAGE), '{malformed', '']) {
    const answer = await world.app.inject({
      method: 'POST',
      url: '/v1/messages',
      headers: { 'content-type': 'application/json' },
      payload,
    });
    assert.equal(answer.statusCode, 401);
    assert.equal(answer.headers['www-authenticate'], 'Bearer realm="parley"');
    assert.match(String(answer.headers['x-request-id']), /^req_/);
    assert.deepEqual(answer.json(), failure('unauthenticated', 'the Authorization header is missing'));
  }
});

test('a malformed Authorization header is 401; the scheme is read in any case', async () => {
  await using world = await createWorld();
  const bot = await world.bot();
  const me = (authorization: string) => world.app.inject({ url: '/v1/me', headers: { authorization } });
  for (const header of [
    '',
    'Bearer',
    'Bearer ',
    bot.key,
    `Basic ${bot.key}`,
    `Bearer ${bot.key} x`,
    `Bearer a,b`,
  ]) {
    assert.equal((await me(header)).statusCode, 401, header);
  }
  for (const scheme of ['Bearer', 'bearer', 'BEARER'])
    assert.equal((await me(`${scheme} ${bot.key}`)).statusCode, 200);
});

test('two Authorization headers are 401, even equal ones', async () => {
  await using world = await createWorld();
  const bot = await world.bot();
  const url = await world.app.listen({ port: 0, host: '127.0.0.1' });
  const answer = await rawRequest(url, [
    'GET /v1/me HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${bot.key}`,
    `Authorization: Bearer ${bot.key}`,
    'Connection: close',
  ]);
  assert.match(answer, /^HTTP\/1\.1 401 /);
  assert.match(answer, /there is more than one Authorization header/);
});

test('a token that is unknown, malformed, revoked, truncated or of a deleted application is 401 with the same message', async () => {
  await using world = await createWorld();
  const [bot, deleted] = [await world.bot(), await world.bot()];
  const old = bot.key;
  await bot.regeneratesKey();
  await deleted.deleted();
  const tokens = [
    'x',
    `xk_live_${'0'.repeat(64)}`,
    old,
    deleted.key,
    bot.key.slice(0, -1),
    `${bot.key}0`,
    bot.key.toUpperCase(),
    'xat_x',
  ];
  for (const token of tokens) {
    const answer = await world.app.inject({ url: '/v1/me', headers: { authorization: `Bearer ${token}` } });
    assert.equal(answer.statusCode, 401, token);
    assert.deepEqual(answer.json(), INVALID);
    assert.equal(answer.headers['www-authenticate'], 'Bearer realm="parley", error="invalid_token"');
  }
});

test('a secret of another kind is 401, and the message says which it is', async () => {
  await using world = await createWorld();
  const { owner } = await world.bot();
  const { webhookSecret } = await owner.creates('Another');
  const { secret } = await world.client();
  for (const [token, kind] of [
    [secret, 'a client secret (xcs_…)'],
    [webhookSecret, 'a webhook secret (whsec_…)'],
    ['xrt_x', 'a refresh token (xrt_…)'],
  ]) {
    const { status, body } = await owner.calls('GET', '/v1/me', undefined, {
      authorization: `Bearer ${token}`,
    });
    assert.deepEqual([status, body.code], [401, 'unauthenticated'], kind);
    assert.ok(body.message.startsWith(`this is ${kind}`), body.message);
    assert.match(body.message, /access token \(xat_…\)/);
  }
});

test('GET /v1/me returns the account that the credential acts as', async () => {
  await using world = await createWorld();
  const bot = await world.bot({ name: 'Weather', username: 'weather_bot' });
  assert.deepEqual((await bot.calls('GET', '/v1/me')).body, {
    status: 'success',
    message: 'this is who you act as',
    data: {
      userId: bot.accountId,
      name: 'Weather',
      isBot: true,
      username: 'weather_bot',
      appId: bot.appId,
      scopes: ['messages:send', 'groups:manage'],
    },
    timestamp: world.clock.now(),
  });
});

test('a missing scope is 403 that names it', async () => {
  await using world = await createWorld();
  const bot = await world.bot();
  await bot.mayOnly(['groups:manage']);
  const answer = await bot.calls('POST', '/v1/messages', MESSAGE);
  assert.equal(answer.status, 403);
  assert.deepEqual(
    answer.body,
    denied('the scope messages:send is missing: grant it to the API key in the console, under Credentials'),
  );
  assert.equal(
    answer.headers['www-authenticate'],
    'Bearer realm="parley", error="insufficient_scope", scope="messages:send"',
  );
});

test('60 requests a minute per endpoint, then 429 with the wait; the window is 60 s from its first request', async () => {
  await using world = await createWorld();
  const bot = await world.bot();
  const me = () => bot.calls('GET', '/v1/me');
  const first = await me();
  assert.equal(first.headers['ratelimit-limit'], '60');
  assert.equal(first.headers['ratelimit-remaining'], '59');
  assert.equal(first.headers['ratelimit-reset'], '60');
  world.clock.advance({ seconds: 20 });
  for (let i = 2; i <= 60; i++) assert.equal((await me()).status, 200);
  const refused = await me();
  assert.equal(refused.status, 429);
  assert.deepEqual(
    refused.body,
    failure(
      'RATE_LIMIT_EXCEEDED',
      'quota of 60 requests per minute for GET /v1/me exceeded; try again in 40 s',
    ),
  );
  assert.equal(refused.headers['retry-after'], '40');
  assert.equal(refused.headers['ratelimit-remaining'], '0');
  assert.equal(
    (await bot.calls('POST', '/v1/messages', MESSAGE)).status,
    404,
    'another endpoint has its own quota',
  );
  world.clock.advance({ seconds: 39, milliseconds: 999 });
  assert.equal((await me()).status, 429);
  world.clock.advance({ milliseconds: 1 });
  assert.equal((await me()).status, 200);
});

test('refused bodies count against the quota; 401 and missing scopes do not; a new key continues the count', async () => {
  await using world = await createWorld();
  const bot = await world.bot();
  const remaining = async (body: object) =>
    (await bot.calls('POST', '/v1/messages', body)).headers['ratelimit-remaining'];
  assert.equal(await remaining({}), '59');
  await world.app.inject({
    method: 'POST',
    url: '/v1/messages',
    headers: { authorization: 'Bearer x' },
    payload: {},
  });
  await bot.mayOnly(['groups:manage']);
  assert.equal(await remaining({}), undefined);
  await bot.mayOnly(['messages:send']);
  assert.equal(await remaining(MESSAGE), '58');
  await bot.regeneratesKey();
  assert.equal(await remaining(MESSAGE), '57');
});

test('an unknown route and a known path with another method are 404 in the envelope, credential or not', async () => {
  await using world = await createWorld();
  for (const [method, url] of [
    ['GET', '/v1/nothing'],
    ['GET', '/v1/messages'],
    ['PUT', '/v1/messages'],
  ] as const) {
    const answer = await world.app.inject({ method, url });
    assert.equal(answer.statusCode, 404);
    assert.deepEqual(answer.json(), failure('not-found', `there is no ${method} ${url}`));
  }
});
