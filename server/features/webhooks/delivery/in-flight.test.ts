import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TestClock } from '#testing/platform.ts';
import { type Flight, InFlight } from './in-flight.ts';

/** Whether it has begun by now. */
function watch(flight: Flight | Promise<Flight>): () => boolean {
  let hasBegun = false;
  void Promise.resolve(flight).then(() => {
    hasBegun = true;
  });
  return () => hasBegun;
}

test('the number in flight is limited, and applications take turns for each slot that becomes free', async () => {
  using inFlight = new InFlight(new TestClock(), 2);
  const begun: string[] = [];
  const begin = async (appId: string) => {
    const flight = await inFlight.begin(appId);
    begun.push(appId);
    return flight;
  };
  const flights = ['busy', 'busy', 'busy', 'busy', 'other'].map(begin);
  await nextTurn();
  assert.deepEqual(begun, ['busy', 'busy']);
  for (const flight of flights) {
    inFlight.end(await flight);
    await nextTurn();
  }
  assert.deepEqual(begun, ['busy', 'busy', 'busy', 'other', 'busy']);
});

test('an attempt without a response for a second delays no others, and ends once', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  const clock = new TestClock();
  using inFlight = new InFlight(clock, 1);
  const hanging = await inFlight.begin('hanging');
  const other = inFlight.begin('other');
  clock.advance({ milliseconds: 999 });
  context.mock.timers.tick(100);
  const third = inFlight.begin('third');
  const hasThirdBegun = watch(third);
  clock.advance({ milliseconds: 1 });
  context.mock.timers.tick(100);
  const flight = await other;
  inFlight.end(hanging);
  await nextTurn();
  assert.equal(hasThirdBegun(), false, 'the place of the hanging one is the other one now');
  inFlight.end(flight);
  await third;
});

test('an answered but unrecorded attempt keeps its slot, however long the database takes', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  const clock = new TestClock();
  using inFlight = new InFlight(clock, 1);
  const answered = await inFlight.begin('answered');
  inFlight.answer(answered);
  const other = inFlight.begin('other');
  const hasBegun = watch(other);
  clock.advance({ seconds: 30 });
  context.mock.timers.tick(100);
  await nextTurn();
  assert.equal(hasBegun(), false);
  inFlight.end(answered);
  await other;
});

test('if all receivers are slow, the machine is: late ones keep their slots', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  const clock = new TestClock();
  using inFlight = new InFlight(clock, 1);
  for (let i = 0; i < 500; i++) {
    const flight = await inFlight.begin('late');
    clock.advance({ milliseconds: 900 });
    inFlight.answer(flight);
    inFlight.end(flight);
  }
  const late = await inFlight.begin('late');
  const other = inFlight.begin('other');
  const hasBegun = watch(other);
  clock.advance({ milliseconds: 5_000 });
  context.mock.timers.tick(100);
  await nextTurn();
  assert.equal(hasBegun(), false);
  clock.advance({ milliseconds: 5_000 });
  context.mock.timers.tick(100);
  inFlight.end(await other);
  inFlight.end(late);
});

test('delivered but unrecorded events count, also for a slow receiver', async () => {
  using inFlight = new InFlight(new TestClock(), 2);
  const slow = [inFlight.beginSlow(), inFlight.beginSlow(), inFlight.beginSlow()];
  const quick = await inFlight.begin('quick');
  for (const flight of slow) inFlight.answer(flight);
  inFlight.end(quick);
  const next = inFlight.begin('quick');
  const hasBegun = watch(next);
  for (const [i, flight] of slow.entries()) {
    await nextTurn();
    assert.equal(hasBegun(), i >= 2);
    inFlight.end(flight);
  }
  inFlight.end(await next);
});
