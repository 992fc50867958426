import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOfDay } from './day.ts';

process.env['TZ'] = 'Europe/Berlin';

test('a day ends where the next one begins, however many hours it has', () => {
  for (const [day, hours] of [
    ['2026-10-24', 24],
    ['2026-10-25', 25],
    ['2026-03-29', 23],
    ['2026-12-31', 24],
  ] as const)
    assert.equal(Number(startOfDay(day, 1)) - Number(startOfDay(day)), hours * 3_600_000, day);
});

test('a day whose year is still being typed is no error', () => {
  assert.equal(startOfDay('0002-05-01'), 0);
  assert.equal(startOfDay('20266-05-01'), undefined);
  assert.equal(startOfDay('x', 1), undefined);
});
