import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BoundedWork } from './bounded-work.ts';

test('no more than the bound run at once, the others wait in order, and what is too many gets 503', async () => {
  const work = new BoundedWork({ atOnce: 2, maxWaiting: 2 });
  const started: number[] = [];
  const ends = [0, 1, 2, 3].map(() => Promise.withResolvers<void>());
  const runs = ends.map(({ promise }, i) =>
    work.run(async () => {
      started.push(i);
      await promise;
      return i;
    }),
  );
  assert.deepEqual(started, [0, 1]);
  await assert.rejects(
    work.run(async () => 'too many'),
    { status: 503 },
  );
  ends[1]?.resolve();
  assert.equal(await runs[1], 1);
  assert.deepEqual(started, [0, 1, 2]);
  ends[0]?.reject(new Error('failed'));
  await assert.rejects(runs[0] as Promise<number>, { message: 'failed' });
  assert.deepEqual(started, [0, 1, 2, 3]);
  ends[2]?.resolve();
  ends[3]?.resolve();
  assert.deepEqual(await Promise.all(runs.slice(2)), [2, 3]);
  assert.equal(await work.run(async () => 'free again'), 'free again');
});
