import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CollectedTest, collect, runTest } from './collected-tests.ts';
import type { Kind } from './mutants.ts';
import { mutateAll } from './mutants.ts';

/**
 * A process that has loaded the mutated files, with all their mutants, and the tests. Its parent says which mutant is in effect
 * and which tests to run.
 */

export interface Loading {
  files: string[];
  kinds: Kind[];
  tests: string[];
  /** In effect from the start. */
  mutant: number | undefined;
}

/** Positions of a file and of a test in it. */
export interface Chosen {
  file: number;
  test: number;
}

export type Request =
  | { kind: 'survey' }
  | { kind: 'judge'; mutant: number | undefined; chosen: readonly Chosen[] };

/** A test without a mutant. */
export interface Surveyed extends Chosen {
  name: string;
  ms: number;
  /** The mutants that it reaches. */
  reached: number[];
  /** Why it fails without a mutant. */
  failure?: string;
}

export type News =
  | { kind: 'loaded'; reached: number[] }
  | ({ kind: 'begins' } & Chosen)
  | { kind: 'surveyed'; tests: Surveyed[] }
  | { kind: 'judged'; killer?: Chosen & { error: string } };

declare global {
  function __mutant(id: number): boolean;
}

const ROOT = join(import.meta.dirname, '../..');
const COLLECTED = pathToFileURL(join(import.meta.dirname, 'collected-tests.ts')).href;

const { files, kinds, tests, mutant }: Loading = JSON.parse(process.argv[2] ?? '');
let active = mutant;
let reached = new Set<number>();
globalThis.__mutant = (id) => {
  reached.add(id);
  return id === active;
};

const sources = new Map(
  mutateAll(files, kinds).map(({ path, source }) => [pathToFileURL(join(ROOT, path)).href, source]),
);
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'node:test' && context.parentURL !== COLLECTED
      ? { url: COLLECTED, shortCircuit: true }
      : next(specifier, context),
  load(url, context, next) {
    const source = sources.get(url);
    return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true };
  },
});

function tell(news: News): void {
  process.send?.(news);
}

function messageOf(error: unknown): string {
  return String((error as Error | undefined)?.message ?? error).split('\n', 1)[0] ?? '';
}

/** Undefined if it passes. */
async function failureOf(chosen: Chosen): Promise<string | undefined> {
  tell({ kind: 'begins', ...chosen });
  try {
    await runTest(collected[chosen.file]?.[chosen.test] as CollectedTest);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Everything twice, since tests must not depend on being the first. */
async function survey(): Promise<Surveyed[]> {
  const surveyed = collected.flatMap((tests, file) =>
    tests.map(({ name }, test): Surveyed => ({ file, test, name, ms: 0, reached: [] })),
  );
  for (const _time of ['first', 'second'])
    for (const result of surveyed) {
      reached = new Set(result.reached);
      const began = performance.now();
      const failure = await failureOf({ file: result.file, test: result.test });
      if (failure !== undefined) result.failure ??= failure;
      result.ms = Math.max(result.ms, performance.now() - began);
      result.reached = [...reached];
    }
  return surveyed;
}

async function judge(chosen: readonly Chosen[]): Promise<News> {
  for (const test of chosen) {
    const error = await failureOf(test);
    if (error !== undefined) return { kind: 'judged', killer: { ...test, error } };
  }
  return { kind: 'judged' };
}

process.on('disconnect', () => process.exit());
process.on('message', async (request: Request) => {
  if (request.kind === 'survey') return tell({ kind: 'surveyed', tests: await survey() });
  active = request.mutant;
  const judged = await judge(request.chosen);
  active = mutant;
  tell(judged);
});

const collected: CollectedTest[][] = [];
for (const path of tests) collected.push(await collect(() => import(pathToFileURL(join(ROOT, path)).href)));
tell({ kind: 'loaded', reached: [...reached] });
