import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { afterEverything } from './after-everything.ts';

const done: string[] = [];

afterEverything(async () => assert.deepEqual(done, ['test', 'hook']));
await Promise.resolve();
after(() => void done.push('hook'));

test('cleanup for the very end runs after hooks that are declared later', () => {
  done.push('test');
});
