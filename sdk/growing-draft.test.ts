import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ParleyError } from './error.ts';
import { GrowingDraft } from './growing-draft.ts';

/** A draft whose service fails in these ways, in turn, and then shows what it gets; time passes in `after`. */
function scene(t: TestContext, failures: Partial<ParleyError>[]) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const tried: string[] = [];
  const draft = new GrowingDraft(async (content) => {
    tried.push(content);
    const failure = failures.shift();
    if (failure) throw new ParleyError('not now', { status: 503, code: 'INTERNAL_ERROR', ...failure });
  });
  const after = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 250) {
      t.mock.timers.tick(250);
      await new Promise(setImmediate);
    }
  };
  return { draft, tried, after };
}

test('a text is shown when it has changed, at most every 250 ms', async (t) => {
  const { draft, tried, after } = scene(t, []);
  for (const text of [' ', 'a', 'ab', 'abc']) draft.show(text);
  await after(1_000);
  assert.deepEqual(tried, ['a', 'abc']);
  draft.show('abcd');
  await draft.pause();
  await after(1_000);
  assert.deepEqual(tried, ['a', 'abc', 'abcd']);
});

test('after a failure the text of then is shown 1, 2, 4 … s later, or when the service asks for it', async (t) => {
  const { draft, tried, after } = scene(t, [{}, {}, { status: 429, retryAfterSeconds: 20 }]);
  draft.show('a');
  await after(1_000);
  draft.show('ab');
  await after(250);
  assert.deepEqual(tried, ['a', 'ab']);
  draft.show('abc');
  await after(2_250);
  assert.deepEqual(tried, ['a', 'ab', 'abc']);
  draft.show('abcd');
  await after(20_000);
  assert.deepEqual(tried, ['a', 'ab', 'abc']);
  await after(250);
  assert.deepEqual(tried, ['a', 'ab', 'abc', 'abcd']);
});

test('what failed last is shown again, although the text has not changed; and no more once paused', async (t) => {
  const { draft, tried, after } = scene(t, [{}, {}]);
  draft.show('a');
  await after(1_250);
  assert.deepEqual(tried, ['a', 'a']);
  await draft.pause();
  await after(60_000);
  assert.deepEqual(tried, ['a', 'a']);
});
