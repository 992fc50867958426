import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onceReachable } from './first-connection.ts';

const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

/** Work that fails with these errors, one after the other, before it succeeds. */
function failing(...errors: Error[]) {
  const said: string[] = [];
  const log = { warn: (line: string) => said.push(line) } as never;
  const work = async () => {
    const error = errors.shift();
    if (error) throw error;
    return 'done';
  };
  return { said, log, work };
}

test('the first connection is tried again, and one line says what it waits for', async () => {
  const { said, log, work } = failing(refused(), refused());
  assert.equal(await onceReachable(work, { log }), 'done');
  assert.deepEqual(said, ['waiting for the database: connect ECONNREFUSED']);
});

test('it gives up when the time is over, at once on an error that does not pass, and when stopped', async () => {
  const over = failing(refused());
  await assert.rejects(onceReachable(over.work, { log: over.log, waitTimeoutMs: 0 }), /ECONNREFUSED/);
  const lasting = failing(Object.assign(new Error('no such role'), { code: '28000' }));
  await assert.rejects(onceReachable(lasting.work, { log: lasting.log }), /no such role/);
  const stopping = new AbortController();
  const stopped = failing(refused());
  const done = onceReachable(stopped.work, { log: stopped.log, signal: stopping.signal });
  await new Promise(setImmediate);
  stopping.abort();
  await assert.rejects(done, { name: 'AbortError' });
});
