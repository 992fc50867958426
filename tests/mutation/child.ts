import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CollectedFile, collect, runTest } from './collected-tests.ts';
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

/** Tests of one file, by their positions. */
export interface Chosen {
  file: number;
  tests: number[];
}

export type Request = { kind: 'survey' } | { kind: 'judge'; mutant: number | undefined; chosen: Chosen[] };

/** A test without a mutant. */
export interface Surveyed {
  file: number;
  test: number;
  name: string;
  ms: number;
  /** The mutants that it reaches. */
  reached: number[];
  /** Why it fails without a mutant. */
  failure?: string;
}

export type News =
  | { kind: 'loaded'; reached: number[]; hasShared: boolean[] }
  | { kind: 'begins'; file: number; test: number }
  | { kind: 'surveyed'; tests: Surveyed[] }
  | { kind: 'judged'; killer?: { file: number; test: number; error: string } };

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

/** Hooks that run before the tests of a file, whose tests share what they make. */
const hasShared = ({ before }: CollectedFile) => before.length > 0;

/** Runs tests in their order until one fails. */
async function runFile(index: number, positions: readonly number[], run: (test: number) => Promise<boolean>) {
  const file = collected[index] as CollectedFile;
  for (const work of file.before) await work();
  try {
    for (const test of positions) {
      tell({ kind: 'begins', file: index, test });
      if (!(await run(test))) return;
    }
  } finally {
    // Otherwise they end what was made when the file was loaded.
    if (hasShared(file)) for (const work of file.after) await work();
  }
}

/** Twice, since tests must not depend on being the first. */
async function survey(): Promise<Surveyed[]> {
  const surveyed: Surveyed[] = [];
  for (const [index, file] of collected.entries()) {
    const own = file.tests.map(
      ({ name }, test): Surveyed => ({ file: index, test, name, ms: 0, reached: [] }),
    );
    for (const _time of ['first', 'second']) {
      reached = new Set();
      try {
        await runFile(index, own.keys().toArray(), async (test) => {
          const result = own[test] as Surveyed;
          const shared = reached;
          const began = performance.now();
          reached = new Set(test === 0 ? shared : []);
          try {
            await runTest(file.tests[test] as CollectedFile['tests'][number]);
          } catch (error) {
            result.failure ??= messageOf(error);
          }
          result.ms = Math.max(result.ms, performance.now() - began);
          result.reached = [...new Set([...result.reached, ...reached])];
          return true;
        });
      } catch (error) {
        for (const result of own) result.failure ??= messageOf(error);
      }
    }
    surveyed.push(...own);
  }
  return surveyed;
}

type Killer = NonNullable<Extract<News, { kind: 'judged' }>['killer']>;

async function judge(chosen: readonly Chosen[]): Promise<Killer | undefined> {
  for (const { file, tests } of chosen) {
    let killer: Killer | undefined;
    try {
      await runFile(file, tests, async (test) => {
        try {
          await runTest(collected[file]?.tests[test] as CollectedFile['tests'][number]);
        } catch (error) {
          killer = { file, test, error: messageOf(error) };
        }
        return !killer;
      });
    } catch (error) {
      killer ??= { file, test: tests[0] ?? 0, error: messageOf(error) };
    }
    if (killer) return killer;
  }
  return undefined;
}

process.on('disconnect', () => process.exit());
process.on('message', async (request: Request) => {
  if (request.kind === 'survey') return tell({ kind: 'surveyed', tests: await survey() });
  active = request.mutant;
  const killer = await judge(request.chosen);
  active = mutant;
  tell({ kind: 'judged', ...(killer && { killer }) });
});

const collected: CollectedFile[] = [];
for (const path of tests)
  collected.push(await collect(path, () => import(pathToFileURL(join(ROOT, path)).href)));
tell({ kind: 'loaded', reached: [...reached], hasShared: collected.map(hasShared) });
