import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { InjectOptions } from 'fastify';
import { createTinyApp } from '#testing/tiny-app.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

async function ask(options: InjectOptions, tiny = createTinyApp()) {
  await using _closing = tiny;
  const answer = await tiny.app.inject({ method: 'POST', url: '/echo', ...options } as InjectOptions);
  assert.match(String(answer.headers['x-request-id']), /^req_/);
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
}

function invalid(message: string, status = 400) {
  return { status, body: { status: 'error', code: 'invalid-argument', message } };
}

async function refused(options: InjectOptions, tiny?: ReturnType<typeof createTinyApp>) {
  const { status, body } = await ask(options, tiny);
  return { status, body };
}

test('a JSON body comes through as it is, however its type is spelled', async () => {
  const sent = { a: [1, 'é', null, true], b: { c: '😀' } };
  const types = [
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json ;',
  ];
  for (const method of ['POST', 'PATCH', 'DELETE'] as const) {
    for (const type of types) {
      const { status, body } = await ask({
        method,
        headers: { 'content-type': type },
        payload: JSON.stringify(sent),
      });
      assert.deepEqual([status, body], [200, { body: sent }], `${method} ${type}`);
    }
  }
});

test('every answer tells browsers to be strict', async () => {
  const { headers } = await ask({ method: 'GET' });
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'");
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
  assert.equal(headers['strict-transport-security'], undefined);
});

test('HSTS is said over https only', async () => {
  const tiny = createTinyApp({ environment: { PUBLIC_URL: 'https://chat.example.com' } });
  const { headers } = await ask({ method: 'GET' }, tiny);
  assert.equal(headers['strict-transport-security'], 'max-age=63072000; includeSubDomains');
});

test('request ids are our own and differ', async () => {
  const tiny = createTinyApp();
  await using _closing = tiny;
  const headers = { 'x-request-id': 'chosen-by-the-caller', 'request-id': 'chosen-by-the-caller' };
  const answers = await Promise.all([1, 2].map(() => tiny.app.inject({ url: '/echo', headers })));
  const ids = answers.map((answer) => answer.headers['x-request-id']);
  assert.match(String(ids[0]), /^req_[0-9a-hjkmnp-tv-z]{24}$/);
  assert.notEqual(ids[0], ids[1]);
});

test('GET needs no body and no content type', async () => {
  assert.deepEqual(await refused({ method: 'GET' }), { status: 200, body: {} });
  assert.deepEqual(await refused({ method: 'GET', headers: JSON_TYPE }), { status: 200, body: {} });
});

test('a POST without a body reaches a route that needs none, and is named missing where one is needed', async () => {
  assert.deepEqual(await refused({}), { status: 200, body: {} });
  assert.deepEqual(await refused({ url: '/typed' }), invalid('body must be a JSON object'));
  assert.deepEqual(await refused({ headers: JSON_TYPE, payload: '' }), invalid('body is missing'));
});

test('a wrong or missing content type of a body is 415', async () => {
  const types = [
    undefined,
    '',
    'text/plain',
    'text/json',
    'application/json5',
    'application/problem+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'nonsense',
    'application/json, text/plain',
    'application/json; boundary=x',
  ];
  for (const type of types) {
    const { status, body } = await ask({
      headers: { ...(type !== undefined && { 'content-type': type }) },
      payload: Buffer.from('{}'),
    });
    assert.deepEqual([status, body.code], [415, 'invalid-argument'], type);
  }
});

test('a charset other than UTF-8 is 415', async () => {
  for (const charset of ['latin1', 'utf-16', 'utf-7', '"utf-8', 'utf-8; charset=latin1']) {
    const { status, body } = await ask({
      headers: { 'content-type': `application/json; charset=${charset}` },
      payload: '{}',
    });
    assert.deepEqual([status, body.code], [415, 'invalid-argument'], charset);
  }
});

test('a content encoding is 415', async () => {
  for (const encoding of ['gzip', 'deflate', 'br', 'gzip, identity']) {
    assert.deepEqual(
      await refused({ headers: { ...JSON_TYPE, 'content-encoding': encoding }, payload: '{}' }),
      invalid('Content-Encoding is not supported: send the body as it is', 415),
    );
  }
  assert.equal(
    (await ask({ headers: { ...JSON_TYPE, 'content-encoding': 'identity' }, payload: '{}' })).status,
    200,
  );
});

function bodyOf(bytes: number): string {
  return `{"a":"${'x'.repeat(bytes - 8)}"}`;
}

test('256 KiB pass, one byte more is 413', async () => {
  assert.equal((await ask({ headers: JSON_TYPE, payload: bodyOf(256 * 1024) })).status, 200);
  assert.deepEqual(
    await refused({ headers: JSON_TYPE, payload: bodyOf(256 * 1024 + 1) }),
    invalid('body is too large', 413),
  );
});

test('256 KiB pass in chunks too, one byte more is 413', async () => {
  const chunked = (bytes: number) => {
    const body = Buffer.from(bodyOf(bytes));
    return Readable.from([body.subarray(0, 1000), body.subarray(1000)]);
  };
  const headers = { ...JSON_TYPE, 'transfer-encoding': 'chunked' };
  assert.equal((await ask({ headers, payload: chunked(256 * 1024) })).status, 200);
  assert.deepEqual(
    await refused({ headers, payload: chunked(256 * 1024 + 1) }),
    invalid('body is too large', 413),
  );
});

test('a body that is not what strict JSON allows is 400', async () => {
  assert.deepEqual(await refused({ headers: JSON_TYPE, payload: '{' }), invalid('body is not valid JSON'));
  assert.deepEqual(
    await refused({ headers: JSON_TYPE, payload: '{"a":1e400}' }),
    invalid('a is a number that is too large'),
  );
});

test('nothing is coerced, and the fault names the field', async () => {
  const faults: [body: unknown, message: string][] = [
    [[], 'body must be a JSON object'],
    ['text', 'body must be a JSON object'],
    [null, 'body must be a JSON object'],
    [{}, 'text is required'],
    [{ text: null }, 'text must be string'],
    [{ text: 12 }, 'text must be string'],
    [{ text: true }, 'text must be string'],
    [{ text: ['x'] }, 'text must be string'],
    [{ text: '' }, 'text must have at least 1 characters'],
    [{ text: '😀😀😀😀😀😀' }, 'text must have at most 5 characters'],
    [{ text: 'x', count: '1' }, 'count must be integer'],
    [{ text: 'x', count: 1.5 }, 'count must be integer'],
    [{ text: 'x', count: true }, 'count must be integer'],
    [{ text: 'x', count: null }, 'count must be integer'],
    [{ text: 'x', count: -1 }, 'count must be >= 0'],
    [{ text: 'x', count: 10 }, 'count must be <= 9'],
    [{ text: 'x', isGood: 'true' }, 'isGood must be boolean'],
    [{ text: 'x', isGood: 1 }, 'isGood must be boolean'],
    [{ text: 'x', isGood: 0 }, 'isGood must be boolean'],
    [{ text: 'x', tags: 'one' }, 'tags must be array'],
    [{ text: 'x', tags: ['a', 1] }, 'tags.1 must be string'],
    [{ text: 'x', tags: ['a', 'b', 'c'] }, 'tags must have at most 2 entries'],
    [{ text: 'x', place: {} }, 'place.name is required'],
    [{ text: 'x', place: { name: 1 } }, 'place.name must be string'],
  ];
  for (const [body, message] of faults) {
    assert.deepEqual(
      await refused({ url: '/typed', headers: JSON_TYPE, payload: JSON.stringify(body) }),
      invalid(message),
      JSON.stringify(body),
    );
  }
});

test('boundaries pass: lengths are code points, unknown fields are ignored', async () => {
  const body = { text: '😀😀😀😀😀', count: 9, tags: ['', 'b'], somethingElse: { a: 1 } };
  const answer = await ask({ url: '/typed', headers: JSON_TYPE, payload: JSON.stringify(body) });
  assert.deepEqual([answer.status, answer.body], [200, { body }]);
});

test('unknown routes and methods are 404 in the envelope', async () => {
  for (const [method, url, path = url] of [
    ['GET', '/'],
    ['GET', '/nowhere?secret=1', '/nowhere'],
    ['POST', '/Echo'],
    ['POST', '/echo/'],
    ['PUT', '/echo'],
    ['OPTIONS', '/echo'],
    ['GET', '/typed'],
  ] as const) {
    assert.deepEqual(await refused({ method, url }), {
      status: 404,
      body: { status: 'error', code: 'not-found', message: `there is no ${method} ${path}` },
    });
  }
});

test('a 404 comes before the body is looked at', async () => {
  assert.equal((await ask({ url: '/nowhere', headers: JSON_TYPE, payload: '{' })).status, 404);
  assert.equal(
    (await ask({ url: '/nowhere', headers: { 'content-type': 'text/plain' }, payload: 'x' })).status,
    404,
  );
});

test('a URL that cannot be decoded is 400 in the envelope', async () => {
  for (const url of ['/%zz', '/echo%', '/%c3%28', '/%ff']) {
    assert.deepEqual(await refused({ method: 'GET', url }), invalid('the URL is not valid'), url);
  }
});

test('a path parameter that is too long is 404', async () => {
  const tiny = () => createTinyApp({ routes: (app) => app.get('/things/:id', async () => ({})) });
  assert.equal((await ask({ method: 'GET', url: `/things/${'x'.repeat(200)}` }, tiny())).status, 200);
  assert.equal((await ask({ method: 'GET', url: `/things/${'x'.repeat(201)}` }, tiny())).status, 404);
});
