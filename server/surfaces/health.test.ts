import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestPlatform } from '#testing/platform.ts';
import { createWorld } from '#testing/world.ts';
import { createHttp } from './http.ts';

test('live and ready answer 200 without a credential', async () => {
  await using world = await createWorld();
  for (const url of ['/health/live', '/health/ready']) {
    const answer = await world.app.inject({ url });
    assert.equal(answer.statusCode, 200);
    assert.deepEqual(answer.json(), { status: 'ok' });
  }
});

test('ready is 503 in the envelope when the database is away; live stays 200', async () => {
  await using world = await createWorld();
  await world.db.end({ timeout: 1 });
  const ready = await world.app.inject({ url: '/health/ready' });
  assert.equal(ready.statusCode, 503);
  assert.deepEqual(ready.json(), {
    status: 'error',
    code: 'INTERNAL_ERROR',
    message: 'the database does not answer',
  });
  assert.equal((await world.app.inject({ url: '/health/live' })).statusCode, 200);
});

test('while the database hangs, what does not need it is still answered', async () => {
  await using platform = await createTestPlatform();
  const db = new Proxy(platform.db, {
    get: (target, name) => (name === 'isAnswering' ? false : Reflect.get(target, name)),
  });
  const app = await createHttp({ ...platform, db });
  for (const url of ['/health/live', '/openapi.json', '/docs/', '/docs/swagger/static/swagger-ui.css']) {
    assert.equal((await app.inject({ url })).statusCode, 200, url);
  }
  for (const url of ['/health/ready', '/v1/me', '/oauth/authorize']) {
    const answer = await app.inject({ url });
    assert.equal(answer.statusCode, 503, url);
    assert.equal(answer.headers['retry-after'], '1', url);
  }
});
