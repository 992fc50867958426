import assert from 'node:assert/strict';
import { test } from 'node:test';
import { say } from '#contract/reasons.ts';
import { TestClock } from '#testing/platform.ts';
import { ApiError } from './errors.ts';
import { RateLimit } from './rate-limits.ts';

function createLimit({ limit = 3, findLimit }: { limit?: number; findLimit?: () => Promise<number> } = {}) {
  const clock = new TestClock();
  const rateLimit = new RateLimit(
    { clock, redis: undefined },
    { name: 'test', limit, windowMs: 60_000, refusal: say('group.unknown'), ...(findLimit && { findLimit }) },
  );
  /** Whether that many hits at once are counted. */
  const isCounted = (key: string, times?: number) =>
    rateLimit.count(key, times).then(
      () => true,
      (error) => {
        assert.ok(error instanceof ApiError);
        return false;
      },
    );
  return { clock, rateLimit, isCounted };
}

test('more hits than the limit are refused, each key by itself, until its window ends', async () => {
  const { clock, rateLimit, isCounted } = createLimit();
  for (const expected of [true, true, true, false]) assert.equal(await isCounted('a'), expected);
  assert.equal(await isCounted('b'), true);
  clock.advance({ seconds: 44, milliseconds: 999 });
  await assert.rejects(rateLimit.count('a'), { status: 429, headers: { 'retry-after': '16' } });
  clock.advance({ seconds: 15, milliseconds: 1 });
  assert.equal(await isCounted('a'), true);
});

test('several hits at once count all or not at all', async () => {
  const { isCounted } = createLimit();
  assert.equal(await isCounted('a', 2), true);
  assert.equal(await isCounted('a', 2), false);
  assert.equal(await isCounted('a', 1), true, 'the refused ones were taken back');
  assert.equal(await isCounted('a', 1), false);
});

test('a key may have a limit of its own', async () => {
  const { isCounted } = createLimit({ findLimit: async () => 1 });
  assert.deepEqual([await isCounted('a'), await isCounted('a')], [true, false]);
});

test('failed work does not count', async () => {
  const { rateLimit, isCounted } = createLimit();
  const failure = new Error('no');
  await assert.rejects(
    rateLimit.around('a', 3, () => Promise.reject(failure)),
    failure,
  );
  assert.equal(await rateLimit.around('a', 2, async () => 'done'), 'done');
  assert.deepEqual([await isCounted('a'), await isCounted('a')], [true, false]);
});

test('only searches without a result count', async () => {
  const { rateLimit } = createLimit({ limit: 1 });
  const search = (found?: string) => rateLimit.aroundMisses('a', async () => found);
  assert.equal(await search('x'), 'x');
  assert.equal(await search(), undefined);
  await assert.rejects(search(), { status: 429 });
  assert.equal(await search('x'), 'x', 'what exists is found');
});
