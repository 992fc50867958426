import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createLog } from './log.ts';
import { Loop, type LoopOptions, type Step } from './loop.ts';
import { Metrics } from './monitoring/metrics.ts';

/** A loop with mocked timers. Steps are numbered. */
function start(
  t: TestContext,
  step: (n: number) => ReturnType<Step>,
  options: Partial<LoopOptions> = {},
  db = { isPartAway: false },
) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const metrics = new Metrics();
  let steps = 0;
  const loop = new Loop(
    { log: createLog('silent'), metrics, db },
    { name: 'test', everyMs: 1_000, ...options },
    () => step(++steps),
  );
  return {
    loop,
    metrics,
    /** Advances the time; returns the number of steps begun so far. */
    async after(ms: number): Promise<number> {
      await settled();
      t.mock.timers.tick(ms);
      await settled();
      return steps;
    },
  };
}

/** Resolves when all work that does not wait for a timer is done. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test('the first step begins at once, and each next one an interval after the last has ended', async (t) => {
  const ends: (() => void)[] = [];
  const { loop, after } = start(t, () => new Promise<void>((resolve) => ends.push(resolve)));
  assert.equal(await after(0), 1);
  assert.equal(await after(60_000), 1, 'no step overlaps the one before');
  ends.shift()?.();
  assert.equal(await after(999), 1);
  assert.equal(await after(1), 2);
  ends.shift()?.();
  await loop[Symbol.asyncDispose]();
  assert.equal(await after(60_000), 2);
});

test('a step may say when the next one begins', async (t) => {
  const { loop, after } = start(t, async (n) => (n < 3 ? 0 : n === 3 ? 200 : undefined));
  assert.equal(await after(0), 3);
  assert.equal(await after(199), 3);
  assert.equal(await after(1), 4);
  assert.equal(await after(999), 4);
  assert.equal(await after(1), 5);
  await loop[Symbol.asyncDispose]();
});

test('a loop that is woken continues at once, or as soon as its step has ended', async (t) => {
  const ends: (() => void)[] = [];
  const { loop, after } = start(t, () => new Promise<void>((resolve) => ends.push(resolve)), {
    isDelayed: true,
  });
  assert.equal(await after(999), 0);
  loop.wake();
  assert.equal(await after(0), 1);
  loop.wake();
  loop.wake();
  assert.equal(await after(0), 1);
  ends.shift()?.();
  assert.equal(await after(0), 2);
  ends.shift()?.();
  assert.equal(await after(0), 2);
  await loop[Symbol.asyncDispose]();
});

test('failures are counted, and the wait doubles after each, even if the loop is woken', async (t) => {
  const { loop, after, metrics } = start(t, async (n) => {
    if (n < 5) throw new Error('away');
  });
  assert.equal(await after(0), 1);
  loop.wake();
  assert.equal(await after(999), 1);
  assert.equal(await after(1), 2);
  assert.equal(await after(1_999), 2);
  assert.equal(await after(1), 3);
  assert.equal(await after(4_000), 4);
  assert.equal(await after(4_999), 4, 'no longer than that');
  assert.equal(await after(1), 5);
  assert.equal(await after(1_000), 6, 'as usual again');
  assert.match(await metrics.render(), /^parley_loop_failures_total\{loop="test"\} 4$/m);
  await loop[Symbol.asyncDispose]();
});

const failing = async (): Promise<void> => {
  throw new Error('away');
};

test('a loop with a long interval retries sooner after a failure', async (t) => {
  const { loop, after } = start(t, failing, { everyMs: 60_000 });
  assert.equal(await after(0), 1);
  assert.equal(await after(1_000), 2);
  for (let waitMs = 2_000; waitMs < 60_000; waitMs *= 2) await after(waitMs);
  assert.equal(await after(59_999), 7);
  assert.equal(await after(1), 8);
  await loop[Symbol.asyncDispose]();
});

test('disposing aborts the step in progress, waits for it, and begins no other', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const told: string[] = [];
  const step: Step = async (signal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    told.push('aborted');
    await settled();
    told.push('ended');
  };
  const loop = new Loop(
    { log: createLog('silent'), metrics: new Metrics() },
    { name: 'test', everyMs: 0 },
    step,
  );
  await settled();
  loop.wake();
  await loop[Symbol.asyncDispose]();
  assert.deepEqual(told, ['aborted', 'ended']);
});

test('a loop that is woken during a retry continues as soon as it succeeds', async (t) => {
  const ends: (() => void)[] = [];
  const { loop, after } = start(t, async (n) => {
    if (n === 1) throw new Error('away');
    await new Promise<void>((resolve) => ends.push(resolve));
  });
  assert.equal(await after(1_000), 2);
  loop.wake();
  ends.shift()?.();
  assert.equal(await after(0), 3);
  ends.shift()?.();
  await loop[Symbol.asyncDispose]();
});

test('a step that failed for want of a node that is away is retried once it is back, or after 16 s', async (t) => {
  const db = { isPartAway: true };
  const fail = async () => {
    throw Object.assign(new Error('lost'), { code: 'CONNECTION_CLOSED' });
  };
  const { loop, after } = start(t, fail, {}, db);
  assert.equal(await after(0), 1);
  let seconds = 0;
  while ((await after(1_000)) === 1) seconds++;
  assert.equal(seconds, 15);
  for (let i = 0; i < 3; i++) assert.equal(await after(1_000), 2);
  db.isPartAway = false;
  assert.equal(await after(1_000), 3);
  await loop[Symbol.asyncDispose]();
});
