import assert from 'node:assert/strict';
import { test } from 'node:test';
import { say } from '#contract/reasons.ts';
import { failure } from '#testing/answers.ts';
import { createTinyApp, type TinyAppOptions } from '#testing/tiny-app.ts';
import { ApiError, invalidArgument } from '../errors.ts';

/** The response of a failing route, and its log lines. */
async function fails(routes: TinyAppOptions['routes']) {
  await using tiny = createTinyApp({ ...(routes && { routes }) });
  const { statusCode, headers, ...answer } = await tiny.app.inject({ url: '/fails' });
  assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  assert.match(String(headers['x-request-id']), /^req_/);
  return { status: statusCode, body: answer.json(), headers, logged: tiny.logged };
}

function throws(cause: unknown): TinyAppOptions['routes'] {
  return (app) =>
    app.get('/fails', async () => {
      throw cause;
    });
}

test('an error meant for the caller keeps its status, code, message and headers', async () => {
  const known = new ApiError(409, 'already-exists', say('bot.username-taken'), { 'retry-after': '7' });
  const { status, body, headers, logged } = await fails(throws(known));
  assert.deepEqual([status, body], [409, failure('already-exists', 'username is taken')]);
  assert.equal(headers['retry-after'], '7');
  assert.deepEqual(logged, []);
});

test('an unexpected error is 500, shows only the request ID, and is logged with it', async () => {
  const secret = 'secret-of-the-house';
  for (const cause of [
    new Error(secret),
    new TypeError(secret),
    secret,
    { code: secret },
    null,
    undefined,
    42,
  ]) {
    const { status, body, headers, logged } = await fails(throws(cause));
    const id = headers['x-request-id'];
    const message = `unexpected error; quote request id ${id} when you report it`;
    assert.deepEqual([status, body], [500, failure('INTERNAL_ERROR', message)]);
    assert.doesNotMatch(JSON.stringify([body, headers]), /secret-of-the-house|at .*\.ts/);
    assert.equal(logged.length, 1);
    const { requestId, method, route } = logged[0] ?? {};
    assert.deepEqual({ requestId, method, route }, { requestId: id, method: 'GET', route: '/fails' });
  }
});

test('an unreachable database, or a transaction that gave way to another, is 503 with Retry-After and without details', async () => {
  for (const code of [
    'ECONNREFUSED',
    'CONNECTION_CLOSED',
    'CONNECT_TIMEOUT',
    '57P03',
    '53100',
    '53300',
    '25006',
    '55P03',
    '57P01',
    '08006',
    '40001',
    '40P01',
  ]) {
    const away = Object.assign(new Error('connect 10.0.0.5:5432 failed'), { code });
    const { status, body, headers, logged } = await fails(throws(away));
    const message = 'the service is busy or its database is unavailable; try again';
    assert.deepEqual([status, body], [503, failure('INTERNAL_ERROR', message)], code);
    assert.equal(headers['retry-after'], '1');
    assert.equal(logged.length, 1);
    const { level, requestId, method, route, msg } = logged[0] ?? {};
    assert.deepEqual(
      { level, requestId, method, route, msg },
      { level: 40, requestId: headers['x-request-id'], method: 'GET', route: '/fails', msg: message },
    );
  }
});

test('an error thrown by a hook is answered in the same way', async () => {
  const { status, body } = await fails((app) =>
    app.get(
      '/fails',
      { preHandler: () => Promise.reject(invalidArgument('x', 'not-valid')) },
      async () => ({}),
    ),
  );
  assert.deepEqual([status, body], [400, failure('invalid-argument', 'x is not valid')]);
});

test('an error quotes only the beginning of a name that the caller chose', async () => {
  await using tiny = createTinyApp();
  const name = '\u{1F98A}'.repeat(3_500);
  const payload = JSON.stringify({ [name]: '\0' });
  const answers = [
    await tiny.app.inject({
      method: 'POST',
      url: '/echo',
      headers: { 'content-type': 'application/json' },
      payload,
    }),
    await tiny.app.inject(`/${'x'.repeat(10_000)}`),
  ];
  const messages = answers.map((answer) => answer.json().message);
  assert.deepEqual(messages, [
    `${'\u{1F98A}'.repeat(50)}… contains a NUL character`,
    `there is no GET /${'x'.repeat(99)}…`,
  ]);
});
