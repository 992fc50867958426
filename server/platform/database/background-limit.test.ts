import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../errors.ts';
import { limitBackground } from './background-limit.ts';

const turn = () => new Promise(setImmediate);

function limitOf(most: number) {
  const state = { applies: true };
  const limit = limitBackground({ applies: () => state.applies, most, waitMs: 10_000 });
  const begun: string[] = [];
  const begin = (name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const done = limit.run(() => {
      begun.push(name);
      return promise;
    });
    done.catch(() => {});
    return { done, end: resolve, fail: reject };
  };
  return { state, limit, begun, begin };
}

test('while it applies, as many run at once as may, and the others in turn', async () => {
  const { begun, begin } = limitOf(2);
  const [a, b, c] = [begin('a'), begin('b'), begin('c')];
  begin('d');
  await turn();
  assert.deepEqual(begun, ['a', 'b']);
  a?.end();
  await a?.done;
  await turn();
  assert.deepEqual(begun, ['a', 'b', 'c']);
  b?.fail(new Error('lost'));
  await assert.rejects(b?.done as Promise<void>, /lost/);
  await turn();
  assert.deepEqual(begun, ['a', 'b', 'c', 'd']);
  c?.end();
});

test('all run once it no longer applies', async () => {
  const { state, limit, begun, begin } = limitOf(1);
  for (const name of ['a', 'b', 'c']) begin(name);
  state.applies = false;
  begin('d');
  limit.tick();
  await turn();
  assert.deepEqual(begun, ['a', 'd', 'b', 'c']);
});

test('whoever waits for too long is refused, and takes no place', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const { limit, begun, begin } = limitOf(1);
  const [first, late] = [begin('first'), begin('late')];
  now = 10_001;
  limit.tick();
  await assert.rejects(late.done, ApiError);
  const next = begin('next');
  first.end();
  await first.done;
  await turn();
  assert.deepEqual(begun, ['first', 'next']);
  next.end();
});
