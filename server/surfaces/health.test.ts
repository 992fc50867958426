import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld } from '#testing/world.ts';

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
