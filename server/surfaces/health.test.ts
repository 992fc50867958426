import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failure } from '#testing/answers.ts';
import { Connection } from '#testing/connection.ts';
import { createEmptyDatabase } from '#testing/database.ts';
import { createTestPlatform } from '#testing/platform.ts';
import { eventually } from '#testing/waits.ts';
import { createWorld } from '#testing/world.ts';
import { createHttp } from '../app.ts';

test('live and ready answer 200 without a credential', async () => {
  await using world = await createWorld();
  const { isDistributed, workers } = world.shards;
  for (const [url, found] of [
    ['/health/live', {}],
    ['/health/ready', isDistributed ? { database: { workers } } : {}],
  ] as const) {
    const answer = await world.app.inject({ url });
    assert.equal(answer.statusCode, 200);
    assert.deepEqual(answer.json(), { status: 'ok', ...found });
  }
});

test('ready is 503 in the envelope when the database is unreachable; live stays 200', async () => {
  await using world = await createWorld();
  await world.db.end({ timeout: 1 });
  const ready = await world.app.inject({ url: '/health/ready' });
  assert.equal(ready.statusCode, 503);
  assert.deepEqual(ready.json(), failure('INTERNAL_ERROR', 'the database does not answer'));
  assert.equal((await world.app.inject({ url: '/health/live' })).statusCode, 200);
});

test('ready names the hosts of the database that are away', async () => {
  const database = await createEmptyDatabase();
  await using platform = await createTestPlatform({}, { database });
  const [host] = platform.db.hosts;
  assert.ok(host);
  const hosts = [host, { ...host, name: 'other:5432', isUp: false }];
  const db = new Proxy(platform.db, {
    get: (target, name) => (name === 'hosts' ? hosts : Reflect.get(target, name)),
  });
  const app = await createHttp({ ...platform, db });
  const answer = await app.inject({ url: '/health/ready' });
  assert.deepEqual([answer.statusCode, answer.json()], [200, { status: 'ok', away: ['other:5432'] }]);
});

test('ready is 503 while the database is read-only, and is checked again after 5 s', async () => {
  const database = await createEmptyDatabase();
  await using platform = await createTestPlatform({}, { database });
  await using admin = new Connection(database.url);
  const app = await createHttp(platform);
  const ask = async () => {
    const answer = await app.inject({ url: '/health/ready' });
    return { status: answer.statusCode, message: answer.json().message };
  };
  const setReadOnly = (value: 'on' | 'off') =>
    admin.db.begin(async (tx) => {
      await tx`set transaction read write`;
      await tx.unsafe(
        `alter database ${new URL(database.url).pathname.slice(1)} set default_transaction_read_only = ${value}`,
      );
      await tx`
      select pg_terminate_backend(pid, 1000) from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;
    });
  assert.deepEqual(await ask(), { status: 200, message: undefined });
  await setReadOnly('on');
  // Writing was tried just now; connections that have ended are replaced.
  await eventually(async () => (await ask()).status === 200 || undefined);
  platform.clock.advance({ seconds: 5 });
  const readOnly = { status: 503, message: 'the database does not accept writes' };
  assert.deepEqual(await ask(), readOnly);
  await setReadOnly('off');
  await eventually(async () => (await ask()).message === readOnly.message || undefined);
  platform.clock.advance({ seconds: 5 });
  assert.deepEqual(await ask(), { status: 200, message: undefined });
});

test('while the database hangs, routes that do not need it still answer', async () => {
  await using platform = await createTestPlatform();
  const db = new Proxy(platform.db, {
    get: (target, name) => (name === 'isAnswering' ? false : Reflect.get(target, name)),
  });
  const app = await createHttp({ ...platform, db });
  for (const url of ['/health/live', '/openapi.json', '/docs/', '/docs/reference/messages']) {
    assert.equal((await app.inject({ url })).statusCode, 200, url);
  }
  for (const url of ['/health/ready', '/v1/me', '/oauth/authorize']) {
    const answer = await app.inject({ url });
    assert.equal(answer.statusCode, 503, url);
    assert.equal(answer.headers['retry-after'], '1', url);
  }
});
