import { mock } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';

/** Stands in for `node:test`: collects the tests of a file, so that they can run again and again in one process. */

type Work = (context?: object) => unknown;

export interface CollectedFile {
  path: string;
  before: Work[];
  after: Work[];
  tests: { name: string; run: Work }[];
}

let current: CollectedFile | undefined;

/** Imports a test file. */
export async function collect(path: string, load: () => Promise<unknown>): Promise<CollectedFile> {
  const file: CollectedFile = { path, before: [], after: [], tests: [] };
  current = file;
  await load();
  current = undefined;
  return file;
}

export function test(name: string, ...rest: unknown[]): void {
  current?.tests.push({ name, run: rest.at(-1) as Work });
}

export function it(name: string, ...rest: unknown[]): void {
  test(name, ...rest);
}

export function describe(_name: string, collects: Work): void {
  collects();
}

export function before(work: Work): void {
  current?.before.push(work);
}

export function after(work: Work): void {
  current?.after.push(work);
}

/** @throws what the test throws */
export async function runTest({ name, run }: { name: string; run: Work }): Promise<void> {
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
