import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnOf } from '#testing/columns.ts';
import { TestClock } from '#testing/platform.ts';
import { FairQueue, type QueueGroups } from './fair-queue.ts';

/** A queue of one slot, and work that ends on command. */
function createScene({ maxWaiting = 100, atOnce = 1 } = {}) {
  const clock = new TestClock();
  const queue = new FairQueue(clock, { atOnce, maxWaiting, windowMs: 60_000 });
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const outcomes = new Map<string, unknown>();
  const asks = (name: string, ...asker: QueueGroups) => {
    void queue
      .run(asker, () => {
        started.push(name);
        return new Promise<void>((resolve) => ends.push(resolve));
      })
      .then(
        () => outcomes.set(name, 'done'),
        (error) => outcomes.set(name, error.status),
      );
  };
  /** Finishes the running work until none waits. */
  const drain = async () => {
    await settled();
    while (ends.length > 0) {
      ends.shift()?.();
      await settled();
    }
  };
  return { clock, queue, started, outcomes, asks, drain };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('no more than the limit run at once, and failed work frees its slot, too', async () => {
  const queue = new FairQueue(new TestClock(), { atOnce: 2, maxWaiting: 10, windowMs: 60_000 });
  let [running, most] = [0, 0];
  const work = async (i: number) => {
    most = Math.max(most, ++running);
    await settled();
    running--;
    if (i % 2) throw new Error('failed');
    return i;
  };
  const runs = await Promise.allSettled([0, 1, 2, 3, 4].map((i) => queue.run(['a'], () => work(i))));
  assert.equal(most, 2);
  assert.deepEqual(columnOf(runs, 'status'), ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled']);
});

test('callers with much recent use wait for those with little, and the next group decides between equals', async () => {
  const { started, asks, drain } = createScene();
  for (let i = 0; i < 4; i++) asks(`loud ${i}`, 'account 1', 'net 1', 'address 1');
  asks('other address', 'account 2', 'net 1', 'address 2');
  asks('same address', 'account 3', 'net 1', 'address 1');
  asks('other network', 'account 4', 'net 2', 'address 3');
  await drain();
  assert.deepEqual(started, [
    'loud 0',
    'other network',
    'other address',
    'same address',
    'loud 1',
    'loud 2',
    'loud 3',
  ]);
});

test('many callers of one network do not wait for a few others who make repeated requests', async () => {
  const { started, asks, drain } = createScene();
  for (let i = 0; i < 6; i++) for (const net of [1, 2, 3]) asks(`loud ${net}`, `${net}`, `net ${net}`);
  for (let i = 0; i < 20; i++) asks('colleague', `colleague ${i}`, 'net 4');
  await drain();
  const last = started.lastIndexOf('colleague');
  assert.equal(started.slice(0, last).filter((name) => name !== 'colleague').length, 3);
});

test('recent use is remembered for a minute', async () => {
  const { clock, started, asks, drain } = createScene();
  for (let i = 0; i < 3; i++) asks(`loud ${i}`, 'net 1');
  await drain();
  const again = async () => {
    started.length = 0;
    asks('running', 'net 3');
    asks('loud', 'net 1');
    asks('quiet', 'net 2');
    await drain();
    return started;
  };
  assert.deepEqual(await again(), ['running', 'quiet', 'loud']);
  clock.advance({ minutes: 1 });
  assert.deepEqual(await again(), ['running', 'loud', 'quiet']);
});

test('when too many wait, the one with the most requests is refused, not a newcomer', async () => {
  const { outcomes, asks, drain } = createScene({ maxWaiting: 4 });
  for (let i = 0; i < 5; i++) asks(`loud ${i}`, 'net 1', 'address 1');
  for (let i = 0; i < 3; i++) asks(`quiet ${i}`, `net ${i + 2}`, 'address');
  asks('too loud', 'net 1', 'address 1');
  await drain();
  assert.deepEqual(Object.fromEntries(outcomes), {
    'loud 0': 'done',
    'loud 1': 'done',
    'loud 2': 503,
    'loud 3': 503,
    'loud 4': 503,
    'quiet 0': 'done',
    'quiet 1': 'done',
    'quiet 2': 'done',
    'too loud': 503,
  });
});
