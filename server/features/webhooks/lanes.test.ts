import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGuard } from '#platform/safe-fetch/guard.ts';
import { Lanes } from './lanes.ts';

const guard = createGuard();

test('an application has so many slots and not one more, whatever the others have', () => {
  using lanes = new Lanes(guard, { total: 5, perApplication: 2, kept: 10 });
  lanes.enter('app_1');
  assert.deepEqual([lanes.freeOf('app_1'), lanes.freeOf('app_2'), lanes.free], [1, 2, 4]);
  lanes.enter('app_1');
  assert.deepEqual([lanes.freeOf('app_1'), lanes.freeOf('app_2'), lanes.free], [0, 2, 3]);
  assert.deepEqual(lanes.restricted(), new Map([['app_1', 0]]));
});

test('leaving says when somebody may have waited: the application was full, or everything was', () => {
  using lanes = new Lanes(guard, { total: 3, perApplication: 2, kept: 10 });
  lanes.enter('app_1');
  lanes.enter('app_1');
  assert.equal(lanes.leave('app_1'), true, 'the application was full');
  assert.equal(lanes.leave('app_1'), false);
  for (const appId of ['app_1', 'app_2', 'app_3']) lanes.enter(appId);
  assert.equal(lanes.leave('app_3'), true, 'everything was full');
  assert.equal(lanes.leave('app_2'), false);
});

test('a receiver that let its time run out gets one attempt at a time until it answers again', () => {
  using lanes = new Lanes(guard, { total: 20, perApplication: 8, kept: 10 });
  lanes.enter('app_1');
  lanes.noteTimeout('app_1', true);
  assert.equal(lanes.leave('app_1'), true);
  assert.equal(lanes.freeOf('app_1'), 1);
  assert.deepEqual(lanes.restricted(), new Map([['app_1', 1]]));
  lanes.enter('app_1');
  assert.equal(lanes.freeOf('app_1'), 0);
  lanes.noteTimeout('app_1', false);
  assert.equal(lanes.freeOf('app_1'), 7);
});

test('connections are kept for so many applications, and the one used longest ago goes first', () => {
  using lanes = new Lanes(guard, { total: 20, perApplication: 8, kept: 2 });
  const agents = ['app_1', 'app_2'].map((appId) => lanes.enter(appId));
  lanes.leave('app_1');
  lanes.leave('app_2');
  assert.equal(lanes.enter('app_1'), agents[0]);
  lanes.leave('app_1');
  lanes.enter('app_3');
  assert.equal(lanes.enter('app_1'), agents[0], 'used again meanwhile');
  assert.notEqual(lanes.enter('app_2'), agents[1]);
});
