import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestClock } from '#testing/platform.ts';
import { FixedWindow } from './rate-limits.ts';

test('a window begins with its first hit and ends after its length, regardless of the number of hits', () => {
  const clock = new TestClock();
  const windows = new FixedWindow(clock, { windowMs: 60_000 });
  const resetAt = clock.now() + 60_000;
  assert.deepEqual(windows.hit('a', 2), { allowed: true, remaining: 1, resetAt });
  clock.advance({ seconds: 59 });
  assert.deepEqual(windows.hit('a', 2), { allowed: true, remaining: 0, resetAt });
  clock.advance({ milliseconds: 999 });
  assert.deepEqual(windows.hit('a', 2), { allowed: false, remaining: 0, resetAt });
  assert.deepEqual(windows.hit('b', 2), { allowed: true, remaining: 1, resetAt: clock.now() + 60_000 });
  clock.advance({ milliseconds: 1 });
  assert.deepEqual(windows.hit('a', 2), { allowed: true, remaining: 1, resetAt: clock.now() + 60_000 });
});

test('windows from before the clock was set back do not last until it is there again', () => {
  const clock = new TestClock();
  const windows = new FixedWindow(clock, { windowMs: 60_000 });
  for (const key of ['a', 'b', 'c']) windows.hit(key, 1);
  clock.advance({ hours: -1 });
  assert.equal(windows.peek('a', 1).allowed, true);
  assert.deepEqual(windows.hit('a', 1), { allowed: true, remaining: 0, resetAt: clock.now() + 60_000 });
  assert.equal(windows.hit('a', 1).allowed, false);
  windows.hit('new', 1);
  assert.equal(windows.size, 2, 'the others are forgotten');
});

test('a changed limit applies from the next hit', () => {
  const windows = new FixedWindow(new TestClock(), { windowMs: 60_000 });
  windows.hit('a', 1);
  assert.equal(windows.hit('a', 1).allowed, false);
  assert.equal(windows.hit('a', 3).remaining, 1);
  assert.equal(windows.hit('a', 1).allowed, false);
  assert.equal(windows.peek('a', 1).remaining, 0);
  const { allowed, remaining } = windows.hit('never', 0);
  assert.deepEqual({ allowed, remaining }, { allowed: false, remaining: 0 });
  assert.equal(windows.hit('once', 1).allowed, true);
  assert.deepEqual([windows.peek('new', 0).allowed, windows.peek('new', 1).allowed], [false, true]);
});

test('peek counts nothing, undo takes back one hit, forget all of them', () => {
  const clock = new TestClock();
  const windows = new FixedWindow(clock, { windowMs: 60_000 });
  const resetAt = clock.now() + 60_000;
  assert.deepEqual(windows.peek('a', 2), { allowed: true, remaining: 2, resetAt });
  windows.hit('a', 2);
  windows.hit('a', 2);
  assert.deepEqual(windows.peek('a', 2), { allowed: false, remaining: 0, resetAt });
  windows.undo('a');
  assert.deepEqual(windows.peek('a', 2), { allowed: true, remaining: 1, resetAt });
  for (let i = 0; i < 3; i++) windows.undo('a');
  assert.deepEqual(
    windows.peek('a', 2),
    { allowed: true, remaining: 2, resetAt },
    'not more than there were',
  );
  windows.forget('a');
  assert.deepEqual(windows.peek('a', 2), { allowed: true, remaining: 2, resetAt });
  windows.undo('a');
  assert.equal(windows.size, 0);
});

test('memory is proportional to the keys of the last window', () => {
  const clock = new TestClock();
  const windows = new FixedWindow(clock, { windowMs: 60_000 });
  for (let i = 0; i < 10_000; i++) windows.hit(`old${i}`, 1);
  clock.advance({ minutes: 1 });
  windows.hit('new0', 1);
  assert.equal(windows.size, 9_999, 'a new key makes room for two, without a pause');
  for (let i = 0; i < 10_000; i++) windows.hit(`new${i}`, 1);
  assert.equal(windows.size, 10_000);
});

test('a window that begins again does not keep expired ones from being forgotten', () => {
  const clock = new TestClock();
  const windows = new FixedWindow(clock, { windowMs: 60_000 });
  for (const key of 'abcd') windows.hit(key, 1);
  clock.advance({ minutes: 1 });
  const resetAt = clock.now() + 60_000;
  assert.deepEqual(windows.peek('c', 1), { allowed: true, remaining: 1, resetAt }, 'it has ended');
  for (const key of 'cef') windows.hit(key, 1);
  assert.equal(windows.size, 3);
});
