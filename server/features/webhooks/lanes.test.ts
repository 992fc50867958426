import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGuard } from '#platform/safe-fetch/guard.ts';
import type { PostResult } from '#platform/safe-fetch/safe-post.ts';
import { TestClock } from '#testing/platform.ts';
import { type LaneLimits, Lanes, PACE_MS } from './lanes.ts';

const clock = new TestClock();
const closed = { allowance: () => undefined, open: () => [] };
const deps = { guard: createGuard(), clock, breakers: closed };
const LIMITS: LaneLimits = {
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
  message: '',
  timings: { ...OK.timings, total: 10_000 },
};

function serve(lanes: Lanes, appId: string, result: PostResult, times = 1): void {
  for (let i = 0; i < times; i++) {
    lanes.enter(appId);
    lanes.leave(appId, result);
  }
}

test('an open breaker leaves one attempt to the worker that probes, and none to the others', () => {
  for (const allowance of [0, 1]) {
    const breakers = {
      allowance: (appId: string) => (appId === 'app_2' ? undefined : allowance),
      open: () => ['app_1', 'app_9'],
    };
    using lanes = new Lanes({ ...deps, breakers }, { ...LIMITS, initial: 2 });
    assert.deepEqual(
      [lanes.freeOf('app_1'), lanes.freeOf('app_2'), lanes.freeOf('app_9')],
      [allowance, 2, allowance],
    );
    assert.deepEqual([...lanes.known()].sort(), [
      ['app_1', allowance],
      ['app_9', allowance],
    ]);
    lanes.enter('app_1');
    assert.equal(lanes.freeOf('app_1'), 0, 'the probe is under way');
    lanes.leave('app_1', TIMEOUT);
    assert.equal(lanes.freeOf('app_1'), allowance);
  }
});

test('an application has so many slots and not one more, whatever the others have', () => {
  using lanes = new Lanes(deps, { ...LIMITS, total: 5, perApplication: 2, initial: 2 });
  lanes.enter('app_1');
  assert.deepEqual([lanes.freeOf('app_1'), lanes.freeOf('app_2'), lanes.free], [1, 2, 4]);
  lanes.enter('app_1');
  assert.deepEqual([lanes.freeOf('app_1'), lanes.freeOf('app_2'), lanes.free], [0, 2, 3]);
  assert.deepEqual(lanes.known(), new Map([['app_1', 0]]));
});

test('leaving says when somebody may have waited: the application was full, or everything was', () => {
  using lanes = new Lanes(deps, { ...LIMITS, total: 3, perApplication: 2, initial: 2 });
  lanes.enter('app_1');
  lanes.enter('app_1');
  assert.equal(lanes.leave('app_1', OK), true, 'the application was full');
  assert.equal(lanes.leave('app_1', OK), false);
  for (const appId of ['app_1', 'app_2', 'app_3']) lanes.enter(appId);
  assert.equal(lanes.leave('app_3', OK), true, 'everything was full');
  assert.equal(lanes.leave('app_2', OK), false);
});

test('a new application begins with one attempt and gets 1, 2, 4, 8, 16 at once as it delivers', () => {
  using lanes = new Lanes(deps, LIMITS);
  const widths = [];
  for (let width = 1; width < 32; width = Math.max(width * 2, lanes.freeOf('app_1'))) {
    const free = lanes.freeOf('app_1');
    widths.push(free);
    for (let i = 0; i < free; i++) lanes.enter('app_1');
    assert.equal(lanes.freeOf('app_1'), 0);
    for (let i = 0; i < free; i++) lanes.leave('app_1', OK);
  }
  assert.deepEqual(widths, [1, 2, 4, 8, 16]);
});

test('failures halve what an application gets at once, and after an outage it starts slowly again', () => {
  using lanes = new Lanes(deps, LIMITS);
  serve(lanes, 'app_1', OK, 30);
  const widths = [];
  for (let i = 0; i < 6; i++) {
    widths.push(lanes.freeOf('app_1'));
    serve(lanes, 'app_1', answer(500));
  }
  assert.deepEqual(widths, [16, 8, 4, 2, 1, 1]);
  serve(lanes, 'app_1', OK);
  assert.equal(lanes.freeOf('app_1'), 2);
});

test('a receiver that let its time run out gets one attempt at a time until it answers again', () => {
  using lanes = new Lanes(deps, LIMITS);
  serve(lanes, 'app_1', OK, 20);
  serve(lanes, 'app_1', TIMEOUT);
  assert.equal(lanes.freeOf('app_1'), 1);
  lanes.enter('app_1');
  assert.equal(lanes.leave('app_1', OK), true, 'the next one may have waited for this slot');
  assert.equal(lanes.freeOf('app_1'), 2);
});

test('applications that are unknown or slow share a part of the slots, and leave the others theirs', () => {
  using lanes = new Lanes(deps, { ...LIMITS, unproven: 3 });
  serve(lanes, 'app_quick', OK, 4);
  serve(lanes, 'app_slow', answer(200, 1_000), 4);
  lanes.enter('app_slow');
  lanes.enter('app_slow');
  lanes.enter('app_new');
  assert.deepEqual(
    [lanes.freeOf('app_slow'), lanes.freeOf('app_other'), lanes.freeOf('app_quick')],
    [0, 0, 5],
  );
  assert.equal(lanes.freeOfUnknown, 0);
  assert.equal(lanes.leave('app_slow', answer(200, 1_000)), true, 'any of them may have waited');
  assert.deepEqual([lanes.freeOf('app_slow'), lanes.freeOf('app_other')], [5, 1]);
});

test('applications that are unknown or slow begin a few at a time; those that answer promptly are not held up', () => {
  using lanes = new Lanes(deps, { ...LIMITS, unprovenPerPace: 3 });
  serve(lanes, 'app_quick', OK, 4);
  assert.equal(lanes.isPaced, false, 'only its first attempt was one of an unknown');
  for (const appId of ['app_1', 'app_2']) lanes.enter(appId);
  assert.equal(lanes.isPaced, true);
  assert.deepEqual([lanes.freeOf('app_1'), lanes.freeOf('app_3'), lanes.freeOf('app_quick')], [0, 0, 5]);
  clock.advance({ milliseconds: PACE_MS });
  assert.equal(lanes.isPaced, false);
  assert.equal(lanes.freeOf('app_3'), 1);
});

test('one that answers promptly again leaves the part of the slow ones with all that it has under way', () => {
  using lanes = new Lanes(deps, { ...LIMITS, unproven: 2, initial: 2 });
  lanes.enter('app_1');
  lanes.enter('app_1');
  assert.equal(lanes.freeOfUnknown, 0);
  lanes.leave('app_1', OK);
  assert.equal(lanes.freeOfUnknown, 2);
  lanes.leave('app_1', TIMEOUT);
  lanes.enter('app_2');
  lanes.enter('app_2');
  assert.equal(lanes.freeOfUnknown, 0);
});

test('connections are kept for so many applications, and the one used longest ago goes first', () => {
  using lanes = new Lanes(deps, { ...LIMITS, kept: 2 });
  const agents = ['app_1', 'app_2'].map((appId) => lanes.enter(appId));
  lanes.leave('app_1');
  lanes.leave('app_2');
  assert.equal(lanes.enter('app_1'), agents[0]);
  lanes.leave('app_1');
  lanes.enter('app_3');
  assert.equal(lanes.enter('app_1'), agents[0], 'used again meanwhile');
  assert.notEqual(lanes.enter('app_2'), agents[1]);
});
