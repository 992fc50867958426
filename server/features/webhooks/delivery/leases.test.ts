import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { BUCKETS } from '#platform/ids.ts';
import { systemRandom } from '#platform/random.ts';
import { connectRedis, type Redis } from '#platform/redis.ts';
import { startRedis } from '#testing/redis.ts';
import { findBusy, Leases, PARTS, partOf } from './leases.ts';

const APP = 'app_00000000000000000000000a';

async function redisFor(t: TestContext): Promise<Redis> {
  const server = await startRedis();
  t.after(() => server[Symbol.asyncDispose]());
  const redis = await connectRedis({ urls: [server.url], log: pino({ level: 'silent' }) });
  t.after(() => redis[Symbol.asyncDispose]());
  return redis;
}

function workerOf(redis: Redis, workerId = systemRandom.bytes(4).readUInt32BE()): Leases {
  return new Leases({ redis, clock: { now: () => 0 }, workerId });
}

function partsOf(workers: Leases[]): number[] {
  return workers.map((worker) => worker.ranges().reduce((sum, { from, to }) => sum + to - from, 0));
}

async function renewAll(workers: Leases[], times = 3): Promise<void> {
  for (let i = 0; i < times; i++) for (const worker of workers) await worker.renew([]);
}

test('workers share the applications evenly, and each application has one worker', async (t) => {
  const redis = await redisFor(t);
  const [one, two, three] = [workerOf(redis), workerOf(redis), workerOf(redis)];
  assert.equal(await one.renew([]), false, 'another one may have leases that Redis has just forgotten');
  assert.equal(await one.renew([]), true);
  assert.deepEqual(one.ranges(), [{ from: 0, to: BUCKETS }]);
  await renewAll([one, two, three]);
  const shares = partsOf([one, two, three]);
  assert.equal((shares[0] as number) + (shares[1] as number) + (shares[2] as number), BUCKETS);
  for (const share of shares) assert.ok(Math.abs(share - BUCKETS / 3) <= BUCKETS / PARTS, String(shares));
  assert.equal([one, two, three].filter((worker) => worker.owns(APP)).length, 1);

  await two.leave();
  await renewAll([one, three]);
  assert.deepEqual(partsOf([one, three]), [BUCKETS / 2, BUCKETS / 2]);
});

test('applications move to another worker once none of their attempts is in progress', async (t) => {
  const redis = await redisFor(t);
  const one = workerOf(redis);
  await renewAll([one]);
  const others = Array.from({ length: 7 }, () => workerOf(redis));
  for (let i = 0; i < 3; i++) {
    for (const other of others) await other.renew([]);
    await one.renew([APP]);
  }
  const receivers = () => [one, ...others].filter((worker) => worker.owns(APP));
  // Whose turn it is depends on the names of the workers, which are random.
  if (!one.owns(APP)) assert.deepEqual(receivers(), [], 'nobody sends for it meanwhile');
  assert.deepEqual(await findBusy(redis), [APP]);
  await renewAll([one, ...others]);
  assert.equal(receivers().length, 1);
  assert.deepEqual(await findBusy(redis), []);
});

test('a worker without heartbeats is replaced', async (t) => {
  const redis = await redisFor(t);
  const [dead, heir] = [workerOf(redis), workerOf(redis)];
  await renewAll([dead, heir]);
  assert.deepEqual(partsOf([dead, heir]), [BUCKETS / 2, BUCKETS / 2]);
  // As if its lease had expired.
  const forget = { name: 'testForget', lua: "redis.call('HDEL', KEYS[1], ARGV[1])" };
  const keys = ['parley:{0}:delivery:workers'];
  const names = { name: 'testNames', lua: "return redis.call('HKEYS', KEYS[1])" };
  for (const name of (await redis.run(names, keys, [])) as string[]) await redis.run(forget, keys, [name]);
  assert.equal(await heir.renew([]), true);
  assert.deepEqual(heir.ranges(), [{ from: 0, to: BUCKETS }]);
});

test('a worker that alone cannot reach Redis gives its applications up, until it can again', async (t) => {
  const redis = await redisFor(t);
  const [one, other] = [workerOf(redis, 1), workerOf(redis, 2)];
  await renewAll([one, other]);
  const compare = () => {
    const renewals = new Map([one, other].map((worker, i) => [i + 1, worker.renewals]));
    for (const worker of [one, other]) worker.compare(renewals);
    return partsOf([one, other]);
  };
  const half = BUCKETS / 2;
  for (let i = 0; i < 5; i++) assert.deepEqual(compare(), [half, half], 'nobody has reached it');
  for (const parts of [half, half, 0]) {
    await other.renew([]);
    assert.deepEqual(compare(), [parts, half]);
  }
  await renewAll([one, other]);
  for (let i = 0; i < 5; i++) {
    await renewAll([one, other], 1);
    assert.deepEqual(compare(), [half, half]);
  }
});

test('a worker that stood still sends nothing until it has renewed its leases, even if an answer arrives late', async (t) => {
  const redis = await redisFor(t);
  let now = 0;
  const one = new Leases({ redis, clock: { now: () => now }, workerId: 1 });
  await renewAll([one]);
  now = 7_000;
  assert.ok(one.owns(APP));
  const late = one.renew([]);
  now = 30_000;
  await late;
  assert.deepEqual([one.owns(APP), one.ranges()], [false, []], 'another one has taken them over');
  await one.renew([]);
  assert.deepEqual([one.owns(APP), one.ranges()], [true, [{ from: 0, to: BUCKETS }]]);
});

test('while Redis is unavailable every worker keeps its applications', async (t) => {
  const redis = await redisFor(t);
  const [one, other] = [workerOf(redis), workerOf(redis)];
  await renewAll([one, other]);
  const before = [one, other].map((worker) => worker.ranges());
  await redis[Symbol.asyncDispose]();
  for (const worker of [one, other]) assert.equal(await worker.renew([APP]), false);
  assert.deepEqual(
    [one, other].map((worker) => worker.ranges()),
    before,
  );
  assert.ok(partOf(APP) < PARTS);
});
