import assert from 'node:assert/strict';
import { test } from 'node:test';
import { say } from '#contract/reasons.ts';
import { createGuard } from '#platform/safe-fetch/guard.ts';
import type { PostResult } from '#platform/safe-fetch/safe-post.ts';
import { TestClock } from '#testing/platform.ts';
import { EndpointQueues, PACE_MS, type QueueLimits } from './endpoint-queues.ts';

const clock = new TestClock();
const closed = { allowance: () => undefined, open: () => [] };
const deps = { guard: createGuard(), clock, breakers: closed };
const LIMITS: QueueLimits = {
  total: 100,
  unproven: 50,
  unprovenPerPace: 100,
  perApplication: 16,
  initial: 1,
  kept: 10,
};

function answer(status: number, total = 5): PostResult {
  const timings = { dns: null, connect: null, tls: null, firstByte: total, total };
  return { kind: 'response', status, bodyBytes: 0, timings };
}

const OK = answer(200);
const TIMEOUT: PostResult = {
  kind: 'failure',
  reason: 'timeout',
  phase: 'body',
  said: say('timeout.body'),
  timings: { ...OK.timings, total: 10_000 },
};

function serve(queues: EndpointQueues, appId: string, result: PostResult, times = 1): void {
  for (let i = 0; i < times; i++) {
    queues.enter(appId);
    queues.leave(appId, result);
  }
}

test('an open breaker allows one attempt to the probing worker, and none to the others', () => {
  for (const allowance of [0, 1]) {
    const breakers = {
      allowance: (appId: string) => (appId === 'app_2' ? undefined : allowance),
      open: () => ['app_1', 'app_9'],
    };
    using queues = new EndpointQueues({ ...deps, breakers }, { ...LIMITS, initial: 2 });
    assert.deepEqual(
      [queues.freeOf('app_1'), queues.freeOf('app_2'), queues.freeOf('app_9')],
      [allowance, 2, allowance],
    );
    assert.deepEqual([...queues.known()].sort(), ['app_1', 'app_9']);
    queues.enter('app_1');
    assert.equal(queues.freeOf('app_1'), 0, 'the probe is under way');
    queues.leave('app_1', TIMEOUT);
    assert.equal(queues.freeOf('app_1'), allowance);
  }
});

test('an application never exceeds its slots, whatever the others use', () => {
  using queues = new EndpointQueues(deps, { ...LIMITS, total: 5, perApplication: 2, initial: 2 });
  queues.enter('app_1');
  assert.deepEqual([queues.freeOf('app_1'), queues.freeOf('app_2'), queues.free], [1, 2, 4]);
  queues.enter('app_1');
  assert.deepEqual([queues.freeOf('app_1'), queues.freeOf('app_2'), queues.free], [0, 2, 3]);
  assert.deepEqual([queues.runningOf('app_1'), queues.runningOf('app_2')], [2, 0]);
});

test('leaving returns whether deliveries may be waiting: the application or the whole server was full', () => {
  using queues = new EndpointQueues(deps, { ...LIMITS, total: 3, perApplication: 2, initial: 2 });
  queues.enter('app_1');
  queues.enter('app_1');
  assert.equal(queues.leave('app_1', OK), true, 'the application was full');
  assert.equal(queues.leave('app_1', OK), false);
  for (const appId of ['app_1', 'app_2', 'app_3']) queues.enter(appId);
  assert.equal(queues.leave('app_3', OK), true, 'everything was full');
  assert.equal(queues.leave('app_2', OK), false);
});

test('a claim waits until half of the slots are free, not counting those of slow receivers', () => {
  using queues = new EndpointQueues(deps, { ...LIMITS, perApplication: 100 });
  serve(queues, 'app_quick', OK, 100);
  for (let i = 0; i < 51; i++) queues.enter('app_quick');
  assert.equal(queues.hasRoom, false);
  assert.equal(queues.leave('app_quick', OK), true);
  assert.equal(queues.hasRoom, true);
  for (let i = 0; i < 25; i++) queues.leave('app_quick', OK);
  for (let i = 0; i < 50; i++) queues.enter(`app_${i}`);
  assert.deepEqual([queues.free, queues.hasRoom], [25, true]);
  queues.enter('app_quick');
  assert.equal(queues.hasRoom, false);
  assert.equal(queues.leave('app_quick', OK), true, 'whoever waited for a claim may have it');
});

test('a new application begins with one attempt and gets 1, 2, 4, 8, 16 at once as it delivers', () => {
  using queues = new EndpointQueues(deps, LIMITS);
  const widths = [];
  for (let width = 1; width < 32; width = Math.max(width * 2, queues.freeOf('app_1'))) {
    const free = queues.freeOf('app_1');
    widths.push(free);
    for (let i = 0; i < free; i++) queues.enter('app_1');
    assert.equal(queues.freeOf('app_1'), 0);
    for (let i = 0; i < free; i++) queues.leave('app_1', OK);
  }
  assert.deepEqual(widths, [1, 2, 4, 8, 16]);
});

test('failures halve the concurrent attempts of an application, and after an outage it starts slowly again', () => {
  using queues = new EndpointQueues(deps, LIMITS);
  serve(queues, 'app_1', OK, 30);
  const widths = [];
  for (let i = 0; i < 6; i++) {
    widths.push(queues.freeOf('app_1'));
    serve(queues, 'app_1', answer(500));
  }
  assert.deepEqual(widths, [16, 8, 4, 2, 1, 1]);
  serve(queues, 'app_1', OK);
  assert.equal(queues.freeOf('app_1'), 2);
});

test('a receiver that timed out gets one attempt at a time until it answers again', () => {
  using queues = new EndpointQueues(deps, LIMITS);
  serve(queues, 'app_1', OK, 20);
  serve(queues, 'app_1', TIMEOUT);
  assert.equal(queues.freeOf('app_1'), 1);
  queues.enter('app_1');
  assert.equal(queues.leave('app_1', OK), true, 'the next one may have waited for this slot');
  assert.equal(queues.freeOf('app_1'), 2);
});

test('unknown and slow applications share a part of the slots, and leave the rest to the others', () => {
  using queues = new EndpointQueues(deps, { ...LIMITS, unproven: 3 });
  serve(queues, 'app_quick', OK, 4);
  serve(queues, 'app_slow', answer(200, 1_000), 4);
  queues.enter('app_slow');
  queues.enter('app_slow');
  queues.enter('app_new');
  assert.deepEqual(
    [queues.freeOf('app_slow'), queues.freeOf('app_other'), queues.freeOf('app_quick')],
    [0, 0, 5],
  );
  assert.equal(queues.freeOfUnknown, 0);
  assert.equal(queues.leave('app_slow', answer(200, 1_000)), true, 'any of them may have waited');
  assert.deepEqual([queues.freeOf('app_slow'), queues.freeOf('app_other')], [5, 1]);
});

test('unknown and slow applications begin a few attempts at a time; those that answer promptly are not delayed', () => {
  using queues = new EndpointQueues(deps, { ...LIMITS, unprovenPerPace: 3 });
  serve(queues, 'app_quick', OK, 4);
  assert.equal(queues.isPaced, false, 'only its first attempt was one of an unknown');
  for (const appId of ['app_1', 'app_2']) queues.enter(appId);
  assert.equal(queues.isPaced, true);
  assert.deepEqual([queues.freeOf('app_1'), queues.freeOf('app_3'), queues.freeOf('app_quick')], [0, 0, 5]);
  clock.advance({ milliseconds: PACE_MS });
  assert.equal(queues.isPaced, false);
  assert.equal(queues.freeOf('app_3'), 1);
});

test('an application that answers promptly again no longer uses the slots for slow ones, including its attempts in progress', () => {
  using queues = new EndpointQueues(deps, { ...LIMITS, unproven: 2, initial: 2 });
  queues.enter('app_1');
  queues.enter('app_1');
  assert.equal(queues.freeOfUnknown, 0);
  queues.leave('app_1', OK);
  assert.equal(queues.freeOfUnknown, 2);
  queues.leave('app_1', TIMEOUT);
  queues.enter('app_2');
  queues.enter('app_2');
  assert.equal(queues.freeOfUnknown, 0);
});

test('connections are kept for a limited number of applications; the least recently used is closed first', () => {
  using queues = new EndpointQueues(deps, { ...LIMITS, kept: 2 });
  const agents = ['app_1', 'app_2'].map((appId) => queues.enter(appId));
  queues.leave('app_1');
  queues.leave('app_2');
  assert.equal(queues.enter('app_1'), agents[0]);
  queues.leave('app_1');
  queues.enter('app_3');
  assert.equal(queues.enter('app_1'), agents[0], 'used again meanwhile');
  assert.notEqual(queues.enter('app_2'), agents[1]);
});
