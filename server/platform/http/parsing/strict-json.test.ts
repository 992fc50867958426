import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LIMITS } from '#contract/limits.ts';
import { ApiError } from '../../errors.ts';
import { parseStrictJson } from './strict-json.ts';

const parse = (text: string | Buffer, bodyLimit = LIMITS.bodyBytes) =>
  parseStrictJson(Buffer.from(text as string), { bodyLimit });

function refusal(body: string | Buffer, bodyLimit?: number): string {
  try {
    parse(body, bodyLimit);
  } catch (error) {
    assert.ok(error instanceof ApiError, `${error}`);
    assert.deepEqual([error.status, error.code], [400, 'invalid-argument']);
    return error.message;
  }
  assert.fail(`accepted ${body}`);
}

test('everything that is not refused is read as by JSON.parse', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      const plain = JSON.parse(text);
      try {
        assert.deepEqual(parse(text), plain);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
      }
    }),
    { numRuns: 1000 },
  );
});

test('text that is not JSON is refused', () => {
  for (const text of [
    '{',
    '{"a":1,}',
    "{'a':1}",
    'NaN',
    'undefined',
    '{"a":01}',
    '{} {}',
    '',
    ' ',
    '\u00a0{}',
  ]) {
    assert.equal(refusal(text), 'body is not valid JSON', text);
  }
});

test('invalid and overlong UTF-8 is refused, and so are surrogates encoded as such', () => {
  const sequences = [
    [0xff],
    [0xc3],
    [0x80],
    [0xc0, 0x80],
    [0xc0, 0xaf],
    [0xe0, 0x80, 0xaf],
    [0xf0, 0x80, 0x80, 0xaf],
    [0xed, 0xa0, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
  ];
  for (const bytes of sequences) {
    const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')]);
    assert.equal(refusal(body), 'body is not valid UTF-8', `${bytes}`);
  }
});

test('NUL characters are refused, in values and in names', () => {
  assert.equal(refusal('{"a":"x\\u0000y"}'), 'a contains a NUL character');
  assert.equal(refusal('{"a":{"b":["\\u0000"]}}'), 'a.b.0 contains a NUL character');
  assert.equal(refusal('{"a\\u0000":1}'), 'body contains a NUL character');
  assert.equal(refusal('"\\u0000"'), 'body contains a NUL character');
  assert.equal(refusal('{"a":"\0"}'), 'body is not valid JSON');
});

test('lone surrogates are refused, pairs are accepted', () => {
  for (const half of ['\\ud800', '\\udfff', '\\udc00\\ud800', '\\uD83D', 'x\\ud83dy']) {
    assert.equal(refusal(`{"a":"${half}"}`), 'a contains an unpaired surrogate', half);
    assert.equal(refusal(`{"${half}":1}`), 'body contains an unpaired surrogate', half);
  }
  assert.deepEqual(parse('{"a":"\\ud83d\\ude00"}'), { a: '😀' });
});

test('numbers that overflow or lose digits are refused', () => {
  for (const number of [
    '1e400',
    '-1e400',
    '1E+400',
    '9007199254740993',
    '-9007199254740993',
    '1e16',
    '1E+16',
    '9007200e9',
    '9007200.5E+9',
    '900720000e7',
    '9'.repeat(400),
  ]) {
    assert.equal(refusal(`{"a":${number}}`), 'a is a number that is too large', number);
  }
  for (const number of [9007199254740991, -9007199254740991, 1e-300, 0.1, 0, 1.5e10, 1234567890.1234567]) {
    assert.deepEqual(parse(`{"a":${JSON.stringify(number)}}`), { a: number });
  }
  for (const place of ['1e16', '[1e16]', '[0, 1e16]', '[0,\n1e16]', '{"a": 1e16}', '[\t-1e16]']) {
    assert.match(refusal(place), /is a number that is too large$/, place);
  }
});

test('32 levels of nesting are accepted, 33 and 30,000 are not', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  for (const make of [nested, objects]) {
    assert.ok(parse(make(32)));
    for (const levels of [33, 30_000]) {
      assert.equal(refusal(make(levels)), 'body is nested more than 32 levels deep', `${levels}`);
    }
  }
});

test('brackets side by side or in a string do not count as nesting', () => {
  for (const value of ['[]', '{}']) {
    const text = `[${Array(1000).fill(value)}]`;
    assert.deepEqual(parse(text, 1001 * 16), JSON.parse(text));
    assert.equal(refusal(text, 1000 * 16), 'body has more than 1000 values', 'an empty one is one value');
  }
  assert.ok(parse(JSON.stringify({ a: '{['.repeat(1000) })));
});

test('a body may have one value for each 16 bytes of the limit; it is refused before it is parsed', () => {
  const shapes = {
    objects: (values: number) => `[${Array(values - 1).fill('{}')}]`,
    numbers: (values: number) => `[${Array(values - 1).fill('1')}]`,
    fields: (values: number) => `{${Array.from({ length: values - 1 }, (_, i) => `"\\u0041${i}":0`)}}`,
  };
  for (const [shape, make] of Object.entries(shapes)) {
    assert.ok(parse(make(64), 64 * 16), shape);
    for (const values of [65, 200_000])
      assert.equal(refusal(make(values), 64 * 16), 'body has more than 64 values', shape);
  }
  assert.ok(parse(JSON.stringify({ content: '{,'.repeat(2048), quoted: '\\",'.repeat(2048) }), 64 * 16));
});

test('__proto__ and constructor.prototype are refused in every spelling', () => {
  for (const name of [
    '__proto__',
    '\\u005f_proto__',
    '__pro\\u0074o__',
    '\\u005F\\u005Fproto\\u005f\\u005f',
  ]) {
    for (const text of [`{"${name}":{"isAdmin":true}}`, `{"a":[{"b":{"${name}":1}}]}`, `{"${name}" :null}`]) {
      assert.equal(refusal(text), 'body is not valid JSON', text);
    }
  }
  assert.equal(refusal('{"constructor":{"prototype":{"isAdmin":true}}}'), 'body is not valid JSON');
  assert.equal(({} as { isAdmin?: boolean }).isAdmin, undefined);
  assert.deepEqual(parse('{"content":"__proto__"}'), { content: '__proto__' });
});

test('numbers that are only displayed may be large', () => {
  const raw = Buffer.from('{"a":12345678901234567890}');
  const read = parseStrictJson(raw, { bodyLimit: LIMITS.bodyBytes, takesLargeNumbers: true });
  assert.deepEqual(read, JSON.parse(raw.toString()));
  assert.equal(refusal(raw), 'a is a number that is too large');
  assert.equal(refusal('1e400'), 'body is a number that is too large');
});
