import { AsyncResource } from 'node:async_hooks';
import { after } from 'node:test';

const root = new AsyncResource('root of the tests');

/**
 * Runs after the tests of this process and after their own cleanup, including hooks that are declared later.
 */
export function afterEverything(work: () => Promise<void> | undefined): void {
  // Hooks run in the order of their declaration; by now every other one is declared.
  after(() => root.runInAsyncScope(() => after(work)));
}
