import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Redis } from 'ioredis';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { startRedis, startRedisCluster } from '#testing/redis.ts';
import { checkServices } from './network.ts';

async function check(urls: readonly string[]): Promise<string | undefined> {
  const config = readConfig({ REDIS_URL: urls.join(',') });
  const findings = await checkServices({ config, clock: systemClock });
  return findings.find(({ check }) => check === 'Redis')?.what;
}

test('a Redis that answers and takes no writes is a fault', async () => {
  await using server = await startRedis();
  assert.equal(await check([server.url]), 'answers');
  const client = new Redis(server.url);
  await client.config('SET', 'maxmemory', '1');
  client.disconnect();
  assert.match(
    (await check([server.url])) ?? '',
    /^no answer from 127\.0\.0\.1:\d+ \(OOM command not allowed/,
  );
});

test('a Redis that takes connections and never answers is a fault', async () => {
  await using server = await startRedis();
  server.freeze();
  assert.match((await check([server.url])) ?? '', /^no answer from 127\.0\.0\.1:\d+ \(Command timed out\)$/);
});

test('every node of a cluster is asked', async () => {
  await using cluster = await startRedisCluster();
  assert.equal(await check(cluster.urls), 'answers');
});
