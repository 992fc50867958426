import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachAtOnce, eachByItself } from './each-by-itself.ts';

test('in turn: each begins when the previous one has ended, even with a failure', async () => {
  const log: string[] = [];
  const work = async (name: string) => {
    log.push(`${name} begins`);
    await Promise.resolve();
    log.push(`${name} ends`);
    if (name === 'a') throw new Error(name);
  };
  await assert.rejects(eachByItself(['a', 'b'], work, 'not all'), {
    message: 'not all',
    errors: [Error('a')],
  });
  assert.deepEqual(log, ['a begins', 'a ends', 'b begins', 'b ends']);
});

test('concurrently: none waits for another, and failures are reported when all have ended', async () => {
  const [slow, ended] = [Promise.withResolvers<void>(), [] as string[]];
  const done = eachAtOnce(
    ['slow', 'failing'],
    async (name) => {
      if (name === 'failing') throw new Error(name);
      await slow.promise;
      ended.push(name);
    },
    'not all',
  );
  slow.resolve();
  await assert.rejects(done, { message: 'not all', errors: [Error('failing')] });
  assert.deepEqual(ended, ['slow']);
});
