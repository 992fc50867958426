import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createTinyApp } from '#testing/tiny-app.ts';
import { demandUniqueKeys, findRepeatedKey } from './unique-keys.ts';

test('a duplicate key is found at any depth and in any spelling', () => {
  assert.equal(findRepeatedKey('{"a":1,"a":1}'), 'a');
  assert.equal(findRepeatedKey('{"a":1,"\\u0061":1}'), 'a');
  assert.equal(findRepeatedKey('[{"b":{"c":[{"d":1,"d":2}]}}]'), 'd');
  assert.equal(findRepeatedKey('{"\\"":1,"x":":","\\"":2}'), '"');
  assert.equal(findRepeatedKey('{"":1,"":2}'), '');
});

test('the output of JSON.stringify has no duplicate keys', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.equal(findRepeatedKey(JSON.stringify(value)), undefined);
    }),
  );
  assert.equal(findRepeatedKey('{"a":{"b":1},"c":{"b":":{}"},"b":"\\\\"}'), undefined);
});

test('routes that demand it refuse a duplicate key, and read everything else', async () => {
  await using tiny = createTinyApp({
    routes: (app) => {
      app.register(async (routes) => {
        demandUniqueKeys(routes);
        routes.post('/unique', async ({ body }) => ({ body }));
      });
    },
  });
  const post = async (payload: string) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await tiny.app.inject({ method: 'POST', url: '/unique', payload, headers });
    return [answer.statusCode, answer.json().message ?? answer.json().body];
  };
  assert.deepEqual(await post('{"a":1,"b":{"a":1}}'), [200, { a: 1, b: { a: 1 } }]);
  assert.deepEqual(await post('{"a":1,"a":1}'), [400, 'a is given more than once']);
  assert.deepEqual(await post('{"a":1,"":1,"":2}'), [400, ' is given more than once']);
  assert.equal((await post('{'))[0], 400);
});
