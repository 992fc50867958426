import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { TestClock } from '#testing/platform.ts';
import { startRedis, startRedisCluster, type TestRedis } from '#testing/redis.ts';
import { eventually } from '#testing/waits.ts';
import { systemClock } from './clock.ts';
import { createLog } from './log.ts';
import { openWindow } from './rate-limits.ts';
import { connectRedis, type Redis } from './redis.ts';

const log = createLog('silent');
const windowMs = 60_000;

/** Separate connections, as of several processes. */
async function connect(urls: readonly string[], count: number, into: AsyncDisposableStack): Promise<Redis[]> {
  const connections = await Promise.all(Array.from({ length: count }, () => connectRedis({ urls, log })));
  for (const connection of connections) into.use(connection);
  return connections;
}

async function countAllowed(connections: Redis[], hits: number, limit: number): Promise<number> {
  const windows = connections.map((redis) => openWindow({ clock: systemClock, redis }, 'test', { windowMs }));
  const all = Array.from({ length: hits }, (_, i) => windows[i % windows.length]?.hit('key', limit));
  return (await Promise.all(all)).filter((state) => state?.allowed).length;
}

async function withRedis(
  count: number,
  act: (connections: Redis[], server: TestRedis) => Promise<void>,
): Promise<void> {
  await using server = await startRedis();
  await using opened = new AsyncDisposableStack();
  await act(await connect([server.url], count, opened), server);
}

test('of 1,000 concurrent hits over 4 connections with a limit of 60, 60 pass', () =>
  withRedis(4, async (connections) => {
    assert.equal(await countAllowed(connections, 1000, 60), 60);
  }));

test('the same on a Redis Cluster, with keys on every shard', async () => {
  await using cluster = await startRedisCluster();
  await using opened = new AsyncDisposableStack();
  const [first = '', ...others] = cluster.urls;
  assert.equal(others.length, 2);
  // One address is enough: the cluster names the others.
  const connections = await connect([first], 4, opened);
  assert.equal(await countAllowed(connections, 1000, 60), 60);
  const window = openWindow({ clock: systemClock, redis: connections[0] }, 'spread', { windowMs });
  const states = await Promise.all(Array.from({ length: 200 }, (_, i) => window.hit(`key ${i}`, 1)));
  assert.ok(states.every(({ allowed }) => allowed));
  const again = await Promise.all(Array.from({ length: 200 }, (_, i) => window.hit(`key ${i}`, 1)));
  assert.ok(again.every(({ allowed }) => !allowed));
});

test('windows in Redis behave like those in memory', () =>
  withRedis(1, async ([redis]) => {
    // It stands still, so that `resetAt` tells how long Redis keeps the window.
    const clock = new TestClock();
    const window = openWindow({ clock, redis }, 'rules', { windowMs });
    const first = await window.hit('key', 2);
    assert.deepEqual(first, { allowed: true, remaining: 1, resetAt: clock.now() + windowMs });
    await pause(20);
    const second = await window.hit('key', 2);
    assert.deepEqual({ ...second, resetAt: 0 }, { allowed: true, remaining: 0, resetAt: 0 });
    assert.ok(second.resetAt < first.resetAt, 'the window began with the first hit');
    const refused = await window.hit('key', 2);
    assert.deepEqual({ ...refused, resetAt: 0 }, { allowed: false, remaining: 0, resetAt: 0 });
    await window.undo('key');
    assert.equal((await window.hit('key', 2)).allowed, true, 'one was taken back');
    assert.equal((await window.hit('key', 2)).allowed, false);
    assert.equal((await window.hit('key', 5)).remaining, 2, 'a raised limit counts in the same window');
    const short = openWindow({ clock, redis }, 'short', { windowMs: 50 });
    await short.hit('key', 2);
    await eventually(async () => (await short.hit('key', 2)).remaining === 0);
    await eventually(async () => (await short.hit('key', 2)).remaining === 1);
    assert.equal((await window.hit('nothing', 0)).allowed, false);
  }));

test('while Redis is unreachable each process counts separately, and shares again when it is back', () =>
  withRedis(2, async (connections, server) => {
    const [one, two] = connections as [Redis, Redis];
    const open = (redis: Redis) => openWindow({ clock: systemClock, redis }, 'away', { windowMs });
    const [first, second] = [open(one), open(two)];
    assert.equal((await first.hit('key', 1)).allowed, true);
    assert.equal((await second.hit('key', 1)).allowed, false);
    await server.kill();
    assert.equal((await first.hit('key', 1)).allowed, true, 'its own count begins');
    assert.equal((await first.hit('key', 1)).allowed, false, 'and holds');
    await first.undo('key');
    assert.equal((await first.hit('key', 1)).allowed, true, 'one was taken back');
    assert.equal((await second.hit('key', 1)).allowed, true);
    await server.startAgain();
    await eventually(() => one.isAnswering && two.isAnswering);
    assert.equal((await first.hit('other', 1)).allowed, true);
    assert.equal((await second.hit('other', 1)).allowed, false);
  }));

test('a hanging Redis is abandoned, and then not waited for again', () =>
  withRedis(1, async ([redis], server) => {
    const window = openWindow({ clock: systemClock, redis }, 'hangs', { windowMs });
    await window.hit('key', 10);
    server.freeze();
    assert.equal((await window.hit('key', 10)).allowed, true);
    assert.equal(redis?.isAnswering, false, 'the next one is counted here');
    await window.hit('key', 10);
    server.thaw();
    await eventually(() => redis?.isAnswering);
    assert.equal((await window.hit('key', 10)).allowed, true);
  }));

test('an unreachable Redis is reported', async () => {
  await assert.rejects(
    connectRedis({ urls: ['redis://127.0.0.1:1'], log, waitTimeoutMs: 500 }),
    /^Error: the Redis of REDIS_URL cannot be reached: connect ECONNREFUSED /,
  );
});
