import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from './checker.ts';
import { DELIVERY_GUARDS, deliveries } from './deliveries.ts';
import { ROTATION_GUARDS, rotation } from './rotation.ts';

/** A counter up to a limit, which it may leave again unless it is stuck there. */
function counter({ limit, forbidden, isStuck }: { limit: number; forbidden?: number; isStuck?: boolean }) {
  return {
    initial: 0,
    actions: {
      add: (count: number) => (count < limit ? [count + 1] : []),
      reset: (count: number) => (count > 0 && !(isStuck && count === limit) ? [0] : []),
    },
    invariants: { 'is allowed': (count: number) => count !== forbidden },
    reachable: { 'is nothing': (count: number) => count === 0 },
  };
}

test('the checker visits every state, and shows the shortest way to a fault', () => {
  assert.deepEqual(check(counter({ limit: 3 })), { states: 4, steps: 6, depth: 3 });
  const { counterexample } = check(counter({ limit: 9, forbidden: 2 }));
  assert.deepEqual(counterexample, { broken: 'is allowed', trace: ['add: =1', 'add: =2'] });
  const stuck = check(counter({ limit: 2, isStuck: true })).counterexample;
  assert.deepEqual(stuck, { broken: 'is nothing', trace: ['add: =1', 'add: =2'] });
  assert.throws(() => check(counter({ limit: 9 }), 5), /more than 5 states/);
});

test('rotation: whatever the order, a token wins once, and nothing is accepted after an answer that forbids it', () => {
  const { counterexample, states } = check(rotation(4));
  assert.equal(counterexample, undefined);
  assert.ok(states > 2_000);
});

for (const guard of ROTATION_GUARDS)
  test(`rotation would fail without this: ${guard}`, () => {
    assert.ok(check(rotation(4, guard)).counterexample);
  });

test('deliveries: a stored event is delivered, whoever dies, and not oftener than the bound', () => {
  for (const bounds of [
    { workers: 2, failures: 0, deaths: 1, expiries: 0 },
    { workers: 2, failures: 1, deaths: 0, expiries: 0 },
    { workers: 2, failures: 0, deaths: 0, expiries: 1 },
  ])
    assert.equal(check(deliveries(bounds)).counterexample, undefined);
});

/** These need a lease that ends while its worker lives. */
const NEEDING_EXPIRY: string[] = [
  'an attempted event is not queued',
  'a delivered event leaves the queue',
  'a worker is forgotten only if it has not been seen since',
];

for (const guard of DELIVERY_GUARDS)
  test(`deliveries would fail without this: ${guard}`, () => {
    const bounds = { workers: 2, failures: 0, deaths: 1, expiries: Number(NEEDING_EXPIRY.includes(guard)) };
    assert.ok(check(deliveries(bounds, guard)).counterexample);
  });
