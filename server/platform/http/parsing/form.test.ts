import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createTinyApp } from '#testing/tiny-app.ts';
import { acceptForms, findUrlFault, parseStrictForm, parseStrictQuery, toAscii } from './form.ts';

function read(body: string | Buffer): Record<string, string> {
  return { ...parseStrictForm(Buffer.from(body as string)) };
}

function refuses(work: () => unknown, message: string): void {
  assert.throws(work, { status: 400, code: 'invalid-argument', message });
}

test('fields are read as browsers write them', () => {
  assert.deepEqual(read(''), {});
  assert.deepEqual(read('a=1&b=&c&=d&&e=f=g'), { a: '1', b: '', c: '', '': 'd', e: 'f=g' });
  assert.deepEqual(read('name=Ada+Lovelace&sign=%2B%26%3D%25&fox=%F0%9F%A6%8A&raw=é'), {
    name: 'Ada Lovelace',
    sign: '+&=%',
    fox: '🦊',
    raw: 'é',
  });
  assert.deepEqual(read('\ufeffa=1'), { '\ufeffa': '1' }, 'a byte order mark is not left out');
});

test('the output of URLSearchParams is read back unchanged', () => {
  const text = fc
    .string({ unit: 'grapheme' })
    .filter((value) => value.isWellFormed() && !value.includes('\0'));
  fc.assert(
    fc.property(fc.dictionary(text, text), (fields) => {
      assert.deepEqual(read(new URLSearchParams(fields).toString()), { ...fields });
    }),
  );
});

test('a duplicate field is refused, whatever its name and encoding', () => {
  refuses(() => read('code=1&x=2&code=3'), 'code is given more than once');
  refuses(() => read('a=&a='), 'a is given more than once');
  refuses(() => read('a&%61=1'), 'a is given more than once');
  refuses(() => read('__proto__=1&__proto__=2'), '__proto__ is given more than once');
  assert.deepEqual(Object.keys(parseStrictForm(Buffer.from('__proto__=1&constructor=2'))), [
    '__proto__',
    'constructor',
  ]);
});

test('invalid UTF-8, invalid percent-encoding and NUL are refused', () => {
  for (const broken of ['%', '%4', '%zz', '%ff', '%c0%af', '%ed%a0%80', 'x%']) {
    refuses(() => read(`f=${broken}`), 'f is not percent-encoded UTF-8');
    refuses(() => read(`${broken}=1`), 'body is not percent-encoded UTF-8');
  }
  refuses(() => read(Buffer.from([0x66, 0x3d, 0xff])), 'body is not valid UTF-8');
  for (const nul of ['%00', '\0']) {
    refuses(() => read(`f=a${nul}b`), 'f contains a NUL character');
    refuses(() => read(`f${nul}=1`), 'body contains a NUL character');
  }
});

test('query strings are read in the same way', () => {
  assert.deepEqual({ ...parseStrictQuery('/oauth/authorize') }, {});
  assert.deepEqual(
    { ...parseStrictQuery('/oauth/authorize?state=%26%23%22%3C%25&x=?') },
    { state: '&#"<%', x: '?' },
  );
  refuses(() => parseStrictQuery('/a?state=%00'), 'state contains a NUL character');
  refuses(() => parseStrictQuery('/a?state=%ff'), 'state is not percent-encoded UTF-8');
  refuses(() => parseStrictQuery('/a?b=1&b=1'), 'b is given more than once');
});

test('a URL is refused for its path or its query, whichever is malformed', () => {
  for (const url of ['/a', '/a?b=c', '/a%20b?c=%20', '/é?é=%c3%a9', '/a?%41=+'].map((text) =>
    Buffer.from(text).toString('latin1'),
  ))
    assert.equal(findUrlFault(url), undefined, url);
  for (const [url, message] of [
    ['/%ff?a=1', 'path is not percent-encoded UTF-8'],
    ['/\u00ff', 'path is not percent-encoded UTF-8'],
    ['/a%00?a=1', 'path contains a NUL character'],
    ['/a?b=%ff', 'b is not percent-encoded UTF-8'],
    ['/a?%00', 'query contains a NUL character'],
    ['/a\0', 'path contains a NUL character'],
  ] as const)
    assert.equal(findUrlFault(url)?.message, message, url);
});

test('bytes of a URL that are not percent-encoded are read as UTF-8', () => {
  const url = Buffer.from('/a?state=é🦊').toString('latin1');
  assert.equal(toAscii(url), '/a?state=%c3%a9%f0%9f%a6%8a');
  assert.deepEqual({ ...parseStrictQuery(url) }, { state: 'é🦊' });
  refuses(() => parseStrictQuery('/a?state=\u00ff'), 'state is not percent-encoded UTF-8');
});

test('100 fields are accepted, more are refused before they are read', () => {
  const fields = (count: number) => Array.from({ length: count }, (_, i) => `f${i}=%41`).join('&');
  assert.equal(Object.keys(parseStrictForm(Buffer.from(fields(100)))).length, 100);
  for (const text of [fields(101), fields(200_000), '&'.repeat(1_000_000)])
    refuses(() => parseStrictForm(Buffer.from(text)), 'body has more than 100 fields');
  refuses(() => parseStrictQuery(`/a?${fields(101)}`), 'query has more than 100 fields');
});

test('routes that accept forms take UTF-8 only, and still accept JSON', async () => {
  await using tiny = createTinyApp({
    routes: (app) => {
      app.register(async (routes) => {
        acceptForms(routes);
        routes.post('/form', async ({ body }) => ({ body }));
      });
    },
  });
  const post = async (type: string, payload: string, more: Record<string, string> = {}, url = '/form') => {
    const answer = await tiny.app.inject({
      method: 'POST',
      url,
      payload,
      headers: { 'content-type': type, ...more },
    });
    return [answer.statusCode, answer.json().message ?? answer.json().body];
  };
  const form = 'application/x-www-form-urlencoded';
  assert.deepEqual(await post(form, 'a=1&b=%26'), [200, { a: '1', b: '&' }]);
  assert.deepEqual(await post('application/X-WWW-Form-Urlencoded; charset="UTF-8"', 'a=1'), [
    200,
    { a: '1' },
  ]);
  assert.deepEqual(await post('application/json', '{"a":"1"}'), [200, { a: '1' }]);
  assert.deepEqual(await post(form, 'a=1&a=2'), [400, 'a is given more than once']);
  const notUtf8 = 'Content-Type must be application/x-www-form-urlencoded in UTF-8';
  assert.deepEqual(await post(`${form}; charset=latin1`, 'a=1'), [415, notUtf8]);
  assert.deepEqual(await post(form, 'a=1', { 'content-encoding': 'identity' }), [200, { a: '1' }]);
  assert.deepEqual(await post(form, 'a=1', { 'content-encoding': 'gzip' }), [
    415,
    'Content-Encoding is not supported: send the body unencoded',
  ]);
  const jsonOnly = 'Content-Type must be application/json in UTF-8';
  assert.deepEqual(await post('multipart/form-data; boundary=x', 'a=1'), [415, jsonOnly]);
  assert.deepEqual(await post(form, 'a=1', {}, '/echo'), [415, jsonOnly]);
});
