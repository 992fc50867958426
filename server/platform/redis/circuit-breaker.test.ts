import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Redis as Client } from 'ioredis';
import { pino } from 'pino';
import { startRedis } from '#testing/redis.ts';
import { eventually } from '#testing/waits.ts';
import { ApiError } from '../errors.ts';
import { connectRedis } from '../redis.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';

test('a refused call names Redis, so that the log does not blame the database', async () => {
  using breaker = createCircuitBreaker({
    ask: () => new Promise(() => undefined),
    onChange: () => undefined,
  });
  await assert.rejects(
    breaker.wait(() => Promise.reject(new Error('ECONNRESET'))),
    /ECONNRESET/,
  );
  await assert.rejects(
    breaker.wait(async () => 'PONG'),
    (error) => {
      assert.ok(error instanceof ApiError);
      assert.equal(error.status, 503);
      assert.equal((error.cause as Error).message, 'Redis does not answer');
      return true;
    },
  );
});

test('a Redis that answers but refuses writes is skipped until it takes them, and the log says why once', async () => {
  await using server = await startRedis();
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => lines.push(JSON.parse(line)) });
  await using redis = await connectRedis({ urls: [server.url], log });
  const operator = new Client(server.url);
  try {
    await operator.replicaof('127.0.0.1', '1');
    await assert.rejects(
      redis.run({ name: 'write', lua: `return redis.call('SET', KEYS[1], '')` }, ['key'], []),
    );
    const probes = async () =>
      /cmdstat_set:calls=\d+.*rejected_calls=(\d+)/.exec(await operator.info('commandstats'))?.[1];
    await eventually(async () => Number(await probes()) >= 3);
    assert.equal(redis.isAnswering, false);
    await operator.replicaof('NO', 'ONE');
    await eventually(() => redis.isAnswering);
  } finally {
    operator.disconnect();
  }
  assert.equal(lines.length, 2);
  const [refused] = lines as unknown as { msg: string; err: { message: string } }[];
  assert.match(refused?.msg ?? '', /^Redis does not answer/);
  assert.match(refused?.err.message ?? '', /^READONLY/);
});

test('the log says once why Redis cannot be connected to', async () => {
  await using server = await startRedis();
  const lines: { msg: string; err?: Error }[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => lines.push(JSON.parse(line)) });
  await using redis = await connectRedis({ urls: [server.url], log });
  await server.kill();
  await eventually(() => lines.length > 0);
  await server.startAgain();
  const ping = () => redis.run({ name: 'answer', lua: 'return 1' }, ['key'], []).catch(() => undefined);
  await eventually(ping);
  const reasons = lines.filter(({ msg }) => msg === 'the connection to Redis failed');
  assert.match(reasons.map(({ err }) => err?.message).join('; '), /^connect ECONNREFUSED [^;]*$/);
});
