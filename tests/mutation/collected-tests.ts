import { mock } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Stands in for `node:test`: collects the tests of a file, so that they can run again and again in one process. Tests that need
 * hooks of their file fail, and so judge nothing.
 */

type Work = (context?: object) => unknown;

export interface CollectedTest {
  name: string;
  run: Work;
}

let current: CollectedTest[] = [];

/** Imports a test file. */
export async function collect(load: () => Promise<unknown>): Promise<CollectedTest[]> {
  current = [];
  await load();
  return current;
}

export function test(name: string, ...rest: unknown[]): void {
  current.push({ name, run: rest.at(-1) as Work });
}

export { test as it };

export function describe(_name: string, collects: Work): void {
  collects();
}

export function before(): void {}
export function after(): void {}
export function afterEach(): void {}

/** @throws what the test throws */
export async function runTest({ name, run }: CollectedTest): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => mock.reset());
  await run({
    name,
    mock,
    after: (work: () => Promise<void> | void) => cleanup.defer(async () => work()),
    waitFor,
  });
}

const LOOK_EVERY_MS = 50;
const LONGEST_MS = 10_000;

/** Until the condition does not throw. */
async function waitFor<T>(condition: () => T): Promise<Awaited<T>> {
  const until = performance.now() + LONGEST_MS;
  for (;;)
    try {
      return await condition();
    } catch (error) {
      if (performance.now() > until) throw error;
      await pause(LOOK_EVERY_MS);
    }
}
