import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addLatencies, countLatency, emptyLatencies, percentileMs, Tallies } from './tallies.ts';

test('percentiles come from counts, and counts of several processes are added', () => {
  assert.equal(percentileMs(emptyLatencies(), 0.5), undefined);
  const [one, other] = [emptyLatencies(), emptyLatencies()];
  for (let i = 0; i < 95; i++) countLatency(one, 4.5);
  for (let i = 0; i < 5; i++) countLatency(other, 900);
  addLatencies(one, other);
  assert.equal(percentileMs(one, 0.5), 4.1);
  assert.equal(percentileMs(one, 0.95), 5);
  assert.equal(percentileMs(one, 0.96), 800);
  countLatency(other, 60_000);
  assert.equal(percentileMs(other, 1), 10_000);
});

test('the timer writes a minute once, when it is over; a reader also gets the current one', () => {
  const tallies = new Tallies('one');
  const counted = { appId: 'app_1', caller: 'bot', method: 'POST', route: '/v1/messages' } as const;
  const at = Date.UTC(2026, 10, 28, 12, 30);
  const taken = (now: number, withCurrent: boolean) =>
    tallies
      .take(now, { withCurrent })
      .map(({ span, startedAt, requests }) => [span, startedAt - at, requests]);
  tallies.count(counted, { at, status: 200, durationMs: 1 });
  assert.deepEqual(taken(at + 59_999, false), []);
  tallies.count(counted, { at: at + 59_999, status: 200, durationMs: 1 });
  const hour = -30 * 60_000;
  assert.deepEqual(taken(at + 60_000, false), [
    ['minute', 0, 2],
    ['hour', hour, 2],
  ]);
  assert.deepEqual(taken(at + 75_000, false), []);
  tallies.count(counted, { at: at + 75_000, status: 200, durationMs: 1 });
  assert.deepEqual(taken(at + 75_000, false), []);
  assert.deepEqual(taken(at + 75_000, true), [
    ['minute', 60_000, 1],
    ['hour', hour, 3],
  ]);
});
